// The request behind Make a schema where one is there: what differs, and edits that end it, judged by a run that loses nothing.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TextEdit, WorkspaceEdit } from "vscode-languageserver/node";
import { rowsOf, schemaFields } from "../../platform/runs/make-schema.ts";
import type { EditableDifference } from "../../protocol/editor.ts";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { edited } from "../support/lsp-editing.ts";
import { closePacks, pack } from "../support/open-packs.ts";
import { packFiles, removePackFiles } from "../support/pack-file.ts";
import { run } from "../support/run.ts";
import { uploadProblems } from "../support/validator.ts";
import { openWire } from "../support/wire.ts";

const ROWS = [
  { id: 7, created_at: "2026-01-02", title: "Milk", owner: { name: "Ada" }, "odd name": true, 'x\u2028"`${y}': "z" },
  { id: 8, created_at: "2026-01-03", title: "Bread", owner: { name: "Bob" }, "odd name": false, 'x\u2028"`${y}': "z" },
];
const source = (properties: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
const Task = coda.makeObjectSchema({
  properties: {
${properties}
  },
  displayProperty: "title",
});
pack.addFormula({ name: "Tasks", description: "Tasks.", parameters: [], resultType: coda.ValueType.Array, items: Task,
  execute: async ([], context) => (await context.fetcher.fetch({ method: "GET", url: "https://acme.example/" })).body } as any);
`;
const OWN = `    title: { type: coda.ValueType.String },
    id: { type: coda.ValueType.String },
    createdAt: { type: coda.ValueType.String },
    gone: { type: coda.ValueType.String },`;

describe("packAuth/schemaDifferences", () => {
  let client: LspClient;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-schema-"));
    client = await startServer();
  });
  after(async () => {
    await client.stop();
    rmSync(folder, { recursive: true, force: true });
    closePacks();
    removePackFiles();
  });
  let files = 0;
  async function differences(text: string, name = "Tasks") {
    const uri = pathToFileURL(join(folder, `pack-${++files}.ts`)).href;
    client.open(uri, text);
    const fields = schemaFields(rowsOf([ROWS]) ?? [], "coda");
    const result = (await client.connection.sendRequest("packAuth/schemaDifferences", { entry: uri, name, fields })) as
      | readonly EditableDifference<WorkspaceEdit>[]
      | null;
    const editsOf = ({ edit }: EditableDifference<WorkspaceEdit>): readonly TextEdit[] => edit.changes?.[uri] ?? [];
    return {
      kinds: result?.map(({ kind, property }) => `${kind} ${property}`),
      textWithEdits: (kinds: RegExp) => edited(text, (result ?? []).filter(({ kind }) => kinds.test(kind)).flatMap(editsOf)),
    };
  }

  it("each difference is found, and its edits make a valid schema that loses no data", async () => {
    const { kinds, textWithEdits } = await differences(source(OWN));
    assert.deepEqual(kinds, ["type id", "spelling createdAt", "missing owner", "missing oddName", "missing xY", "never gone"]);
    const whole = textWithEdits(/./);
    assert.deepEqual((await differences(whole)).kinds, []);
    assert.doesNotMatch(whole, /gone/);
    assert.match(textWithEdits(/missing|type|spelling/), /gone: \{/);
    const entry = packFiles({ "pack.ts": whole });
    assert.deepEqual(await uploadProblems(entry), []);
    const wire = await openWire();
    try {
      wire.respond = (_request, response) => void response.setHeader("content-type", "application/json").end(JSON.stringify(ROWS));
      const { outcome, warnings = [] } = await run(await pack(entry), { kind: "formula", name: "Tasks" }, [], {
        fetch: wire.fetch,
        lookup: wire.lookup,
      });
      assert.ok(outcome.status === "succeeded");
      assert.deepEqual(warnings, []);
      assert.equal(Object.keys((outcome.value as readonly object[])[0] ?? {}).length, Object.keys(ROWS[0] ?? {}).length);
    } finally {
      await wire.close();
    }
  });

  it("a schema that the source only partly contains has no uncertain difference", async () => {
    assert.equal((await differences(source(`${OWN}\n    ...more,`))).kinds, undefined);
    assert.equal((await differences(source(OWN), "Other")).kinds, undefined);
    assert.deepEqual((await differences(source(`    title: shared(),\n    id: { ...base, type: coda.ValueType.String },`))).kinds, [
      "missing createdAt",
      "missing owner",
      "missing oddName",
      "missing xY",
    ]);
  });
});
