// Decodes and encodes texts of megabytes, and forms, piece by piece, so that the host's event loop is not blocked.
import { startSlices } from "../slices.ts";

/** Bytes or characters of a piece, which takes a few milliseconds. */
const PIECE = 1024 * 1024;
/** Characters of a piece of a form, each of which takes much longer. */
const FORM_PIECE = 32 * 1024;

/** Returns the decoded text of all bytes. */
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

/** Returns the text encoded as UTF-8. */
export async function encodeLong(text: string): Promise<readonly Buffer[]> {
  const slices = startSlices();
  // The caller has just spent time on creating the text.
  await slices.next();
  const pieces: Buffer[] = [];
  for (const piece of piecesOf(text, PIECE)) {
    pieces.push(Buffer.from(piece));
    if (slices.isOver()) await slices.next();
  }
  return pieces;
}

/** Returns the form encoded as URLSearchParams does it. */
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

/** Yields parts of the text with about `length` characters each; no part ends within a surrogate pair. */
export function* piecesOf(text: string, length: number): Iterable<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + length + (isFirstHalf(text.charCodeAt(at + length - 1)) ? 1 : 0);
    yield text.slice(at, end);
    at = end;
  }
}

/** Returns whether the code unit is the first half of a surrogate pair (UTF-16). */
const isFirstHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
