// What a run makes of parameters that are missing.
import assert from "node:assert/strict";
import { parametersOf } from "../../../operations/run/parameters.ts";
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

describe("omitted parameters", () => {
  function read(parameters: readonly ParameterDefinition[], values: readonly string[] | object, changesData = false, isSandbox = false) {
    const request = { target: "Send", timezone: "UTC", ...(Array.isArray(values) ? { words: values } : { words: [], parameters: values }) };
    const runnable = { name: "Send", parameters, varargParameters: [] };
    return parametersOf(request, runnable, { changesData, isSandbox, note: () => {} });
  }

  it("required parameters get the pack's suggestions, by position and by name", () => {
    assert.deepEqual(read([parameter("to"), dayCount], ["a@acme.example"]), ["a@acme.example", 30]);
    assert.deepEqual(read([dayCount, parameter("to")], { to: "b" }), [30, "b"]);
    assert.deepEqual(read([dayCount], { days: 7 }), [7]);
    assert.deepEqual(read([parameter("list", { shape: "array", suggestedValue: ["a", "b"] })], []), [["a", "b"]]);
  });

  it("optional parameters are left out, and required ones without a suggestion are requested", () => {
    assert.deepEqual(read([parameter("since", since)], []), []);
    assert.throws(() => read([parameter("to"), dayCount], []), { code: "invalid-parameter", field: "to" });
  });

  it("suggestions are not used for changes of a real account's data, only in the sandbox", () => {
    assert.throws(() => read([dayCount], [], true), { code: "invalid-parameter", hint: "days is a number. The pack suggests 30." });
    assert.deepEqual(read([dayCount], [], true, true), [30]);
  });
});
