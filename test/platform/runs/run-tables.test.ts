// What a sync table has beside its rows: edits that are written back, options of its properties, its say on parameters, what is new since
// the last sync, and the parameters in the functions that make its schema.
import assert from "node:assert/strict";
import { createFetchCache } from "../../../platform/requests/fetch-cache.ts";
import { readRowUpdates } from "../../../platform/runs/row-updates.ts";
import type { RunReport, RunTarget } from "../../../protocol/run.ts";
import { failure, runsOfSuite, value } from "../../support/run-pack.ts";

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
const { None } = coda.ConnectionRequirement;
const text = (more = {}) => ({ type: coda.ValueType.String, ...more });
const choice = (options: any, more = {}) => text({ codaType: coda.ValueHintType.SelectList, mutable: true, options, ...more });
const string = (name: string, more = {}) => coda.makeParameter({ type: coda.ParameterType.String, name, description: name, ...more } as any);
const Shirt = coda.makeObjectSchema({
  properties: {
    id: text(), name: text({ fromKey: "title", mutable: true }), maker: text(), size: choice(["S", "M"]),
    color: choice(async (context: any) => [context.propertyName, context.search, JSON.stringify(context.propertyValues), JSON.stringify(context.sync.parameters)]),
    owner: { ...coda.makeObjectSchema({ properties: { mail: text(), label: text({ fromKey: "lb" }) } as any, idProperty: "mail", displayProperty: "label", identity: { name: "Owner" } }), codaType: coda.ValueHintType.SelectList, mutable: true,
      options: async () => [{ mail: "a@x.com", lb: "A" }, { display: "Bee", value: { mail: "b@x.com", lb: "B" } }] } as any,
    tags: { type: coda.ValueType.Array, items: choice(async () => ({ result: ["new", "old"] }), { mutable: undefined }), mutable: true },
  } as any, idProperty: "id", displayProperty: "name",
});
const update = async (_: any, updates: any[]) => {
  if (updates.some(({ newValue }) => newValue.title === "user")) throw new coda.UserVisibleError("not this name");
  if (updates.some(({ newValue }) => newValue.title === "bug")) throw new TypeError("a fault");
  if (updates.some(({ newValue }) => newValue.title === "none")) return { result: [] };
  return { result: updates.map(({ newValue, updatedFields }) => ({ ...newValue, maker: updates.length + " at once " + updatedFields.join() })) };
};
const shirts = (name: string, more = {}) => pack.addSyncTable({ name, identityName: name, description: name, connectionRequirement: None, schema: Shirt,
  formula: { name: "Sync" + name, description: name, parameters: [string("shop", { optional: true })], execute: async () => ({ result: [{ id: "1", title: "a" }] }), executeUpdate: update, ...more } } as any);
shirts("Shirts");
shirts("Batches", { maxUpdateBatchSize: 2 });
pack.addSyncTable({ name: "Spells", identityName: "Spell", description: "Spells.", connectionRequirement: None,
  schema: coda.makeObjectSchema({ properties: { id: text() }, idProperty: "id", displayProperty: "id" }),
  formula: { name: "SyncSpells", description: "Spells.", parameters: [coda.makeParameter({ type: coda.ParameterType.Number, name: "level", description: "" }), string("school", { optional: true })],
    validateParameters: async (context: any, _: string, { level, school }: any) => {
      if (school === "odd") return "fine" as any;
      if (school === "throws") throw new Error("no idea");
      if (level <= 9) return { isValid: true };
      return { isValid: false, message: "Please fix the errors.", errors: [{ parameterName: "level", message: "At most 9 in " + school + " " + context.sync.dynamicUrl }] };
    },
    execute: async ([level]: any) => ({ result: [{ id: "read " + level }] }) } } as any);
pack.addSyncTable({ name: "News", identityName: "New", description: "News.", connectionRequirement: None,
  schema: coda.makeObjectSchema({ properties: { id: text() }, idProperty: "id", displayProperty: "id" }),
  formula: { name: "SyncNews", description: "News.", parameters: [string("end", { optional: true })], execute: async ([end]: any, context: any) => {
    const { previousCompletion, continuation } = context.sync;
    if (previousCompletion !== undefined) return { result: [{ id: "since " + previousCompletion.incrementalContinuation.at }], deletedRowIds: ["gone"], completion: end === "lost" ? { hasIncompleteResults: true } : { incrementalContinuation: { at: 2 } } };
    if (continuation === undefined) return { result: [{ id: "first" }], continuation: { page: 2, ...(end === "dated" ? { at: new Date(0) } : {}) }, ...(end === "early" ? { completion: { incrementalContinuation: { at: 0 } } } : {}) };
    return { result: [{ id: "last" }], ...(end === "none" ? {} : end === "empty" ? { completion: {} } : end === "lost" ? { completion: { hasIncompleteResults: true } } : { completion: { incrementalContinuation: { at: 1 } } }) };
  } } } as any);
pack.addSyncTable({ name: "Lost", identityName: "Lost", description: "Lost.", connectionRequirement: None,
  schema: coda.makeObjectSchema({ properties: { id: text() }, idProperty: "id", displayProperty: "id" }),
  formula: { name: "SyncLost", description: "Lost.", parameters: [], execute: async (_: any, context: any) => ({ result: [{ id: [context.previousCompletion, context.continuation, context.syncStateService].map(String).join(" ") }] }) } } as any);
pack.addDynamicSyncTable({ name: "Boards", identityName: "Board", description: "Boards.", connectionRequirement: None,
  listDynamicUrls: async () => [], getName: async (context: any, _: string, { query }: any) => "Board of " + query, getDisplayUrl: async (context: any) => context.sync.dynamicUrl,
  getSchema: async (context: any, _: string, { query, day }: any) => coda.makeObjectSchema({
    properties: { id: text(), ["of " + (query ?? "nothing") + " " + day]: text(), mood: choice(coda.OptionsType.Dynamic) } as any, idProperty: "id", displayProperty: "id",
  }),
  propertyOptions: async (context: any) => [context.propertyName + " of " + context.sync.dynamicUrl + " " + context.propertyValues.id],
  formula: { name: "SyncBoards", description: "Boards.", parameters: [string("query"), coda.makeParameter({ type: coda.ParameterType.Date, name: "day", description: "", optional: true })],
    execute: async (_: any, context: any) => ({ result: [{ id: JSON.stringify(context.sync.parameters) }] }) },
} as any);
`;

describe("Sync tables", function () {
  this.timeout(30_000);
  const { go } = runsOfSuite(SOURCE, () => ({ fetchCache: createFetchCache(), timezone: "UTC" }));
  const table = (name: string, more = {}): RunTarget => ({ kind: "syncTable", name, ...more });
  const noteText = (report: RunReport): string => report.platformDifferences.map(({ message }) => message).join("\n");

  describe("A two-way table", () => {
    const edit = (id: string, name: string) => ({
      previousValue: { Id: id, Name: "old" },
      newValue: { Id: id, Name: name },
      updatedFields: ["Name"],
    });
    const update = (name: string, ...names: string[]) =>
      go({ kind: "update", name, updates: names.map((each, index) => edit(String(index), each)) });
    it("an update sends as many rows at once as the table allows, by default one", async () => {
      const makers = async (name: string) =>
        (value(await update(name, "a", "b", "c")) as { finalValue: { Maker: string; Name: string } }[]).map(
          ({ finalValue }) => finalValue.Maker,
        );
      assert.deepEqual(await makers("Shirts"), ["1 at once title", "1 at once title", "1 at once title"]);
      assert.deepEqual(await makers("Batches"), ["2 at once title", "2 at once title", "1 at once title"]);
    });
    it("a UserVisibleError for one row does not stop the others", async () => {
      assert.deepEqual(
        (value(await update("Shirts", "a", "user", "c")) as { outcome: string; error?: unknown }[]).map(
          ({ outcome, error }) => error ?? outcome,
        ),
        ["success", { name: "Error", message: "not this name" }, "success"],
      );
    });
    it("another error ends the update with the number of rows sent", async () => {
      assert.match(failure(await update("Shirts", "a", "bug", "c")), /^TypeError \| a fault \| 1 of 3 rows were sent/);
      assert.match(failure(await update("Batches", "a", "b", "user")), /not this name \| 2 of 3 rows were sent/);
      assert.equal(failure(await update("Shirts", "bug")), "TypeError | a fault | ");
    });
    it("an edited column without mutable gets a note", async () => {
      const report = await go({
        kind: "update",
        name: "Shirts",
        updates: readRowUpdates({ previousValue: { Id: "1", Maker: "m" }, newValue: { Maker: "n" } }),
      });
      assert.match(noteText(report), /Maker needs mutable: true in the schema/);
      assert.equal(noteText(await update("Shirts", "a")), "");
    });
    it("a property missing from the schema is refused", async () => {
      const write = (name: string, newValue: object) =>
        go({ kind: "update", name, updates: readRowUpdates({ previousValue: { Id: "1" }, newValue }) });
      assert.match(failure(await write("Shirts", { title: "b" })), /no property title: did you mean Name\? \| .*Its properties: Id, Name/);
      assert.match(failure(await write("Shirts", { Other: "b" })), /no property Other \|/);
    });
    it("a wrong result of the update is reported", async () => {
      assert.match(failure(await update("Shirts", "none")), /one result for the update\. It returned none\. \| Return \{ result/);
    });
    it("edited rows are read in short form, and wrong ones reported", () => {
      assert.deepEqual(readRowUpdates([{ previousValue: { Id: 1, A: 1 }, newValue: { A: 2 } }]), [
        { previousValue: { Id: 1, A: 1 }, newValue: { Id: 1, A: 2 }, updatedFields: ["A"] },
      ]);
      for (const [updates, message] of [
        [[], /no row/],
        ["x", /The update is not an edited row/],
        [{ previousValue: { A: 1 } }, /not an edited row/],
        [{ newValue: { A: 1 } }, /not an edited row/],
        [[{ previousValue: { A: 1 }, newValue: { A: 2 } }, "x"], /Update 2 is not an edited row/],
        [{ previousValue: { A: 1 }, newValue: { A: 1 } }, /changes nothing/],
        [{ previousValue: {}, newValue: {}, set: 1 }, /contains set/],
        [{ previousValue: {}, newValue: {}, updatedFields: [1] }, /not an array of names/],
        [{ previousValue: { A: "x" }, newValue: { A: "••••" } }, /in place of a masked credential/],
        [{ previousValue: { A: "••••" }, newValue: { A: "x" } }, /in place of a masked credential/],
      ] as const)
        assert.throws(() => readRowUpdates(updates), message);
    });
  });

  describe("Options of a property", () => {
    const ask = (name: string, property: string, more = {}, parameters: readonly unknown[] = ["here"]) =>
      go({ kind: "propertyOptions", table: name, property, search: "r", values: { Id: "7", Name: "n" }, ...more }, parameters);
    it("options come from the property's list or function", async () => {
      assert.deepEqual(value(await ask("Shirts", "Size")), ["S", "M"]);
      for (const name of ["color", "Color"])
        assert.deepEqual(value(await ask("Shirts", name)), ["color", "r", '{"id":"7","name":"n","title":"n"}', '{"shop":"here"}']);
      assert.deepEqual(value(await ask("Shirts", "tags")), ["new", "old"]);
    });
    it("options of a run-time schema come with a note on context.propertyName", async () => {
      const report = await ask("Boards", "Mood", { dynamicUrl: "https://good.com/b" });
      assert.deepEqual(value(report), ["mood of https://good.com/b 7"]);
      assert.match(noteText(report), /does not say how context.propertyName/);
    });
    it("options that are objects are shown as in a row", async () => {
      const report = await ask("Shirts", "owner");
      assert.deepEqual(value(report), [
        { Mail: "a@x.com", Label: "A" },
        { display: "Bee", value: { Mail: "b@x.com", Label: "B" } },
      ]);
    });
    it("a property without options is reported with those that have some", async () => {
      assert.match(failure(await ask("Shirts", "maker")), /maker of Shirts has no options.*Size, Color, Owner, Tags/);
      assert.match(failure(await ask("Spells", "id", {}, [])), /No property of the table has options/);
    });
  });

  describe("A table that validates its parameters", () => {
    it("valid parameters let the table sync", async () => assert.deepEqual(value(await go(table("Spells"), [3])), [{ Id: "read 3" }]));
    it("invalid parameters stop the sync and are named", async () => {
      const report = await go(table("Spells"), [12, "runes"]);
      assert.match(failure(report), /^invalid-parameter \| Please fix the errors.\nlevel: At most 9 in runes undefined/);
      assert.equal(report.field, "level");
      assert.match(noteText(report), /a document's own sync may not call validateParameters/);
    });
    it("a validation that throws or returns nothing stops the sync", async () => {
      assert.match(failure(await go(table("Spells"), [3, "odd"])), /returned no \{ isValid: true \}/);
      assert.match(failure(await go(table("Spells"), [3, "throws"])), /no idea/);
    });
    it("the validation can run alone", async () => {
      const target: RunTarget = { kind: "validateParameters", name: "Spells" };
      assert.deepEqual(value(await go(target, [3])), { isValid: true });
      assert.deepEqual((value(await go(target, [12])) as { isValid: boolean }).isValid, false);
    });
  });

  describe("An incremental table", () => {
    const completion = { incrementalContinuation: { at: 1 } };
    it("a sync returns its completion, and the next one continues from it", async () => {
      const first = await go(table("News"));
      assert.deepEqual(first.sync?.completion, completion);
      const next = await go(table("News", { previousCompletion: completion }));
      assert.deepEqual(value(next), [{ Id: "since 1" }]);
      assert.deepEqual([next.sync?.deleted, next.sync?.completion], [["gone"], { incrementalContinuation: { at: 2 } }]);
      assert.equal(noteText(next), "");
    });
    it("an unfinished sync has no completion", async () => {
      assert.equal((await go(table("News"), [], { rowLimit: 1 })).sync?.completion, undefined);
      assert.equal((await go(table("News"), ["none"])).sync?.completion, undefined);
    });
    it("a lookup of the completion in the wrong place gets a note", async () => {
      const report = await go(table("Lost"));
      assert.deepEqual(value(report), [{ Id: "undefined undefined undefined" }]);
      assert.match(
        noteText(report),
        /context.previousCompletion is always undefined.*\n.*context.continuation is always.*\nDo not use context.syncStateService/,
      );
    });
    it("a completion that the platform ignores gets a note", async () => {
      assert.match(noteText(await go(table("News"), ["early"])), /The platform ignores a completion beside a continuation/);
      const dated = await go(table("News"), ["dated"]);
      assert.deepEqual(
        dated.warnings?.map(({ path, message }) => `${path} ${message.split(":")[0]}`),
        ["continuation.at The next execution gets this Date as a string. Make a Date of it there."],
      );
      assert.match(
        noteText(await go(table("News"), ["lost"])),
        /The platform ignores hasIncompleteResults here, because this was a full sync/,
      );
      assert.match(noteText(await go(table("News"), ["empty"])), /Add incrementalContinuation/);
      assert.match(noteText(await go(table("News", { previousCompletion: completion }), ["lost"])), /reads the whole table again/);
    });
  });

  it("the schema and name functions receive the parameters", async () => {
    const report = await go(table("Boards", { dynamicUrl: "https://good.com/b" }), ["q", { $date: "2026-12-01" }]);
    assert.deepEqual(Object.keys((report.schema as { items: { properties: object } }).items.properties), [
      "Id",
      "OfQ20261201T000000000Z",
      "Mood",
    ]);
    assert.deepEqual(value(report), [{ Id: '{"query":"q","day":"2026-12-01T00:00:00.000Z"}' }]);
    const runGetName = (parameters: readonly unknown[]) =>
      go({ kind: "table", name: "Boards", function: "getName", dynamicUrl: "https://good.com/b" }, parameters);
    assert.deepEqual([value(await runGetName(["q"])), value(await runGetName([]))], ["Board of q", "Board of undefined"]);
    assert.equal((await runGetName([5])).field, "query");
    const without = await go({ kind: "table", name: "Boards", function: "getName" });
    assert.deepEqual([without.field, failure(without).split(" | ")[0]], ["dynamicUrl", "invalid-parameter"]);
  });
});
