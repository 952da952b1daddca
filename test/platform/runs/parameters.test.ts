// Parameter values on their way into a pack: texts read by kind, values checked, and a message that names what does not fit.
import assert from "node:assert/strict";
import { checkParameters, type ParameterizedDefinition, readParameters } from "../../../platform/runs/parameters.ts";
import type { ParameterDefinition, ParameterKind } from "../../../protocol/definition.ts";

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

describe("Parameters", () => {
  const read: readonly (readonly [ParameterDefinition, string, unknown])[] = [
    [parameter("p", "string"), " as typed ", " as typed "],
    [parameter("p", "string"), "", ""],
    [parameter("p", "string", optional), "", undefined],
    [parameter("p", "number"), " 1e3 ", 1000],
    [parameter("p", "number"), "-0.5", -0.5],
    [parameter("p", "number", optional), " ", undefined],
    [parameter("p", "boolean"), "TRUE", true],
    [parameter("p", "boolean"), "false", false],
    [parameter("p", "date"), "2026-12-01", { $date: "2026-12-01T00:00:00.000Z" }],
    [parameter("p", "date"), "2026-12-01T10:00:00+02:00", { $date: "2026-12-01T08:00:00.000Z" }],
    [parameter("p", "html"), "<b>x</b>", "<b>x</b>"],
    [parameter("p", "string", { shape: "array" }), "a, b ,c", ["a", "b", "c"]],
    [parameter("p", "string", { shape: "array" }), '["a, b", "c"]', ["a, b", "c"]],
    [parameter("p", "string", { shape: "array" }), "", []],
    [parameter("p", "number", { shape: "array" }), "1,2", [1, 2]],
    [parameter("p", "number", { shape: "array" }), "[1, 2]", [1, 2]],
    [parameter("p", "number", { shape: "sparseArray" }), "1,,2", [1, null, 2]],
    [parameter("p", "number", { shape: "sparseArray" }), "[1, null]", [1, null]],
    [parameter("p", "boolean", { shape: "array" }), "true,false", [true, false]],
    [parameter("p", "date", { shape: "array" }), "2026-12-01", [{ $date: "2026-12-01T00:00:00.000Z" }]],
    [parameter("p", "unknown"), "x", "x"],
  ];
  for (const [definition, text, value] of read) {
    it(`${JSON.stringify(text)} is read as ${definition.shape} ${definition.kind}`, () => {
      assert.deepEqual(readParameters([text], runnableWith([definition]), "UTC"), [value]);
    });
  }

  const refusedCases: readonly (readonly [ParameterizedDefinition, readonly string[], RegExp])[] = [
    [runnableWith([parameter("count", "number")]), ["many"], /count must be a number/],
    [runnableWith([parameter("count", "number")]), [" "], /Formula needs a value for count/],
    [runnableWith([parameter("count", "number")]), ["Infinity"], /count must be a number/],
    [runnableWith([parameter("count", "number")]), [], /needs a value for count/],
    [runnableWith([parameter("on", "boolean")]), ["yes"], /on must be true or false/],
    [runnableWith([parameter("day", "date")]), ["tomorrow"], /day must be a date such as/],
    [runnableWith([parameter("ids", "number", { shape: "array" })]), ["1,,2"], /ids must be an array of numbers without empty values/],
    [runnableWith([parameter("ids", "number", { shape: "array" })]), ["[1"], /ids must be an array of numbers/],
    [
      runnableWith([parameter("ids", "number", { shape: "array" })]),
      ['["x"]'],
      /ids must be an array of numbers without empty values: item 1 does not fit/,
    ],
    [runnableWith([parameter("ids", "number", { shape: "array" })]), ["1, 2, x"], /item 3 does not fit/],
    [runnableWith([parameter("names", "string", { shape: "array" })]), ["[1]"], /names must be an array of strings/],
    [runnableWith([parameter("a", "string")]), ["1", "2"], /takes 1 parameter, and got 2/],
    [runnableWith([]), ["1"], /takes 0 parameters/],
    [runnableWith([parameter("a", "string")], [parameter("n", "number")]), ["x", "1", "y"], /n must be a number/],
  ];
  for (const [runnable, texts, message] of refusedCases) {
    it(`${JSON.stringify(texts)} is refused: ${message.source}`, () => {
      assert.throws(() => readParameters(texts, runnable, "UTC"), { code: "invalid-parameter", message });
    });
  }

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
