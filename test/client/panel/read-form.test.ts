// The panel's form and the command line read parameters alike: what one takes the other takes, and they refuse in the same words.
import assert from "node:assert/strict";
import { z } from "zod";
import { readForm } from "../../../client/panel/read-form.ts";
import { PackAuthError } from "../../../platform/errors.ts";
import { type ParameterizedDefinition, readParameters } from "../../../platform/runs/parameters.ts";
import { readTable } from "../../support/json-cases.ts";
import { parameter } from "../../support/panel-messages.ts";

const runnableWith = (more: Parameters<typeof parameter>[1], repeats = false): ParameterizedDefinition => {
  const one = [parameter("p", more)];
  return { name: "F", parameters: repeats ? [] : one, varargParameters: repeats ? one : [] };
};

const CASES = readTable(
  "test/client/panel/cases/read-form.json",
  z.array(z.tuple([z.custom<Parameters<typeof parameter>[1]>(), z.string(), z.literal("repeats").optional()])),
);

describe("the panel's form", () => {
  for (const [more, text, repeats] of CASES) {
    const runnable = runnableWith(more, repeats !== undefined);
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
