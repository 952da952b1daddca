// Texts of megabytes are decoded and encoded piece by piece, and so are forms, so that the host's loop stays free meanwhile.
import { startSlices } from "../slices.ts";

/** Bytes or characters of a piece: a few milliseconds. */
const PIECE = 1024 * 1024;
/** Characters of a form: each takes much longer. */
const FORM_PIECE = 32 * 1024;

/** What the decoder makes of all the bytes. */
export async function decodeLong(bytes: Uint8Array, decoder: InstanceType<typeof TextDecoder>): Promise<string> {
  if (bytes.length <= PIECE) return decoder.decode(bytes);
  const slices = startSlices();
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += decoder.decode(bytes.subarray(at, at + PIECE), { stream: true });
    if (slices.isOver()) await slices.next();
  }
  return text + decoder.decode();
}

/** The text as UTF-8. */
export async function encodeLong(text: string): Promise<readonly Buffer[]> {
  const slices = startSlices();
  // Making it took its time.
  await slices.next();
  const pieces: Buffer[] = [];
  for (const piece of piecesOf(text, PIECE)) {
    pieces.push(Buffer.from(piece));
    if (slices.isOver()) await slices.next();
  }
  return pieces;
}

/** A form as URLSearchParams writes it. */
export async function encodeForm(form: Readonly<Record<string, string>>): Promise<string> {
  const slices = startSlices();
  const encode = async (text: string): Promise<string> => {
    let encoded = "";
    for (const piece of piecesOf(text, FORM_PIECE)) {
      encoded += new URLSearchParams([["", piece]]).toString().slice(1);
      if (slices.isOver()) await slices.next();
    }
    return encoded;
  };
  const fields: string[] = [];
  for (const [name, value] of Object.entries(form)) fields.push(`${await encode(name)}=${await encode(value)}`);
  return fields.join("&");
}

/** Parts of the text, about so many characters each; none ends within a character. */
export function* piecesOf(text: string, length: number): Iterable<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + length + (isFirstHalf(text.charCodeAt(at + length - 1)) ? 1 : 0);
    yield text.slice(at, end);
    at = end;
  }
}

/** Of a character that takes two (UTF-16). */
const isFirstHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
