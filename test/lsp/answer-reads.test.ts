// The request behind *Add an answer*: what the pack's source reads of an answer, as the editor has the source.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type LspClient, startServer } from "../support/lsp-client.ts";

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addFormula({ name: "Email", description: "One.", parameters: [], resultType: coda.ValueType.String,
  execute: async ([], context) => (await context.fetcher.fetch({ method: "GET", url: "https://api.hub.example/user" })).body.find((each) => each.primary).email,
});
`;

describe("packAuth/answerReads", () => {
  let client: LspClient;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-reads-"));
    client = await startServer();
  });
  after(async () => {
    await client.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("the fields that the code reads are returned, and null without a call there", async () => {
    const uri = pathToFileURL(join(folder, "pack.ts")).href;
    client.open(uri, SOURCE);
    const [line, character] = [3, SOURCE.split("\n")[3]?.indexOf("fetch({") ?? 0];
    const ask = (position: object): Promise<unknown> =>
      client.connection.sendRequest("packAuth/answerReads", { calls: [{ uri, position }] });
    assert.deepEqual(await ask({ line, character }), {
      body: { items: { fields: { primary: { value: true }, email: { whole: true } } } },
    });
    assert.equal(await ask({ line: 0, character: 0 }), null);
    assert.equal(await ask({ line: 999, character: 0 }), null);
  });
});
