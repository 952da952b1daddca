// The panel's form and the command line read parameters alike: what one takes the other takes, and they refuse in the same words.
import assert from "node:assert/strict";
import { readForm } from "../../../client/panel/read-form.ts";
import { PackAuthError } from "../../../platform/errors.ts";
import { type ParameterizedDefinition, readParameters } from "../../../platform/runs/parameters.ts";
import { parameter } from "../../support/panel-messages.ts";

const runnableWith = (more: Parameters<typeof parameter>[1], repeats = false): ParameterizedDefinition => {
  const one = [parameter("p", more)];
  return { name: "F", parameters: repeats ? [] : one, varargParameters: repeats ? one : [] };
};

const CASES: readonly (readonly [runnable: ParameterizedDefinition, text: string])[] = [
  [runnableWith({}), "text"],
  [runnableWith({}), ""],
  [runnableWith({}), " "],
  [runnableWith({ optional: true }), ""],
  [runnableWith({ kind: "number" }), " 1e3 "],
  [runnableWith({ kind: "number" }), "many"],
  [runnableWith({ kind: "number" }, true), "many"],
  [runnableWith({ kind: "boolean" }), "TRUE"],
  [runnableWith({ kind: "boolean" }), "yes"],
  [runnableWith({ kind: "date" }), "2026-12-01"],
  [runnableWith({ kind: "date" }), "12/1/2026, 10:04 PM"],
  [runnableWith({ kind: "date" }), "1st of December"],
  [runnableWith({ kind: "date" }), "Dec 1st 2026"],
  [runnableWith({ kind: "date" }), "2026-02-30"],
  [runnableWith({ kind: "date" }), "20261201"],
  [runnableWith({ kind: "date" }), "2026-12-01 10:00 +02:00"],
  [runnableWith({ kind: "date", shape: "array" }), "last_30_days"],
  [runnableWith({ kind: "date", shape: "array" }), "last_thirty_days"],
  [runnableWith({ kind: "number", shape: "array" }), "1,,2"],
  [runnableWith({ kind: "number", shape: "sparseArray" }), "1,,2"],
  [runnableWith({ shape: "array" }), "[1"],
  [runnableWith({ shape: "array" }), ""],
];

describe("the panel's form", () => {
  for (const [runnable, text] of CASES) {
    const [{ kind, shape } = parameter("none")] = [...runnable.parameters, ...runnable.varargParameters];
    it(`${JSON.stringify(text)} is read as ${shape} ${kind}, as on the command line`, () => {
      const { parameters, problems } = readForm([{ key: "field", text }], runnable, "Europe/Lisbon");
      const [problem] = Object.values(problems);
      // Who leaves a parameter out on the command line types nothing.
      const typed = text === "" ? undefined : text;
      try {
        assert.deepEqual(parameters, readParameters([typed], runnable, "Europe/Lisbon"));
        assert.equal(problem, undefined);
      } catch (error) {
        if (!(error instanceof PackAuthError)) throw error;
        assert.equal(problem, [error.message, error.hint].filter(Boolean).join(" "));
      }
    });
  }

  it("an empty required text is refused, and all problems are reported at once", () => {
    const runnable = { name: "F", parameters: [parameter("a"), parameter("b"), parameter("n", { kind: "number" })], varargParameters: [] };
    const fields = [
      { key: "a", text: "" },
      { key: "b", text: "given" },
      { key: "n", text: "many" },
    ];
    assert.deepEqual(readForm(fields, runnable, "UTC"), {
      parameters: [undefined, "given", undefined],
      problems: { a: "F needs a value for a. a is a string.", n: "n must be a number." },
    });
  });

  it("fields that the pack no longer has are not read", () =>
    assert.deepEqual(readForm([{ key: "a", text: "given" }], undefined, "UTC"), { parameters: [], problems: {} }));
});
