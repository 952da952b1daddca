// Recognises what kind of evidence a text is.

import { hasCurlCommand } from "./curl/words.ts";
import type { EvidenceKind } from "./evidence-kind.ts";
import { pageByName } from "./readers/provider.ts";

/** Characters in which a description says which format it has. GitHub's own begins with its servers and tags. */
const BEGINNING = 1024 * 1024;

/** Characters at the end: JSON whose members are sorted has `swagger` behind its paths. */
const ENDING = 64 * 1024;

/** Returns the kind of evidence, or undefined if the text could be several: a URL, for example. */
export function recogniseEvidence(text: string): EvidenceKind | undefined {
  const beginning = text.slice(0, BEGINNING).trimStart();
  const ending = text.slice(Math.max(BEGINNING, text.length - ENDING));
  // What else a browser copies is for the reader of cURL, which refuses it by name.
  if (/^(?:(?:curl(?:\.exe)?|invoke-(?:webrequest|restmethod)|iwr|irm)\s|fetch\(|\$\w{1,40} ?= ?New-Object)/i.test(beginning))
    return "curl";
  if (isUrl(beginning))
    return /\/\.well-known\/(?:openid-configuration|oauth-authorization-server)(?:[/?#]|$)/.test(beginning) ? "issuer" : undefined;
  if (/^["']?(?:openapi|swagger)["']?[ \t]*:/m.test(beginning) || /[{,]\s*"(?:openapi|swagger)"\s*:/.test(beginning + ending))
    return "openapi";
  if (/^\{/.test(beginning) && /"(?:authorization_endpoint|token_endpoint)"\s*:/.test(beginning)) return "issuer";
  if (hasCurlCommand(beginning)) return "curl";
  return pageByName(text) === undefined ? undefined : "provider";
}

/** Returns whether a text is a single URL. */
export const isUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text.trim()) && URL.canParse(text.trim());
