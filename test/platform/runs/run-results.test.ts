// What a formula's result becomes: the schema's names, warnings where it is not what the pack says of it, and errors as what they are.
import assert from "node:assert/strict";
import { formula, ITEM_SCHEMA, RUN_PACK, runsOfSuite, value } from "../../support/run-pack.ts";

const SOURCE = `${RUN_PACK}${ITEM_SCHEMA}
formula("Item", async () => ({ item_id: 7, name: "Seven", homepage: "https://x.com", extra: 1, parts: [{ part_no: "a", weight: 2 }] }), { resultType: coda.ValueType.Object, schema: Item });
formula("Misfit", async () => ({ item_id: "seven", homepage: "http://x.com" }), { resultType: coda.ValueType.Object, schema: Item });
formula("Empty", async () => ({ item_id: null, name: "", parts: [null, { part_no: "a" }] }), { resultType: coda.ValueType.Object, schema: coda.makeObjectSchema({ ...Item, idProperty: "displayName" } as any) });
formula("Listed", async () => [{ item_id: 1 }], { resultType: coda.ValueType.Object, schema: Item });
formula("Unlisted", async () => "one", { resultType: coda.ValueType.Array, items: { type: coda.ValueType.String } });
formula("Moment", async () => new Date(0));
formula("Moments", async () => Array.from({ length: 450 }, (_, index) => ({ name: "n", homepage: index === 449 ? new Date(0) : "https://x.com" })), { resultType: coda.ValueType.Array, items: Item });
formula("Lost", async () => [Promise.resolve(1), new Map([["a", 1]]), { tags: new Set(["a"]) }, Promise.resolve(2), "kept"], { resultType: coda.ValueType.Array, items: { type: coda.ValueType.String } });
formula("ThrowsObject", async () => { throw { code: 5 }; });
formula("ThrowsNull", async () => { throw null; });
formula("ThrowsCause", async () => { throw new TypeError("outer", { cause: new RangeError("inner") } as any); });
formula("Number", async () => 5);
formula("Nothing", async () => undefined);

formula("Chooses", async () => "", { parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "odd", description: "", autocomplete: (async () => ["a", 5, { display: "A", value: "a" }, { value: "a" }, null, { display: "A", value: {} }]) as any }),
  coda.makeParameter({ type: coda.ParameterType.String, name: "none", description: "", autocomplete: (async () => "a") as any })] });
`;

describe("The result of a formula", function () {
  this.timeout(30_000);
  const { go } = runsOfSuite(SOURCE);

  describe("Results", () => {
    it("a result has the schema's names and no unknown properties", async () => {
      const report = await go(formula("Item"));
      assert.deepEqual(value(report), { Id: 7, DisplayName: "Seven", Homepage: "https://x.com", Parts: [{ PartNumber: "a" }] });
      assert.equal(report.warnings, undefined);
      assert.deepEqual(Object.keys((report.schema as { properties: object }).properties), ["Id", "DisplayName", "Homepage", "Parts"]);
    });
    it("a result that differs from the schema or type gets a warning with its path", async () => {
      const warnings = async (name: string) => (await go(formula(name))).warnings?.map(({ path, message }) => `${path}: ${message}`);
      assert.deepEqual(await warnings("Misfit"), [
        'Id: The value must be number, as the schema says. It is "seven".',
        'Homepage: url needs an https or data URL, and the value is "http://x.com".',
      ]);
      assert.deepEqual(await warnings("Number"), [": The formula must return string, its result type. It returned 5."]);
      assert.deepEqual(await warnings("Nothing"), [
        ": The formula returned no value (undefined, null, NaN, Infinity, a function or a symbol), and its result type is string.",
      ]);
      assert.deepEqual(await warnings("Empty"), [
        "DisplayName: It identifies the object, and is empty.",
        "Id: The schema requires a value here, and it is missing.",
      ]);
      assert.deepEqual(await warnings("Listed"), [": The formula must return object, its result type. It returned an array of 1."]);
      assert.deepEqual(await warnings("Unlisted"), [': The formula must return array, its result type. It returned "one".']);
    });
    it("null in place of an object becomes an empty object, as on the platform", async () => {
      assert.deepEqual(value(await go(formula("Empty"))), { Id: null, DisplayName: "", Parts: [{}, { PartNumber: "a" }] });
    });
    it("a Date in a result gets a warning with its path", async () => {
      const moment = await go(formula("Moment"));
      assert.equal(value(moment), "1970-01-01T00:00:00.000Z");
      assert.match(
        moment.warnings?.[0]?.message ?? "",
        /^Return date\.toISOString\(\) or .* There is no type for Date objects in the result type\.$/,
      );
      const { warnings = [] } = await go(formula("Moments"));
      assert.deepEqual(
        warnings.filter(({ message }) => message.startsWith("Return date.")).map(({ path }) => path),
        ["[449].homepage"],
      );
    });
    it("a promise, Map or Set in a result gets a warning with its path", async () => {
      const report = await go(formula("Lost"));
      assert.deepEqual((value(report) as unknown[]).slice(-1), ["kept"]);
      const lostWarnings = (report.warnings ?? []).filter(({ message }) => message.includes("lost otherwise"));
      assert.deepEqual(
        lostWarnings.map(({ path, message }) => [path, message.split(" here")[0], /\((\d) times\)/.exec(message)?.[1]]),
        [
          ["[0]", "Await the promise", "2"],
          ["[1]", "Return Object.fromEntries(map) or [...set]", undefined],
          ["[2].tags", "Return Object.fromEntries(map) or [...set]", undefined],
        ],
      );
      assert.deepEqual(
        (await go(formula("Nothing"))).warnings?.map(({ path }) => path),
        [""],
      );
    });
    it("a thrown value is described with its cause", async () => {
      const error = async (name: string) => {
        const { outcome } = await go(formula(name));
        assert.ok(outcome.status === "failed");
        return `${outcome.error.code}: ${outcome.error.message}`;
      };
      assert.equal(await error("ThrowsObject"), "Error: The pack threw { code: 5 }, which is no Error.");
      assert.equal(await error("ThrowsNull"), "Error: The pack threw null, which is no Error.");
      assert.equal(await error("ThrowsCause"), "TypeError: outer (caused by RangeError: inner)");
    });
  });

  it("choices that cannot be shown get a warning", async () => {
    const warnings = async (parameter: string) =>
      (await go({ kind: "autocomplete", formula: "Chooses", parameter, search: "" })).warnings?.map(
        ({ path, message }) => `${path} ${message.split(" ", 2).join(" ")}`,
      );
    assert.deepEqual(await warnings("odd"), ["[3] A choice", "[4] A choice", "[5] A choice"]);
    assert.deepEqual(await warnings("none"), [" Return an"]);
  });
});
