// Parameter values on their way into a pack: texts read by kind, values checked, and a message that names what does not fit.
import assert from "node:assert/strict";
import { z } from "zod";
import { checkParameters, type ParameterizedDefinition, readParameters } from "../../../platform/runs/parameters.ts";
import type { ParameterDefinition, ParameterKind } from "../../../protocol/definition.ts";
import { eachCase, pattern } from "../../support/json-cases.ts";

const parameter = (name: string, kind: ParameterKind, more: Partial<ParameterDefinition> = {}): ParameterDefinition => ({
  name,
  description: "",
  kind,
  shape: "scalar",
  optional: false,
  hasAutocomplete: false,
  ...more,
});
const runnableWith = (
  parameters: readonly ParameterDefinition[],
  varargParameters: readonly ParameterDefinition[] = [],
): ParameterizedDefinition => ({
  name: "Formula",
  parameters,
  varargParameters,
});
const optional = { optional: true };

const definition = z
  .looseObject({ name: z.string(), kind: z.custom<ParameterKind>() })
  .transform(({ name, kind, ...more }) => parameter(name, kind, more));
const textCase = z.strictObject({ parameter: definition, text: z.string(), value: z.unknown().optional() });
const refusedCase = z.strictObject({
  parameters: z.array(definition),
  varargs: z.array(definition).default([]),
  texts: z.array(z.string()),
  message: pattern,
});

describe("Parameters", () => {
  eachCase("runs/cases/parameter-texts.json", textCase, ({ parameter: definition, text, value }) => {
    it(`${JSON.stringify(text)} is read as ${definition.shape} ${definition.kind}`, () => {
      assert.deepEqual(readParameters([text], runnableWith([definition]), "UTC"), [value]);
    });
  });

  eachCase("runs/cases/parameters-refused.json", refusedCase, ({ parameters, varargs, texts, message }) => {
    it(`${JSON.stringify(texts)} is refused: ${message.source}`, () => {
      assert.throws(() => readParameters(texts, runnableWith(parameters, varargs), "UTC"), { code: "invalid-parameter", message });
    });
  });

  it("varargs repeat as a group", () => {
    const runnable = runnableWith([parameter("a", "string")], [parameter("key", "string"), parameter("n", "number")]);
    assert.deepEqual(readParameters(["x", "one", "1", "two", "2"], runnable, "UTC"), ["x", "one", 1, "two", 2]);
  });

  it("a missing value is reported with the pack's suggestion", () => {
    assert.throws(() => readParameters([], runnableWith([parameter("days", "number", { suggestedValue: 30 })]), "UTC"), {
      hint: "days is a number. The pack suggests 30.",
    });
  });

  it("an incomplete group of varargs is refused", () => {
    const runnable = runnableWith([parameter("a", "string")], [parameter("key", "string"), parameter("n", "number")]);
    for (const texts of [
      ["x", "one"],
      ["x", "one", ""],
      ["x", "one", "1", "two"],
      ["x", undefined, "1"],
    ])
      assert.throws(
        () => readParameters(texts, runnable, "UTC"),
        (error: { message: string; hint?: string; field?: string }) => {
          const missing = texts[1] === undefined ? "key" : "n";
          assert.match(error.message, new RegExp(`Formula needs a value for ${missing}`));
          assert.match(error.hint ?? "", /key, n belong together/);
          return error.field === missing;
        },
        JSON.stringify(texts),
      );
  });

  it("an empty text fills a required parameter, a missing one is refused", () => {
    const runnable = runnableWith([parameter("a", "string")]);
    assert.deepEqual(readParameters([""], runnable, "UTC"), [""]);
    assert.throws(() => readParameters([undefined], runnable, "UTC"), { code: "invalid-parameter", message: /needs a value for a/ });
  });

  it("dates without a zone are in the document's time zone", () => {
    const runnable = runnableWith([parameter("day", "date")], [parameter("days", "date", { shape: "sparseArray" })]);
    const zone = "America/Los_Angeles";
    assert.deepEqual(readParameters(["2026-12-01", "2026-07-01,,2026-12-01T00:00Z"], runnable, zone), [
      { $date: "2026-12-01T08:00:00.000Z" },
      [{ $date: "2026-07-01T07:00:00.000Z" }, null, { $date: "2026-12-01T00:00:00.000Z" }],
    ]);
    assert.deepEqual(checkParameters([{ $date: "2026-12-01" }], runnable, zone), [{ $date: "2026-12-01T08:00:00.000Z" }]);
  });

  it("JSON values are checked against their types", () => {
    const runnable = runnableWith([
      parameter("n", "number"),
      parameter("day", "date", optional),
      parameter("ids", "string", { shape: "sparseArray", optional: true }),
    ]);
    assert.deepEqual(checkParameters([1, null, ["a", null]], runnable, "UTC"), [1, null, ["a", null]]);
    for (const values of [["1"], [1, "2026-12-01"], [1, { $date: "never" }], [1, null, "a"], [1, null, [2]], [null], [{}], [[1]]])
      assert.throws(() => checkParameters(values, runnable, "UTC"), { code: "invalid-parameter" }, JSON.stringify(values));
  });
});
