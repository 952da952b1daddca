// Sync tables through all their pages: rows, edits, options; and dynamic ones, with the functions that list, name and describe them.
import assert from "node:assert/strict";
import type { RunTarget } from "../../../protocol/run.ts";
import { countResponses, ITEM_SCHEMA, RUN_PACK, runsOfSuite, value } from "../../support/run-pack.ts";

const SOURCE = `${RUN_PACK}${ITEM_SCHEMA}
pack.addSyncTable({
  name: "Items", identityName: "Item", description: "Items.", connectionRequirement: None, schema: coda.makeObjectSchema({
    ...Item,
    properties: { ...Item.properties, id: { ...Item.properties.id, mutable: false }, color: { type: coda.ValueType.String, codaType: coda.ValueHintType.SelectList, mutable: true,
      options: async (context: any) => ["red", "green"].filter((color) => color.startsWith(context.search)).map((color) => color + " of " + context.propertyValues.Kind) } },
  } as any),
  formula: {
    name: "SyncItems", description: "Items.",
    parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "kind", description: "", optional: true, autocomplete: async (_context: any, search: string, values: any) => [search + "-" + values.other] })],
    execute: async (_: any, context: any) => {
      const page = context.sync.continuation?.page ?? 1;
      return { result: [{ item_id: page, name: "n" + page }, { item_id: page === 3 ? 1 : page + 10 }], deletedRowIds: ["gone" + page], continuation: page < 3 ? { page: page + 1 } : undefined };
    },
    executeUpdate: async (_: any, updates: any[]) => ({
      result: updates.map((update) => update.newValue.item_id === 2 ? new coda.UserVisibleError("not this one") : { ...update.newValue, name: update.previousValue.name + "→" + update.newValue.name + " " + update.updatedFields.join() }),
    }),
  },
} as any);

pack.addDynamicSyncTable({
  name: "Boards", identityName: "Board", description: "Boards.", connectionRequirement: None,
  listDynamicUrls: async (context: any, folder: string) => (folder ? [{ display: "Inner", value: "https://good.com/b/" + folder }] : [{ display: "Folder", value: "f", hasChildren: true }]),
  searchDynamicUrls: async (_: any, search: string) => [{ display: search, value: "https://good.com/b/" + search }],
  getName: async (context: any) => "Board " + context.sync.dynamicUrl.split("/").pop(),
  getDisplayUrl: async (context: any) => context.sync.dynamicUrl + "#display",
  getSchema: async (context: any) => coda.makeObjectSchema({
    properties: { card_id: { type: coda.ValueType.String }, card_title: { type: coda.ValueType.String, fromKey: "title" } }, idProperty: "card_id", displayProperty: "card_title",
  }),
  formula: { name: "SyncBoards", description: "Boards.", parameters: [], execute: async (_: any, context: any) => ({
    result: [{ card_id: "1", title: coda.getEffectivePropertyKeysFromSchema(context.sync.schema).join() + " " + context.sync.dynamicUrl }],
  }) },
} as any);

`;

describe("The rows of a table", function () {
  this.timeout(30_000);
  const suite = runsOfSuite(SOURCE);
  const { go, wire } = suite;
  countResponses(wire);

  describe("A table", () => {
    it("a sync returns rows by schema names, deletions and warnings", async () => {
      const report = await go({ kind: "syncTable", name: "Items" });
      assert.deepEqual((value(report) as unknown[])[0], { Id: 1, DisplayName: "n1" });
      assert.deepEqual(report.sync, { pages: 3, deleted: ["gone1", "gone2", "gone3"], limitReached: false, rowsWithoutOwnId: 1 });
      const messages = report.warnings?.map(({ path, message }) => `${path}: ${message}`).join("\n") ?? "";
      assert.match(messages, /Id must be unique, because it identifies the row. Several rows have 1/);
      assert.match(messages, /^Homepage: Check its name, or its fromKey\. The schema has it, but no row does/m);
      const limited = await go({ kind: "syncTable", name: "Items" }, [], { rowLimit: 3 });
      assert.deepEqual(limited.sync, { pages: 2, deleted: ["gone1", "gone2"], limitReached: true, rowsWithoutOwnId: 0 });
    });
    it("an update returns an outcome for each row", async () => {
      const update = (id: number) => ({
        previousValue: { Id: id, DisplayName: "old" },
        newValue: { Id: id, DisplayName: "new" },
        updatedFields: ["DisplayName"],
      });
      assert.deepEqual(value(await go({ kind: "update", name: "Items", updates: [update(1), update(2)] })), [
        { outcome: "success", finalValue: { Id: 1, DisplayName: "old→new name" } },
        { outcome: "error", error: { name: "Error", message: "not this one" } },
      ]);
    });
    it("options of a property or parameter depend on the other values", async () => {
      const options: RunTarget = { kind: "propertyOptions", table: "Items", property: "Color", search: "g", values: { Kind: "K" } };
      assert.deepEqual(value(await go(options)), ["green of K"]);
      const target: RunTarget = {
        kind: "autocomplete",
        formula: "Items",
        ofSyncTable: true,
        parameter: "kind",
        search: "x",
        values: { other: 5 },
      };
      assert.deepEqual(value(await go(target)), ["x-5"]);
      const { functions, isTwoWay } = suite.openedPack.definition.syncTables[0] ?? {};
      assert.deepEqual([functions, isTwoWay], [[], true]);
    });
  });

  describe("A dynamic table", () => {
    const ask = async (name: "listDynamicUrls" | "searchDynamicUrls" | "getName" | "getDisplayUrl", search?: string): Promise<unknown> =>
      value(
        await go({
          kind: "table",
          name: "Boards",
          function: name,
          dynamicUrl: "https://good.com/b/1",
          ...(search === undefined ? {} : { search }),
        }),
      );
    it("the URLs of a dynamic table are listed and searched, and its name is shown", async () => {
      assert.deepEqual(suite.openedPack.definition.syncTables[1]?.functions, [
        "listDynamicUrls",
        "searchDynamicUrls",
        "getName",
        "getDisplayUrl",
        "getSchema",
      ]);
      assert.deepEqual(await ask("listDynamicUrls"), [{ display: "Folder", value: "f", hasChildren: true }]);
      assert.deepEqual(await ask("listDynamicUrls", "f"), [{ display: "Inner", value: "https://good.com/b/f" }]);
      assert.deepEqual(await ask("searchDynamicUrls", "q"), [{ display: "q", value: "https://good.com/b/q" }]);
      assert.deepEqual([await ask("getName"), await ask("getDisplayUrl")], ["Board 1", "https://good.com/b/1#display"]);
    });
    it("rows and context of a dynamic table have its own schema", async () => {
      const report = await go({ kind: "syncTable", name: "Boards", dynamicUrl: "https://good.com/b/1" });
      assert.deepEqual(value(report), [{ CardId: "1", CardTitle: "card_id,title https://good.com/b/1" }]);
      assert.deepEqual(Object.keys((report.schema as { items: { properties: object } }).items.properties), ["CardId", "CardTitle"]);
    });
    it("a dynamic table without its URL names the field", async () => {
      const report = await go({ kind: "syncTable", name: "Boards" });
      assert.deepEqual(
        [report.outcome.status === "failed" && report.outcome.error.code, report.field],
        ["invalid-parameter", "dynamicUrl"],
      );
    });
  });
});
