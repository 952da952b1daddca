// Reads a response within its limits and converts it for pack code. JSON and XML are parsed by content type, as on the platform.
import type { FetchResponse } from "../../protocol/pack-process.ts";
import { PackAuthError } from "../errors.ts";
import { DEEPEST_VALUE } from "../secrets/redact.ts";
import { startSlices } from "../slices.ts";
import { decodeLong } from "./long-text.ts";
import { parseXml } from "./xml-body.ts";

/** Bytes after decompression: the platform's own limit (sdk-facts 3). */
export const LARGEST_RESPONSE = 25 * 1024 * 1024;

/** Bytes of a body that takes milliseconds to copy or decode. */
const LARGE = 1024 * 1024;

/** The default error for a response to pack code. */
const tooLarge = (limit: number): PackAuthError =>
  new PackAuthError("response-too-large", `The response is larger than ${Math.round(limit / 1_048_576)} MB, the platform's limit.`, {
    hint: "Ask the API for less: a smaller page, fewer fields.",
  });

/**
 * Returns the whole body, or its start up to the part for which `isEnough` returns true.
 * Throws response-too-large, or what `refuse` returns; network errors of the stream pass through.
 */
export async function readBody(
  response: Response,
  limit = LARGEST_RESPONSE,
  refuse: (limit: number) => PackAuthError = tooLarge,
  isEnough?: (part: Uint8Array) => boolean,
): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > limit) {
      await reader.cancel().catch(() => {});
      throw refuse(limit);
    }
    chunks.push(value);
    if (isEnough?.(value)) {
      await reader.cancel().catch(() => {});
      break;
    }
  }
  const whole = Buffer.concat(chunks);
  // Joining a large body took time, and so will the next step.
  if (size > LARGE) await startSlices().next();
  return whole;
}

/** Returns the first bytes of a body, and whether they are the whole body. */
export async function readBeginning(response: Response, most: number): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  for (let size = 0; size <= most; ) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return { bytes: Buffer.concat(chunks), isWhole: true };
    size += value.byteLength;
    chunks.push(value);
  }
  await reader?.cancel().catch(() => {});
  return { bytes: Buffer.concat(chunks).subarray(0, most), isWhole: false };
}

export interface BodyOptions {
  readonly binary: boolean;
  readonly encoding?: string;
}

/** Returns the body for pack code. Throws response-invalid if it nests too deeply to be passed on. */
export function parseBody(bytes: Uint8Array, contentType: string, options: BodyOptions): FetchResponse["body"] {
  if (options.binary) return { base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64") };
  return parseText(decodeText(bytes, contentType, options.encoding), contentType);
}

export const isXmlType = (contentType: string): boolean => /^\s*(?:text\/xml|application\/(?:[^;]+\+)?xml)\b/i.test(contentType);

export const isJsonType = (contentType: string): boolean => /^\s*application\/(?:[^;]+\+)?json\b/i.test(contentType);

/**
 * Returns whether a body is JSON. A body that starts like an object or a list counts as JSON whatever its type, because packs rely on it.
 */
export const isJson = (text: string, contentType: string): boolean => isJsonType(contentType) || /^\s*[[{]/.test(text);

/** Returns the parsed text if it is JSON or XML, else the text. Throws like parseBody. */
export function parseText(text: string, contentType: string): FetchResponse["body"] {
  if (isXmlType(contentType)) {
    const parsed = parseXml(text);
    return parsed === undefined ? { text } : { json: parsed.value };
  }
  if (!isJson(text, contentType)) return { text };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { text };
  }
  if (isDeeperThan(json, DEEPEST_VALUE)) throw tooDeep();
  return { json };
}

export const tooDeep = (): PackAuthError =>
  new PackAuthError("response-invalid", `The response nests more than ${DEEPEST_VALUE} levels deep, which is too deep.`, {
    hint: "Ask for it with isBinaryResponse: true and read it in pieces.",
  });

function isDeeperThan(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== "object") return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}

/** Decodes text by the requested encoding, the response's charset, or UTF-8. */
export const decodeText = (bytes: Uint8Array, contentType: string, encoding?: string): string =>
  decoderFor(contentType, encoding).decode(bytes);

/** Decodes text that may have megabytes, and yields to other work of the process meanwhile. */
export const decodeLongText = (bytes: Uint8Array, contentType: string, encoding?: string): Promise<string> =>
  decodeLong(bytes, decoderFor(contentType, encoding));

/** Returns whether {@link decodeText} reads the bytes as UTF-8, so that a secret in the bytes is also in the text. */
export const isReadAsUtf8 = (contentType: string, encoding?: string): boolean => decoderFor(contentType, encoding).encoding === "utf-8";

function decoderFor(contentType: string, encoding: string | undefined): InstanceType<typeof TextDecoder> {
  const label = encoding ?? /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
