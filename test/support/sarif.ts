// A schema of the parts of SARIF 2.1.0 that the product writes, by section of the standard; nothing else is allowed. If
// TESTS_SARIF_SCHEMA names a copy of the standard's own schema, that is checked as well.
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";

const text = { type: "string", minLength: 1 };
const object = (properties: Record<string, unknown>, optional: readonly string[] = []) => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});
const list = (items: unknown, more: object = {}) => ({ type: "array", items, ...more });
const message = object({ text });
const level = { enum: ["error", "warning", "note"] };
const position = { type: "integer", minimum: 1 };
const region = object({ startLine: position, startColumn: position, endLine: position, endColumn: position }); // 3.30
const reference = { type: "string", format: "uri-reference", not: { format: "uri" } };
const location = object({ uri: reference, uriBaseId: { const: "%SRCROOT%" } }); // 3.4
const indexed = object({ uri: reference, uriBaseId: { const: "%SRCROOT%" }, index: { type: "integer", minimum: 0 } });
const rule = object({
  id: text,
  shortDescription: message,
  fullDescription: message,
  help: object({ text, markdown: text }),
  defaultConfiguration: object({ level }),
  properties: object({ tags: list(text) }),
}); // 3.49
const replacement = object({ deletedRegion: region, insertedContent: object({ text: { type: "string" } }) }); // 3.57
const fix = object({
  description: message,
  artifactChanges: list(object({ artifactLocation: location, replacements: list(replacement, { minItems: 1 }) }), { minItems: 1 }),
}); // 3.55
const result = object({
  ruleId: text,
  ruleIndex: { type: "integer", minimum: 0 },
  level,
  message,
  locations: list(object({ physicalLocation: object({ artifactLocation: indexed, region }) }), { minItems: 1 }),
  fixes: list(fix),
}); // 3.27
const run = object({
  tool: object({ driver: object({ name: text, semanticVersion: text, rules: list(rule, { uniqueItems: true }) }) }),
  invocations: list(object({ executionSuccessful: { type: "boolean" }, toolExecutionNotifications: list(object({ level, message })) })),
  columnKind: { const: "utf16CodeUnits" },
  originalUriBaseIds: object({ "%SRCROOT%": object({ uri: { type: "string", format: "uri", pattern: "^file://.*/$" } }) }),
  artifacts: list(object({ location }), { uniqueItems: true }),
  results: list(result),
}); // 3.14

/** Returns the problems of a log; empty if there are none. */
export function sarifProblems(log: unknown): readonly unknown[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const check = ajv.compile(
    object({ $schema: { type: "string", format: "uri" }, version: { const: "2.1.0" }, runs: list(run, { minItems: 1 }) }),
  );
  check(log);
  return check.errors ?? [];
}

export const standardSchema = process.env.TESTS_SARIF_SCHEMA;

/** Does the same with the standard's own schema, which uses an older draft. */
export function standardProblems(log: unknown, path: string): readonly unknown[] {
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const check = ajv.compile(schema);
  check(log);
  return check.errors ?? [];
}
