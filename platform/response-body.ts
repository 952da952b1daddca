// Reads a response within its limits and turns it into what pack code gets: JSON and XML parsed by content type, as the platform does.
import { XMLParser } from "fast-xml-parser";
import type { FetchResponse } from "../protocol/pack-process.ts";
import { PackAuthError } from "./errors.ts";

/** The platform's own cap, after decompression (sdk-facts 3). */
export const LARGEST_RESPONSE = 25 * 1024 * 1024;

/** The whole body as bytes. Throws response-too-large; network errors of the stream pass through. */
export async function readBody(response: Response, limit = LARGEST_RESPONSE): Promise<Uint8Array> {
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
      throw new PackAuthError(
        "response-too-large",
        `The response is larger than ${Math.round(limit / 1_048_576)} MB, which is as much as the platform takes.`,
        {
          hint: "Ask the API for less: a smaller page, fewer fields.",
        },
      );
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}

export interface BodyOptions {
  readonly binary: boolean;
  readonly encoding?: string;
}

/** The body as pack code sees it. */
export function parseBody(bytes: Uint8Array, contentType: string, options: BodyOptions): FetchResponse["body"] {
  if (options.binary) return { base64: Buffer.from(bytes).toString("base64") };
  if (bytes.byteLength === 0) return { empty: true };
  const text = decodeText(bytes, contentType, options.encoding);
  if (/^application\/(?:[^;]+\+)?json\b/i.test(contentType)) {
    try {
      return { json: JSON.parse(text) };
    } catch {
      return { text };
    }
  }
  if (/^(?:text\/xml|application\/(?:[^;]+\+)?xml)\b/i.test(contentType)) return parseXml(text);
  return { text };
}

/** Text by the encoding asked for, the response's own charset, or UTF-8. */
export function decodeText(bytes: Uint8Array, contentType: string, encoding?: string): string {
  const label = encoding ?? /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

// Every element a list, attributes under `$`, text beside them under `_`, the root left out: the form that packs are written for.
const xml = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  attributesGroupName: "$",
  textNodeName: "_",
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

function parseXml(text: string): FetchResponse["body"] {
  try {
    const parsed = xml.parse(text) as Record<string, unknown>;
    const root = Object.values(parsed)[0];
    return { json: Array.isArray(root) ? root[0] : root };
  } catch {
    return { text };
  }
}
