// A value against a server's JSON Schema: interpreted, never made into code, and within bounds. It runs in the thread of platform/mcp, which
// the host ends where a schema takes too long: a pattern may be made for that.

import { type OutputUnit, type SchemaDraft, Validator } from "@cfworker/json-schema";
import { errorMessage } from "../../base/error-message.ts";
import type { SchemaProblems } from "./messages.ts";

/** Characters of a schema that is checked against. */
const LARGEST_SCHEMA = 256 * 1024;
/** Problems that are told, and characters of one and of a name in its path. */
const MOST = 10;
const LONGEST_PROBLEM = 300;
const LONGEST_NAME = 200;

const DRAFTS: readonly (readonly [pattern: RegExp, draft: SchemaDraft])[] = [
  [/2020-12/, "2020-12"],
  [/2019-09/, "2019-09"],
  [/draft-0[67]/, "7"],
  [/draft-04/, "4"],
];

/** Told of a member when one of its own is wrong. */
const OUTER = new Set([
  "properties",
  "patternProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "$ref",
  "$dynamicRef",
  "allOf",
  "dependentSchemas",
]);

export function checkSchema(value: unknown, schema: unknown): SchemaProblems {
  if (typeof schema !== "object" || schema === null) return { mismatches: [] };
  if (JSON.stringify(schema).length > LARGEST_SCHEMA) return { mismatches: [], unchecked: "its schema is larger than 256 KB" };
  try {
    const { errors } = new Validator(schema, draftOf(schema), false).validate(value);
    const inner = errors.filter(({ keyword }) => !OUTER.has(keyword));
    return { mismatches: (inner.length === 0 ? errors : inner).slice(0, MOST).map(problemOf) };
  } catch (error) {
    if (error instanceof RangeError) return { mismatches: [], unchecked: "its schema refers to itself endlessly" };
    return { mismatches: [], unchecked: `its schema cannot be used: ${errorMessage(error).slice(0, LONGEST_PROBLEM)}` };
  }
}

/** MCP says 2020-12 where a schema says nothing. */
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
    message: missing === undefined ? error.slice(0, LONGEST_PROBLEM) : "A value is required.",
  };
}
