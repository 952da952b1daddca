// A tool's JSON Schema as the fields of a form, and what they hold as its arguments.
import assert from "node:assert/strict";
import { toolArguments, toolParameters } from "../../../platform/mcp/tool-parameters.ts";
import { readEach } from "../../../platform/runs/parameters.ts";

/** Each field as `name?: kind of shape`. */
const fields = (inputSchema: Record<string, unknown>): readonly string[] =>
  toolParameters({ inputSchema }).parameters.map(
    ({ name, kind, shape, optional, choices }) =>
      `${name}${optional ? "?" : ""}: ${choices === undefined ? kind : choices.join("|")}${shape === "scalar" ? "" : "[]"}`,
  );

const object = (properties: Record<string, unknown>, more: object = {}) => ({ type: "object", properties, ...more });

describe("The form of a tool", () => {
  it("each argument has a field of its type", () => {
    const schema = object(
      {
        text: { type: "string" },
        count: { type: "integer" },
        part: { type: "number" },
        on: { type: "boolean" },
        state: { type: "string", enum: ["open", "closed"] },
        plain: { enum: ["a", "b"] },
        level: { type: "integer", enum: [1, 2] },
        tags: { type: "array", items: { type: "string" } },
        rows: { type: "array", items: { type: "object" } },
        filter: { type: "object", properties: { a: {} } },
        any: {},
        odd: { type: "constructor" },
      },
      { required: ["text", "tags"] },
    );
    assert.deepEqual(fields(schema), [
      "text: string",
      "count?: number",
      "part?: number",
      "on?: boolean",
      "state?: open|closed",
      "plain?: a|b",
      "level?: 1|2",
      "tags: string[]",
      "rows?: json",
      "filter?: json",
      "any?: json",
      "odd?: json",
    ]);
  });

  it("null and references in a schema are resolved", () => {
    const schema = object(
      {
        a: { anyOf: [{ type: "string" }, { type: "null" }] },
        b: { type: ["number", "null"] },
        c: { $ref: "#/$defs/State" },
        d: { anyOf: [{ $ref: "#/$defs/State" }, { type: "null" }] },
        e: { $ref: "#/$defs/Circle" },
        f: { type: "array", items: { $ref: "#/$defs/State" } },
        g: { type: ["string", "number"] },
        h: { $ref: "https://elsewhere.example/schema" },
      },
      { $defs: { State: { type: "string", enum: ["x"] }, Circle: { $ref: "#/$defs/Circle" } } },
    );
    assert.deepEqual(fields(schema), ["a?: string", "b?: number", "c?: x", "d?: x", "e?: json", "f?: string[]", "g?: json", "h?: json"]);
  });

  it("a schema without fields or with too many is one JSON field", () => {
    for (const schema of [
      { type: "object", anyOf: [object({ a: {} }), object({ b: {} })] },
      { type: "object", additionalProperties: { type: "string" } },
      object(Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, {}]))),
    ])
      assert.deepEqual(fields(schema), ["arguments: json"]);
    assert.deepEqual(fields({ type: "object" }), []);
    assert.deepEqual(fields({}), []);
  });

  it("a default is described, and suggested for a required argument", () => {
    const { parameters } = toolParameters({
      inputSchema: object(
        { size: { type: "integer", default: 10, description: "How many" }, page: { type: "integer", default: 1 } },
        { required: ["size"] },
      ),
    });
    assert.deepEqual(
      parameters.map(({ description, suggestedValue }) => [description, suggestedValue]),
      [
        ["How many", 10],
        ["Default: 1", undefined],
      ],
    );
  });

  it("filled fields become arguments under their names", () => {
    const form = toolParameters({
      inputSchema: object({
        n: { type: "integer" },
        list: { type: "array", items: { type: "number" } },
        o: { type: "object" },
        s: { type: "string" },
      }),
    });
    const read = readEach(["3", "1, 2", '{"a": [null]}', undefined], { name: "t", varargParameters: [], ...form }, "UTC");
    assert.deepEqual(
      toolArguments(
        form,
        read.map((each) => (each instanceof Error ? assert.fail(each) : each.value)),
      ),
      {
        n: 3,
        list: [1, 2],
        o: { a: [null] },
      },
    );
    const [misfit] = readEach(["{a"], { name: "t", varargParameters: [], parameters: form.parameters.slice(2) }, "UTC");
    assert.ok(misfit instanceof Error);
    assert.equal(misfit.message, "o must be JSON.");
    const whole = toolParameters({ inputSchema: { type: "object", additionalProperties: {} } });
    assert.deepEqual(toolArguments(whole, [{ any: 1 }]), { any: 1 });
  });
});
