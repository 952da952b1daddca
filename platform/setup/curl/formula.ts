// The formula for a pasted request.

import { decodeText } from "../../../base/decode-text.ts";
import type { ProposedFormula, ProposedRequest, TextWithSlots } from "../../../protocol/setup.ts";
import { isOpaque } from "./names.ts";
import { MARK } from "./words.ts";

export function formulaOf(request: ProposedRequest, segments: readonly string[]): ProposedFormula {
  const texts: readonly TextWithSlots[] = [request.url, ...request.headers.map(({ value }) => value), request.body ?? []];
  const names = new Set(texts.flat().flatMap((piece) => (typeof piece === "object" && "parameter" in piece ? [piece.parameter] : [])));
  const name = formulaName(request.method, segments);
  return {
    name,
    description: `Sends ${request.method} ${pathOf(request.url)}.`,
    request,
    parameters: [...names].map((parameter) => ({ name: parameter, description: `The ${wordsOf(parameter)} in the request.` })),
  };
}

/** Characters of a description that the path takes. */
const LONGEST_PATH = 200;

const pathOf = (url: TextWithSlots): string =>
  url
    .map((piece) =>
      typeof piece === "string" ? piece : "endpoint" in piece ? "" : `{${"parameter" in piece ? piece.parameter : piece.credential}}`,
    )
    .join("")
    .replace(/^https:\/\/[^/?#]*/, "")
    .replace(/[?#].*$/s, "")
    .slice(0, LONGEST_PATH) || "/";

const wordsOf = (name: string): string => name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase();

const VERBS: Readonly<Record<string, string>> = {
  GET: "Get",
  HEAD: "Get",
  POST: "Create",
  PUT: "Update",
  PATCH: "Update",
  DELETE: "Delete",
};

/** Parts of paths that say what is done with the resource before them. */
const VERB = /^(?:get|list|search|find|query|create|add|update|set|delete|remove|send)$/i;

/** Parts of paths that name no resource. */
const PREFIX = /^(?:api|apis|rest|rpc|v?\d+(?:\.\d+)*|v\d\w*|latest|_)$/i;

/** The ending of a format. Other endings are a part of a procedure's name: `users.list`. */
const FILE_ENDING = /\.(?:json|xml|php|csv|txt|html?|pdf|jpe?g|png|gif|svg|zip|aspx?)$/i;

/** Returns a name in PascalCase from method and path: `GetIssues`, `CreateIssue`. */
function formulaName(method: string, segments: readonly string[]): string {
  const named = segments.map((segment) => decodeText(segment).replace(FILE_ENDING, ""));
  const isId = (segment: string): boolean =>
    segment.includes(MARK) ||
    isOpaque(segment) ||
    /^\d+$/.test(segment) ||
    /^[A-Z]+-\d+$/.test(segment) ||
    (/^[A-Z\d-]+$/i.test(segment) && /\d/.test(segment) && !/^[a-z]+-?\d$/i.test(segment));
  const isResource = (segment: string): boolean => segment !== "" && !isId(segment) && !PREFIX.test(segment) && pascal(segment) !== "";
  const at = named.findLastIndex(isResource);
  const resource = pascal(named[at] ?? "").slice(0, 50);
  if (/^graphql$/i.test(resource)) return "QueryGraphQL";
  // A part such as chat.postMessage or getMe is a procedure, whose name has its verb.
  if (/[a-z]\.[a-z]|^(?:get|list|create|add|update|set|delete|remove|send|search|find)[A-Z]/.test(named[at] ?? "")) return resource;
  if (VERB.test(named[at] ?? "")) return resource + pascal(named.slice(0, at).findLast(isResource) ?? "").slice(0, 50);
  const isOne = named.slice(at + 1).some((segment) => segment !== "") || method === "POST";
  return (VERBS[method] ?? "Send") + (resource === "" ? "Data" : isOne ? singular(resource) : resource);
}

const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z\d]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

const singular = (word: string): string =>
  word
    .replace(/ies$/, "y")
    .replace(/(ss|x|ch|sh)es$/, "$1")
    .replace(/(?<![sui])s$/, "");
