// Returns the masked body of a response for pack code. Large bodies are processed in slices, and the pack process parses large JSON.
import type { FetchResponse } from "../../protocol/pack-process.ts";
import type { Redactor } from "../secrets/redact.ts";
import { redactBytes, redactText } from "../secrets/redact-long.ts";
import { startSlices } from "../slices.ts";
import { isTooDeep, jsonContainsSecret, maskLargeJson, SMALL } from "./masked-json.ts";
import { type BodyOptions, decodeLongText, isJson, isJsonType, isReadAsUtf8, isXmlType, parseText, tooDeep } from "./response-body.ts";
import { parseXmlApart } from "./xml-apart.ts";

/** Characters of XML that are parsed here; starting a thread would take longer. */
const SMALL_XML = 16_384;

interface MaskedBodyOptions extends BodyOptions {
  /** Whether small JSON is parsed here, because the host reads it. */
  readonly parsed: boolean;
}

/** Returns the masked body. Throws response-invalid if the body nests too deeply to be passed on. */
export async function maskedBody(
  bytes: Uint8Array,
  contentType: string,
  options: MaskedBodyOptions,
  redactor: Redactor,
): Promise<FetchResponse["body"]> {
  if (options.binary) {
    const { buffer, byteOffset, byteLength } = await redactBytes(bytes, redactor);
    return { base64: Buffer.from(buffer, byteOffset, byteLength).toString("base64") };
  }
  // In another encoding, the bytes of a secret become other characters, which pack code could convert back.
  const maskedBytes = isReadAsUtf8(contentType, options.encoding) ? bytes : await redactBytes(bytes, redactor);
  const text = await decodeLongText(maskedBytes, contentType, options.encoding);
  if (text.length > SMALL) await startSlices().next();
  if (isXmlType(contentType)) {
    if (text.length <= SMALL_XML) return redactor.redactValue(parseText(text, contentType));
    const json = await parseXmlApart(text);
    if (json === undefined) return { text: await redactText(text, redactor) };
    return (await jsonContainsSecret(json, redactor)) ? maskLargeJson(json, redactor) : { unparsed: json };
  }
  if (!isJson(text, contentType)) return { text: await redactText(text, redactor) };
  const isSmall = text.length <= SMALL;
  if (isSmall && options.parsed) return redactor.redactValue(parseText(text, contentType));
  if (await isTooDeep(text)) {
    if (isSmall) return redactor.redactValue(parseText(text, contentType));
    if (isJsonType(contentType)) throw tooDeep();
    return { text: await redactText(text, redactor) };
  }
  if (!(await jsonContainsSecret(text, redactor))) return { unparsed: text };
  return isSmall ? redactor.redactValue(parseText(text, contentType)) : maskLargeJson(text, redactor);
}

/** Masks a response again for another reader, whose redactor may know other secrets. */
export async function maskedAgain(response: FetchResponse, redactor: Redactor): Promise<FetchResponse> {
  if (!("unparsed" in response.body)) return redactor.redactValue(response);
  const { unparsed } = response.body;
  const head = redactor.redactValue({ ...response, body: { empty: true } as const });
  return { ...head, body: (await jsonContainsSecret(unparsed, redactor)) ? await maskLargeJson(unparsed, redactor) : response.body };
}
