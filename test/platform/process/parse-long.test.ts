// JSON that is parsed in slices gives what JSON.parse gives of it, or nothing where it gives nothing.
import assert from "node:assert/strict";
import fc from "fast-check";
import { AT_ONCE, parseLong } from "../../../platform/process/parse-long.ts";
import { RUNS } from "../../support/runs.ts";

async function agrees(json: string): Promise<void> {
  let expected: unknown;
  try {
    expected = JSON.parse(json);
  } catch {
    await assert.rejects(parseLong(json), SyntaxError, json.slice(0, 200));
    return;
  }
  const actual = await parseLong(json);
  assert.deepEqual(actual, expected);
  // The order of members too.
  assert.ok(JSON.stringify(actual) === JSON.stringify(expected));
}

describe("Long JSON parsed in pieces", () => {
  const long = "x".repeat(AT_ONCE + 1);
  const many = Array.from({ length: 20_000 }, (_, index) => index);
  const CASES: Readonly<Record<string, unknown>> = {
    "a list of many": many,
    "a list with long members among short ones": [1, "a", long, [], {}, { a: long }, null, "]", '"', "\\", long],
    "an object of many": Object.fromEntries(many.map((id) => [`key ${id}`, { id, text: `"],}${id}\\` }])),
    "an object with long members": { a: 1, '"b":{': many, "": { "": long }, c: "}" },
    "names like numbers": { b: long, 2: 1, 1: long, a: { 9: long, 8: 1 } },
    "objects in each other": { a: { a: { a: { a: { a: { a: { a: { a: many } } } } } } } },
    "one string": long,
    "lists in each other": Array.from({ length: 50 }).reduce<unknown>((inner) => [inner, 1], many),
  };
  for (const [name, value] of Object.entries(CASES)) it(`${name} parses like JSON.parse`, () => agrees(JSON.stringify(value)));
  it("a repeated name and __proto__ parse like JSON.parse", async () => {
    await agrees(`{"a":"${long}","b":1,"a":2,"__proto__":${JSON.stringify(many)},"__proto__":[${many}]}`);
    await agrees(`{"__proto__":1,"a":"${long}"}`);
  });
  it("invalid JSON fails like JSON.parse", async () => {
    const list = String(many);
    for (const json of [`[${list},]`, `[,${list}]`, `[${list}`, `${list}]`, `[${list}]]`, `[${list}],[1]`, `[1],[${list}]`, `[${list}}`])
      await agrees(json);
    for (const json of [`{"a":[${list}],}`, `{"a"[${list}]}`, `{[${list}]}`, `{"a":1:[${list}]}`, `{a:[${list}]}`, `{"a":[${list}]]}`])
      await agrees(json);
    for (const json of [`["${long}]`, `{"a":"${long}}`, `\u00a0[${list}]`, `[${list}]\u00a0`, `{"a" x:[${list}]}`, `[\u00a0,${list}]`])
      await agrees(json);
  });
  it("any value around long ones, whole or with one character changed, parses like JSON.parse", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 6 }), fc.nat(), fc.constantFrom(...'[]{},:"\\ x'), async (values, at, by) => {
        const json = JSON.stringify(values.flatMap((value) => [value, { long, value, [long]: [value] }]));
        await agrees(json);
        // Not within the long strings, where nothing is told by a change.
        const places = [...json.matchAll(/[^x]/g)].map(({ index }) => index);
        const place = places[at % places.length] ?? 0;
        await agrees(json.slice(0, place) + by + json.slice(place + 1));
      }),
      { numRuns: Math.min(RUNS, 40) },
    );
  });
});
