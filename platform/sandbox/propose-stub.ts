// Proposes an answer of sandbox.json for a request that had none. The request is the one that was sent. The body follows the known result
// (examples, schema) and the fields that the pack read from the echo. The author corrects the proposal.
import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { RequestTrace, ResponseReads, RunReport } from "../../protocol/run.ts";
import { echoedRequest } from "../requests/echoed-address.ts";
import { denormaliseRow } from "../runs/normalise-result.ts";
import { asSchema, type Schema } from "../runs/schema.ts";
import { sampleResponse } from "./sample-response.ts";
import { sampleText, sampleValue } from "./sample-value.ts";
import type { Stub } from "./stubs.ts";

/** What is known of the result for which the request was made. Everything may be missing. */
export interface ExpectedResult {
  /** The formula's result type. */
  readonly resultType?: string;
  readonly schema?: unknown;
  readonly examples?: readonly { readonly result?: unknown }[];
  /** Whether the result is the rows of a table. The schema then describes one row. */
  readonly isTable?: boolean;
  /** The message of the error with which the run failed. */
  readonly error?: string;
  /**
   * What the pack's source reads of the response. It takes precedence over the result's schema, since the code may return something else.
   */
  readonly reads?: ResponseReads;
}

/** Returns what a run's formula or table declares of its result, and the error with which the run failed. */
export function expectedResult({ target, outcome, schema }: RunReport, { formulas, syncTables }: PackDefinition): ExpectedResult {
  const error = outcome.status === "failed" ? { error: outcome.error.message } : {};
  if (target.kind === "formula") return { ...formulas.find(({ name }) => name === target.name), ...error };
  if (target.kind !== "syncTable") return error;
  return { schema: schema ?? syncTables.find(({ name }) => name === target.name)?.schema, isTable: true, ...error };
}

/** The members of arrays and of strings. Some names are members of both. */
const OF_LISTS = new Set(Object.getOwnPropertyNames(Array.prototype).concat("0", "[Symbol.iterator]"));
const OF_TEXTS = new Set(Object.getOwnPropertyNames(String.prototype));

export function proposeStub(request: Pick<RequestTrace, "method" | "url" | "echoed">, expected: ExpectedResult = {}): Stub {
  const { fields = [], binary = false } = request.echoed ?? {};
  const { status } = expected.reads ?? {};
  return {
    request: echoedRequest(request),
    ...defined({ status }),
    ...(status === 204 ? {} : { body: binary ? textOf(expected) : bodyOf(fields, expected) }),
  };
}

/** Returns a string for a response that the pack reads as bytes: sandbox.json has a string there. */
function textOf(expected: ExpectedResult): string {
  const sample = sampleResult(expected);
  return typeof sample === "string" ? sample : "sample";
}

function bodyOf(fields: readonly string[], expected: ExpectedResult): unknown {
  const sample = sampleResult(expected);
  const { body: reads } = expected.reads ?? {};
  if (reads === undefined) return bodyFor(fields, sample, expected.error);
  const body = sampleResponse(reads, sample, "");
  if (!isRecord(body)) return body;
  const otherFields = fields.filter((field) => !Object.hasOwn(reads.fields ?? {}, field) && !OF_LISTS.has(field) && !OF_TEXTS.has(field));
  return { ...Object.fromEntries(otherFields.map((field) => [field, sampleText(field)])), ...body };
}

/** Returns a sample of the result under the pack's own keys, or undefined if nothing is known of it. */
function sampleResult({ schema: rawSchema, examples = [], resultType, isTable }: ExpectedResult): unknown {
  const schema = asSchema(rawSchema);
  const whole: Schema | undefined = isTable && schema?.type === "object" ? { type: "array", items: schema } : schema;
  const sampleSchema = whole ?? (resultType === undefined || resultType === "object" ? undefined : { type: resultType });
  const sample = sampleSchema && sampleValue(sampleSchema, "");
  const [example] = examples.map(({ result }) => result).filter((result) => result !== undefined && result !== null);
  if (example === undefined) return sample;
  if (Array.isArray(example)) {
    const items = whole?.type === "array" ? asSchema(whole.items) : undefined;
    const item = Array.isArray(sample) ? sample[0] : undefined;
    return example.map((each) => filled(item, denormaliseRow(each, items)));
  }
  return filled(sample, denormaliseRow(example, whole));
}

/** Completes an example from the sample, since an example contains only what its author found worth showing. */
const filled = (sample: unknown, example: unknown): unknown =>
  isRecord(sample) && isRecord(example)
    ? { ...sample, ...Object.fromEntries(Object.entries(example).map(([key, value]) => [key, filled(sample[key], value)])) }
    : example;

function bodyFor(fields: readonly string[], sample: unknown, error = ""): unknown {
  if (fields.some((field) => OF_LISTS.has(field))) return asList(sample);
  const last = fields.at(-1);
  if (last === undefined) return sample ?? {};
  if (isRecord(sample) && fields.every((field) => Object.hasOwn(sample, field))) return sample;
  // V8's message: the pack read a property of the field, which was missing.
  const [, accessedProperty] = /Cannot read properties of (?:undefined|null) \(reading '([^']{1,100})'\)/.exec(error) ?? [];
  const otherEntries = fields.slice(0, -1).map((field) => [field, sampleText(field)] as const);
  if (accessedProperty !== undefined || / is not iterable/.test(error))
    return { ...Object.fromEntries(otherEntries), [last]: lookedInto(accessedProperty ?? "[Symbol.iterator]", sample, last) };
  if (Array.isArray(sample) || (!isRecord(sample) && sample !== undefined)) return { ...Object.fromEntries(otherEntries), [last]: sample };
  return { ...Object.fromEntries(fields.map((field) => [field, sampleText(field)])), ...(isRecord(sample) ? sample : {}) };
}

/** Returns a value for a field of which the pack read a property. */
function lookedInto(accessedProperty: string, sample: unknown, field: string): unknown {
  const isText = typeof sample === "string" || !OF_LISTS.has(accessedProperty);
  if (OF_TEXTS.has(accessedProperty) && isText) return typeof sample === "string" ? sample : sampleText(field);
  if (OF_LISTS.has(accessedProperty)) return asList(sample);
  return isRecord(sample) ? sample : { [accessedProperty]: sample ?? sampleText(accessedProperty) };
}

const asList = (sample: unknown): readonly unknown[] => (Array.isArray(sample) ? sample : isRecord(sample) ? [sample] : [{}]);
