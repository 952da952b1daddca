// Checks a value against a server's JSON Schema, which is interpreted and never compiled to code. It runs in the MCP thread. The host ends
// the thread if a schema takes too long, since a pattern may be made for that.

import { type OutputUnit, type SchemaDraft, Validator } from "@cfworker/json-schema";
import { errorMessage } from "../../base/error-message.ts";
import { quote } from "../../base/quote.ts";
import type { SchemaProblems } from "./messages.ts";

/** The largest schema that is checked, in characters. */
const LARGEST_SCHEMA = 256 * 1024;
/** Limits on the number of problems, on the characters of a problem, and on the characters of a name in its path. */
const MOST = 10;
const LONGEST_PROBLEM = 300;
const LONGEST_NAME = 200;

const DRAFTS: readonly (readonly [pattern: RegExp, draft: SchemaDraft])[] = [
  [/2020-12/, "2020-12"],
  [/2019-09/, "2019-09"],
  [/draft-0[67]/, "7"],
  [/draft-04/, "4"],
];

/** Keywords that report an error if one of their subschemas does. The inner error is more precise. */
const OUTER = new Set("properties patternProperties items prefixItems additionalItems $ref $dynamicRef allOf dependentSchemas".split(" "));

export function checkSchema(value: unknown, schema: unknown): SchemaProblems {
  if (typeof schema !== "object" || schema === null) return { mismatches: [] };
  if (JSON.stringify(schema).length > LARGEST_SCHEMA) return { mismatches: [], unchecked: "its schema is larger than 256 KB" };
  try {
    const { errors } = new Validator(schema, draftOf(schema), false).validate(value);
    const inner = errors.filter(({ keyword }) => !OUTER.has(keyword));
    return { mismatches: (inner.length === 0 ? errors : inner).slice(0, MOST).map(problemOf) };
  } catch (error) {
    if (error instanceof RangeError) return { mismatches: [], unchecked: "its schema refers to itself endlessly" };
    return { mismatches: [], unchecked: `its schema cannot be used: ${quote(errorMessage(error).slice(0, LONGEST_PROBLEM))}` };
  }
}

/** Returns the schema's draft. MCP defines 2020-12 as the default. */
function draftOf(schema: object): SchemaDraft {
  const declared: unknown = "$schema" in schema ? schema.$schema : undefined;
  return DRAFTS.find(([pattern]) => pattern.test(String(declared)))?.[1] ?? "2020-12";
}

function problemOf({ keyword, instanceLocation, error }: OutputUnit): SchemaProblems["mismatches"][number] {
  const path = instanceLocation
    .split("/")
    .slice(1)
    .map((part) => decodeURI(part).replaceAll("~1", "/").replaceAll("~0", "~"));
  const missing = keyword === "required" ? /required property "(.*)"/s.exec(error)?.[1] : undefined;
  return {
    path: (missing === undefined ? path : [...path, missing]).map((name) => name.slice(0, LONGEST_NAME)),
    message: missing === undefined ? quote(error.slice(0, LONGEST_PROBLEM)) : "A value is required.",
  };
}
