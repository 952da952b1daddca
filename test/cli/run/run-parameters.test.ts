// What `pack-auth run` makes of parameters that are not given.
import assert from "node:assert/strict";
import { readRunCall } from "../../../cli/run/run-options.ts";
import { parametersOf } from "../../../cli/run/run-parameters.ts";
import type { ParameterDefinition } from "../../../protocol/definition.ts";

const parameter = (name: string, more: Partial<ParameterDefinition> = {}): ParameterDefinition => ({
  name,
  description: name,
  kind: "string",
  shape: "scalar",
  optional: false,
  hasAutocomplete: false,
  ...more,
});
const dayCount = parameter("days", { kind: "number", suggestedValue: 30 });
const since = { optional: true, suggestedValue: "soon" };

describe("parameters that are not given", () => {
  function read(parameters: readonly ParameterDefinition[], typedWords: readonly string[], changesData = false) {
    const call = readRunCall(["pack.ts", "Send", ...typedWords]);
    assert.ok(call);
    return parametersOf(call, { name: "Send", parameters, varargParameters: [] }, { changesData });
  }

  it("are what the pack suggests where they are required, by their places and by their names", () => {
    assert.deepEqual(read([parameter("to"), dayCount], ["a@acme.example"]), ["a@acme.example", 30]);
    assert.deepEqual(read([dayCount, parameter("to")], ["--params", '{"to": "b"}']), [30, "b"]);
    assert.deepEqual(read([dayCount], ["--params", "[7]"]), [7]);
    assert.deepEqual(read([parameter("list", { shape: "array", suggestedValue: ["a", "b"] })], []), [["a", "b"]]);
  });

  it("are left out where they are optional, and wanted where nothing is suggested", () => {
    assert.deepEqual(read([parameter("since", since)], []), []);
    assert.throws(() => read([parameter("to"), dayCount], []), { code: "invalid-parameter", field: "to" });
  });

  it("are wanted where the run changes data of a real account, and taken in the sandbox", () => {
    assert.throws(() => read([dayCount], [], true), { code: "invalid-parameter", hint: "days is a number. The pack suggests 30." });
    assert.deepEqual(read([dayCount], ["--sandbox"], true), [30]);
  });
});
