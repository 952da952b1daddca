// The shape of JSON values, and what is a difference of two shapes.
import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { compareShapes, createShape, type Shape, shapeOf } from "../../../platform/recordings/shape.ts";
import { readTable } from "../../support/json-cases.ts";
import { processorTime } from "../../support/processor-time.ts";

const compare = (recorded: unknown, now: unknown) => compareShapes(shapeOf(recorded), shapeOf(now)).differences;

/** A text that occurs nowhere else. */
const UNIQUE = fc.uuid().map((text) => `value-${text}`);
const NAME = fc.constantFrom("id", "name", "title", "createdAt", "tags", "owner", "e_mail", "isDone", "__proto__", "constructor");
/** Values with names of fields, and with names that are values. */
const { value: VALUE } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(UNIQUE, fc.integer({ min: 100_000 }), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof({ weight: 4, arbitrary: NAME }, { weight: 1, arbitrary: UNIQUE }), tie("value"), {
      maxKeys: 5,
      noNullPrototype: true,
    }),
  ),
}));

/** Replaces each value by another of its type. */
function otherValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(otherValues);
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, otherValues(each)]));
  return typeof value === "string" ? `${value}!` : typeof value === "number" ? value + 1 : typeof value === "boolean" ? !value : value;
}

const value = z.unknown();
const SHAPES = readTable(
  "recordings/cases/shapes.json",
  z.strictObject({
    differences: z.array(z.strictObject({ item: value, difference: value })),
    equal: z.array(value),
    compared: z.array(z.strictObject({ now: value, compared: z.int() })),
    maps: z.array(z.strictObject({ recorded: value, now: value, lost: z.string() })),
    fields: z.array(z.strictObject({ recorded: value, now: value })),
  }),
);

describe("Shapes", () => {
  it("values of equal shape have no difference, and a value has none from itself", () => {
    fc.assert(
      fc.property(VALUE, (value) => {
        assert.deepEqual(compare(value, value), []);
        assert.deepEqual(shapeOf(otherValues(value)), shapeOf(value));
      }),
    );
  });

  it("no value of either side is in the differences, nor a name that is a value", () => {
    fc.assert(
      fc.property(VALUE, VALUE, (one, other) => {
        const text = JSON.stringify(compare(one, other));
        assert.doesNotMatch(text, /value-|\d{5}/);
      }),
    );
  });

  it("a lost, a renamed and another type are found at their place", () => {
    const recorded = { items: [{ id: 1, user_name: "a", due: "2026-01-01", done: false, owner: { mail: "x" } }] };
    for (const { item, difference } of SHAPES.differences) assert.deepEqual(compare(recorded, { items: [item] }), [difference]);
    assert.deepEqual(compare(recorded, recorded.items), [{ kind: "type", at: "", type: "object", now: "list" }]);
  });

  it("a new field, null, an empty list or object, and a field of some items are no differences", () => {
    const recorded = { list: [{ id: 1, note: "a" }, { id: 2 }], owner: { id: 1 } };
    for (const now of SHAPES.equal) assert.deepEqual(compare(recorded, now), []);
    assert.deepEqual(compare({ a: null }, { a: "x" }), []);
    assert.deepEqual(compare({ a: null }, { b: 1 }), [{ kind: "lost", at: "/a", type: "null" }]);
  });

  it("places without a counterpart are not counted as compared", () => {
    for (const { now, compared } of SHAPES.compared) {
      const comparison = compareShapes(shapeOf({ items: [{ id: 1, name: "a" }] }), shapeOf(now));
      assert.deepEqual([comparison.places, comparison.compared], [5, compared]);
    }
  });

  it("other keys of a map are no differences, and are not named", () => {
    assert.deepEqual(compare({ "ann@x.example": { id: 1 } }, { "bob@x.example": { id: 1 } }), []);
    assert.deepEqual(compare({ "2026-01-01": { open: 1 } }, { "2026-01-02": { close: 1 } }), [
      { kind: "renamed", at: "/*/open", type: "number", to: "close" },
    ]);
  });

  it("a lost name of an object that may be a map is undecided", () => {
    for (const { recorded, now, lost } of SHAPES.maps) {
      const [first, ...more] = compare({ rates: recorded }, { rates: now });
      assert.deepEqual([first?.kind, first?.at, more], ["undecided", `/rates/${lost}`, []]);
    }
  });

  it("a lost name is a lost field if values differ in type or shape, if it is alone, or if several objects have it", () => {
    for (const { recorded, now } of SHAPES.fields)
      assert.match(
        compare(recorded, now)
          .map(({ kind }) => kind)
          .join(),
        /^(lost|renamed)$/,
        JSON.stringify(recorded),
      );
    assert.deepEqual(compare({ user_name: "a", bio: "x" }, { userName: "a", bio: "x" }), [
      { kind: "renamed", at: "/user_name", type: "string", to: "userName" },
    ]);
  });

  it("the fields of all pages count together", () => {
    const shapeOfPages = (...pages: readonly unknown[]): Shape => {
      const { shape, add } = createShape();
      for (const page of pages) add(page);
      return shape;
    };
    const recorded = shapeOfPages({ items: [], next: "x" }, { items: [] });
    assert.deepEqual(compareShapes(recorded, shapeOfPages({ items: [] })).differences, []);
  });

  it("a value that is too deep or too wide is cut, in little time, and what is cut is not lost", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 5_000; level++) deep = level % 2 === 0 ? [deep] : { a: deep };
    const wide = Object.fromEntries(
      Array.from({ length: 40_000 }, (_, index) => [
        `f${"abcdefghij"[index % 10]}x${index.toString(36).replaceAll(/\d/g, (digit) => "KLMNOPQRST"[Number(digit)] ?? "")}`,
        index,
      ]),
    );
    const startedAt = processorTime();
    assert.deepEqual(compare(deep, deep), []);
    assert.deepEqual(compare({ ...wide, last: 1 }, wide), []);
    assert.ok(compare(wide, { other: 1 }).length <= 20_000);
    assert.ok(processorTime() - startedAt < 10_000);
  });
});
