// Quotes what a server says, and joins an explanation's clauses to sentences.
import { quotable, quote, quoteName } from "../../base/quote.ts";
import { MASK } from "../secrets/redact.ts";
import type { Cause } from "./diagnosis.ts";

/** Characters of a code and of a description that messages show. */
const LONGEST_CODE = 100;
const LONGEST_DESCRIPTION = 300;

/** Some providers escape their description as for a page. */
const ENTITIES: Readonly<Record<string, string>> = { "#39": "'", quot: '"', amp: "&" };
export const withoutEntities = (text: string): string => text.replace(/&(#39|quot|amp);/g, (_whole, name: string) => ENTITIES[name] ?? "");

/**
 * Returns `code — “description”` in the provider's words, or what it has of the two, cut to a maximum length. The caller masks secrets first.
 */
export function quoteError(code: string, description: string | undefined): string {
  // Some providers send a whole sentence as the code; its full stop is removed, because the code is part of our sentence.
  const shownCode = code.slice(0, LONGEST_CODE).replace(/\.$/, "");
  // A status in place of a code is in our words.
  const quotedCode = shownCode === "" || /^status \d+$/.test(shownCode) ? shownCode : quoteName(shownCode);
  const shownDescription = description && withoutEntities(description).slice(0, LONGEST_DESCRIPTION);
  if (shownDescription === undefined || shownDescription === "" || description === code) return quotedCode;
  return `${quotedCode === "" ? "" : `${quotedCode} — `}${quote(shownDescription)}`;
}

/** Returns the reason as a sentence. A field's name and a host keep their first letter. */
export function sentenceOf({ reason, field }: Pick<Cause, "reason" | "field">): string {
  const [first = ""] = reason.split(/[ :]/, 1);
  const start = /^[a-z]+$/.test(first) && first !== field ? reason.slice(0, 1).toUpperCase() + reason.slice(1) : reason;
  return /[.!?]["”)]*$/.test(start) ? start : `${start}.`;
}

/** Returns the whole explanation: why, what the API says, then what to do. `before` is the text that a person reads before it. */
export const explanationText = (
  explanation: Pick<Cause, "reason" | "advice" | "field"> & { readonly quotation: string },
  before = "",
): string => {
  const isRepeated = before.includes(explanation.quotation.replace(/^ It says: “|”\.$/g, ""));
  return `${sentenceOf(explanation)}${isRepeated ? "" : explanation.quotation} ${explanation.advice}`;
};

/** Returns our explanation first, in one sentence that names the field to change; the provider's words follow in their own sentence. */
export const refusalMessage = (what: string, cause: Pick<Cause, "reason"> | undefined, providerError: string | undefined): string =>
  `${what}${cause === undefined ? "" : `, because ${cause.reason}`}.${providerError === undefined ? "" : ` Its answer: ${providerError}.`}`;

/** Returns the path of the field, such as `userAuthentication.tokenUrl`, or the whole configuration if no field is to blame. */
export const configPathOf = (configRoot: string, { field = "" }: Pick<Cause, "field">): string =>
  field === "" ? configRoot : `${configRoot}.${field}`;

/** Returns what to do, as options of an error. */
export const adviceOf = ({ advice, nextStep }: Pick<Cause, "advice" | "nextStep">) => ({ hint: advice, nextStep });

export const formatQuotation = (text: string): string => (text === "" ? "" : ` It says: ${quote(text)}.`);

export const isWebPage = (text: string): boolean => /^\s*<(!doctype|html|head|body)/i.test(text);

/**
 * Returns the start of a text response, without markup and without what may be a credential. JSON is quoted only if the response is an
 * error.
 */
export function excerpt({ text, status }: { readonly text: string; readonly status: number }, longest = 160): string {
  const isRefusal = status >= 400;
  if (!isRefusal && !isWebPage(text) && (/^\s*[{[]/.test(text) || /token|secret/i.test(text)))
    return "(not shown: it may contain a secret)";
  const shownText = text
    .replace(/<(script|style)\b.*?(<\/\1>|$)/gis, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .replace(/((?:token|secret|password|session)["']?\s?[:=]\s?["']?)([^\s"'&,;]+)/gi, (whole, name: string, value: string) =>
      /\d/.test(value) ? name + MASK : whole,
    )
    .replace(/[\w+=-]{16,}/g, (word) => (/\d/.test(word) && /[a-z]/i.test(word) ? MASK : word))
    .trim()
    .slice(0, longest);
  return quotable(shownText);
}
