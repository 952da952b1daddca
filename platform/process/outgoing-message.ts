// Writes a message to a pack process: its JSON, followed by an attachment for text or bytes.
import type { Writable } from "node:stream";
import { FRAME_HEADER } from "../../protocol/frames.ts";
import type { FetchResponse, ToPackProcess } from "../../protocol/pack-process.ts";
import { encodeLong } from "../bodies/long-text.ts";

/** The largest attachment in bytes that is copied into one buffer with the JSON, which is faster than a second write. */
const COPIED = 256 * 1024;

/** Writes a message. `pieces` is the attachment if it is already encoded; see {@link encodeBody}. */
export function writeMessage(stream: Writable, message: ToPackProcess, pieces?: readonly Buffer[]): void {
  const { json, attachment = "" } = encode(message);
  const length = Buffer.byteLength(json);
  const beside = pieces === undefined ? Buffer.byteLength(attachment) : pieces.reduce((sum, piece) => sum + piece.length, 0);
  const isCopied = beside <= COPIED;
  const bytes = Buffer.allocUnsafe(FRAME_HEADER + length + (isCopied ? beside : 0));
  bytes.writeUInt32BE(length, 0);
  bytes.writeUInt32BE(beside, 4);
  bytes.write(json, FRAME_HEADER);
  if (isCopied) bytes.write(attachment, FRAME_HEADER + length);
  stream.write(bytes);
  if (!isCopied) for (const piece of pieces ?? [Buffer.from(attachment)]) stream.write(piece);
}

/** Resolves to a long body as the bytes of its attachment, encoded in slices. Resolves to undefined if the body is short or absent. */
export async function encodeBody(response: FetchResponse | undefined): Promise<readonly Buffer[] | undefined> {
  const content = response === undefined ? "" : (attached(response.body)?.content ?? "");
  return content.length > COPIED ? encodeLong(content) : undefined;
}

/** Splits a message into its JSON and its attachment. Bodies of text or bytes become the attachment. */
function encode(message: ToPackProcess): { json: string; attachment?: string } {
  const code = message.type === "prepare" || message.type === "load" || message.type === "validate" ? message.code : undefined;
  if (code !== undefined) return { json: JSON.stringify({ ...message, code: "" }), attachment: code };
  const response = message.type === "fetched" ? message.response : message.type === "fetchFailed" ? message.error.response : undefined;
  const body = response === undefined ? undefined : attached(response.body);
  if (response === undefined || body === undefined) return { json: JSON.stringify(message) };
  const without = { ...response, body: { attached: body.kind } };
  return {
    json: JSON.stringify(
      message.type === "fetchFailed" ? { ...message, error: { ...message.error, response: without } } : { ...message, response: without },
    ),
    attachment: body.content,
  };
}

function attached(body: FetchResponse["body"]): { readonly kind: "json" | "text" | "base64"; readonly content: string } | undefined {
  if ("unparsed" in body) return { kind: "json", content: body.unparsed };
  if ("text" in body) return { kind: "text", content: body.text };
  return "base64" in body ? { kind: "base64", content: body.base64 } : undefined;
}
