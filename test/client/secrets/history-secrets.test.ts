// What the history writes down of a run whose every text holds the credential: its target, its notes, its requests, its rows.
import assert from "node:assert/strict";
import { openRunHistory } from "../../../client/panel/run-history.ts";
import type { Pack } from "../../../platform/process/pack.ts";
import { createRedactor } from "../../../platform/secrets/redact.ts";
import { closePacks, pack } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { run } from "../../support/run.ts";
import { openWire, type Wire } from "../../support/wire.ts";

const CANARY = "canary-4f1c-of-the-history";

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("good.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
const schema = coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String } }, displayProperty: "id", idProperty: "id" });
pack.addDynamicSyncTable({
  name: "Boards", description: "b", identityName: "Board",
  listDynamicUrls: async () => [], getName: async () => "b", getDisplayUrl: async (context) => context.sync.dynamicUrl!,
  getSchema: async () => schema,
  formula: { name: "SyncBoards", description: "b", parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "word", description: "w" })],
    execute: async ([word], context) => {
      console.log(word, context.sync.dynamicUrl);
      await context.fetcher.fetch({ method: "GET", url: context.sync.dynamicUrl! }).catch(() => undefined);
      await context.fetcher.fetch({ method: "GET", url: "https://elsewhere.example/" + word }).catch(() => undefined);
      return { result: [{ id: word }] };
    } },
});
`;

describe("a run in the history", function () {
  this.timeout(30_000);
  let wire: Wire;
  let openedPack: Pack;
  before(async () => {
    wire = await openWire();
    wire.respond = (_request, response) => {
      response.statusCode = 401;
      response.end(JSON.stringify({ error: CANARY }));
    };
    openedPack = await pack(packFiles({ "pack.ts": SOURCE }));
  });
  after(async () => {
    closePacks();
    removePackFiles();
    await wire.close();
  });

  it("the stored run contains no credential, in any of its parts", async () => {
    const dynamicUrl = `https://good.com/boards?key=${CANARY}`;
    const redactor = createRedactor();
    const report = await run(openedPack, { kind: "syncTable", name: "Boards", dynamicUrl }, [CANARY], {
      fetch: wire.fetch,
      lookup: wire.lookup,
      redactor,
      account: { scope: "user", credential: { kind: "token", token: CANARY } },
    });
    assert.equal(report.outcome.status, "succeeded", JSON.stringify(report.outcome));
    assert.equal(report.platformDifferences.length, 2, JSON.stringify(report.platformDifferences));
    assert.ok(wire.requests.some(({ headers }) => headers.authorization === `Bearer ${CANARY}`));
    let stored: unknown;
    const history = openRunHistory("pack", {
      get: () => stored,
      async set(_key, value) {
        stored = value;
      },
    });
    const values = redactor.redactValue({ word: CANARY, "#dynamicUrl": dynamicUrl });
    // The id of its own: a random one has the canary's four digits once in two thousand runs.
    await history.add("syncTable:Boards", { values }, report, undefined, "run");
    const storedText = JSON.stringify(stored);
    // Each of the texts is there, and masked.
    for (const text of ["boards?key=••••", "was answered with 401", "elsewhere.example", '"word":"••••"'])
      assert.ok(storedText.includes(text), text);
    for (const form of [CANARY, encodeURIComponent(CANARY), Buffer.from(CANARY).toString("base64"), "4f1c-"])
      assert.ok(!storedText.includes(form), form);
  });
});
