// The panel's form and the command line read parameters alike: what one takes the other takes, and they refuse in the same words.
import assert from "node:assert/strict";
import { readForm } from "../../client/panel/read-form.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { readParameters, type TakesParameters } from "../../platform/runs/parameters.ts";
import { parameter } from "../support/panel-messages.ts";

const takes = (more: Parameters<typeof parameter>[1], repeats = false): TakesParameters => {
  const one = [parameter("p", more)];
  return { name: "F", parameters: repeats ? [] : one, varargParameters: repeats ? one : [] };
};

const CASES: readonly (readonly [runnable: TakesParameters, text: string])[] = [
  [takes({}), "text"],
  [takes({}), ""],
  [takes({}), " "],
  [takes({ optional: true }), ""],
  [takes({ kind: "number" }), " 1e3 "],
  [takes({ kind: "number" }), "many"],
  [takes({ kind: "number" }, true), "many"],
  [takes({ kind: "boolean" }), "TRUE"],
  [takes({ kind: "boolean" }), "yes"],
  [takes({ kind: "date" }), "2026-12-01"],
  [takes({ kind: "date" }), "12/1/2026, 10:04 PM"],
  [takes({ kind: "date" }), "1st of December"],
  [takes({ kind: "date" }), "Dec 1st 2026"],
  [takes({ kind: "date" }), "2026-02-30"],
  [takes({ kind: "date" }), "20261201"],
  [takes({ kind: "date" }), "2026-12-01 10:00 +02:00"],
  [takes({ kind: "date", shape: "array" }), "last_30_days"],
  [takes({ kind: "date", shape: "array" }), "last_thirty_days"],
  [takes({ kind: "number", shape: "array" }), "1,,2"],
  [takes({ kind: "number", shape: "sparseArray" }), "1,,2"],
  [takes({ shape: "array" }), "[1"],
  [takes({ shape: "array" }), ""],
];

describe("the panel's form", () => {
  for (const [runnable, text] of CASES) {
    const [{ kind, shape } = parameter("none")] = [...runnable.parameters, ...runnable.varargParameters];
    it(`reads ${JSON.stringify(text)} as ${shape} ${kind} as the command line does`, () => {
      const { parameters, problems } = readForm([{ key: "field", text }], runnable, "Europe/Lisbon");
      const [said] = Object.values(problems);
      // Who leaves a parameter out on the command line types nothing.
      const typed = text === "" ? undefined : text;
      try {
        assert.deepEqual(parameters, readParameters([typed], runnable, "Europe/Lisbon"));
        assert.equal(said, undefined);
      } catch (error) {
        if (!(error instanceof PackAuthError)) throw error;
        assert.equal(said, [error.message, error.hint].filter(Boolean).join(" "));
      }
    });
  }

  it("refuses an empty text where one is required, and says everything that is wrong at once", () => {
    const runnable = { name: "F", parameters: [parameter("a"), parameter("b"), parameter("n", { kind: "number" })], varargParameters: [] };
    const fields = [
      { key: "a", text: "" },
      { key: "b", text: "given" },
      { key: "n", text: "many" },
    ];
    assert.deepEqual(readForm(fields, runnable), {
      parameters: [undefined, "given", undefined],
      problems: { a: "F needs a value for a. a is a string.", n: "n must be a number." },
    });
  });

  it("reads nothing for what the pack has no more", () =>
    assert.deepEqual(readForm([{ key: "a", text: "given" }], undefined), { parameters: [], problems: {} }));
});
