// A text → the description as data. Nothing but the text is read.
import { CORE_SCHEMA, load, types, YAMLException } from "js-yaml";
import { isRecord } from "../../../base/is-record.ts";
import { DEEPEST_FILE, isTooDeepForFile } from "../../../base/json-depth.ts";
import type { PackAuthError } from "../../errors.ts";
import { unreadable } from "../unreadable.ts";
import { Part } from "./raw.ts";

/** Values in a description whose YAML aliases are written out. A few lines of aliases can stand for billions of values. */
const MOST_VALUES = 20_000_000;

/** Scalars as JSON has them, and merge keys. Dates stay strings. */
const SCHEMA = CORE_SCHEMA.extend({ implicit: [types.merge] });

const EXPORT = "Export the description of the API again, as OpenAPI 3 or Swagger 2.";
const OTHERWISE = "Export the API as OpenAPI 3, or copy one of its requests as cURL.";

/** Throws evidence-unreadable. */
export function parseDescription(text: string): Part {
  const raw = new Part(parseText(text.replace(/^\uFEFF/, "")));
  checkKind(raw);
  return raw;
}

function parseText(text: string): unknown {
  if (/^\s*</.test(text)) {
    throw unreadable(
      "The text is HTML or XML, not the description of an API.",
      "Copy the description itself: JSON or YAML, often at an address such as /openapi.json.",
    );
  }
  const isJson = /^\s*[[{]/.test(text);
  if (isJson && isTooDeepForFile(text)) throw tooDeep();
  try {
    if (isJson) return JSON.parse(text);
  } catch {
    // YAML allows more than JSON does, and its parser names the line.
  }
  try {
    const value = load(text, { schema: SCHEMA, json: true, maxDepth: DEEPEST_FILE });
    if (valuesIn(value, new Map()) > MOST_VALUES)
      throw unreadable("The description has too many values behind its YAML aliases.", "Export the description without aliases, as JSON.");
    return value;
  } catch (error) {
    if (error instanceof RangeError || (error instanceof YAMLException && error.reason.startsWith("nesting"))) throw tooDeep();
    if (!(error instanceof YAMLException)) throw error;
    const line = error.mark === undefined ? "" : ` in line ${error.mark.line + 1}`;
    throw unreadable(`The text is not valid ${isJson ? "JSON" : "YAML"}${line}: ${reasonOf(error)}.`, `Correct it. ${EXPORT}`);
  }
}

/** Returns the reason without what the parser quotes of the text, which may be anything that was pasted. */
const reasonOf = ({ reason }: YAMLException): string => reason.split(/ ?(?:"|!<|:)/, 1)[0] ?? "";

const tooDeep = (): PackAuthError => unreadable("The description nests too deeply.", EXPORT);

/** Returns the number of values inside a value whose aliases are written out. It is infinite if one contains itself. */
function valuesIn(value: unknown, counts: Map<object, number>): number {
  if (typeof value !== "object" || value === null) return 1;
  const size = counts.get(value);
  if (size !== undefined) return size;
  counts.set(value, Number.POSITIVE_INFINITY);
  let count = 1;
  for (const inner of Object.values(value)) count += valuesIn(inner, counts);
  counts.set(value, count);
  return count;
}

function checkKind(raw: Part): void {
  const openapi = raw.at("openapi").value;
  const swagger = raw.at("swagger").value ?? raw.at("swaggerVersion").value;
  // YAML reads a version without quotes as a number.
  if (/^3\.\d+(?:\.\d.*)?$/.test(String(openapi)) || /^2(?:\.0)?$/.test(String(raw.at("swagger").value))) {
    if (["paths", "webhooks", "components"].some((name) => isRecord(raw.at(name).value))) return;
    throw unreadable("The description has no paths: no operation can be read.", EXPORT);
  }
  if (raw.text("info", "schema").includes("getpostman.com") || raw.text("info", "_postman_id") !== "")
    throw unreadable("The text is a Postman collection, which cannot be read here.", OTHERWISE);
  if (Array.isArray(raw.at("log", "entries").value)) throw unreadable("The text is a HAR file, which cannot be read here.", OTHERWISE);
  if (openapi !== undefined || swagger !== undefined) {
    const version = `${openapi === undefined ? "Swagger" : "OpenAPI"} ${/^\d{1,3}(?:\.\d{1,3}){0,2}/.exec(String(openapi ?? swagger))?.[0] ?? "without a number"}`;
    throw unreadable(`The description has the version ${version}. Only OpenAPI 3 and Swagger 2 can be read.`, EXPORT);
  }
  throw unreadable(
    `The text is not the description of an API: it has no field "openapi" or "swagger".`,
    "Copy the whole file of the description, as JSON or YAML.",
  );
}
