// A literal secret in packauth.accounts.json, as an editor meets it: a pushed error at its place, and a fix.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CodeAction } from "vscode-languageserver/node";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { edited, editsOf } from "../support/lsp-editing.ts";
import { installToolkit } from "../support/packs.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
`;
const SECRET = "ghp_CANARYcanary0123456789";
const TEXT = `{
  "version": 1,
  "accounts": [{ "label": "alice", "secrets": { "token": "${SECRET}" } }]
}
`;

describe("an account file in an editor", () => {
  let client: LspClient;
  let folder: string;
  const uri = (name: string): string => pathToFileURL(join(folder, name)).href;
  const file = "packauth.accounts.json";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-accounts-"));
    installToolkit(folder);
    writeFileSync(join(folder, file), TEXT);
  });
  afterEach(async () => {
    await client.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const fixes = async (): Promise<CodeAction[]> =>
    (await client.connection.sendRequest("textDocument/codeAction", {
      textDocument: { uri: uri(file) },
      range: { start: { line: 2, character: 60 }, end: { line: 2, character: 60 } },
      context: { diagnostics: [] },
    })) as CodeAction[];

  it("a literal secret beside a pack is an error until the fix replaced it", async () => {
    client = await startServer();
    const firstPush = client.pushed(uri(file));
    client.open(uri("pack.ts"), PACK);
    await client.pull(uri("pack.ts"));
    const [problem, ...otherProblems] = (await firstPush).diagnostics;
    assert.equal(otherProblems.length, 0);
    assert.deepEqual(problem?.range, { start: { line: 2, character: 57 }, end: { line: 2, character: 85 } });
    assert.match(String(problem?.message), /Revoke it/);
    assert.doesNotMatch(JSON.stringify(problem), /CANARY/);
    client.open(uri(file), TEXT);
    const [fix, ...otherFixes] = await fixes();
    assert.deepEqual([fix?.title, fix?.isPreferred, otherFixes.length], ["Replace the secret by env:PACK_AUTH_ALICE_TOKEN", true, 0]);
    const fixed = edited(TEXT, editsOf(fix?.edit));
    assert.equal(fixed, TEXT.replace(SECRET, "env:PACK_AUTH_ALICE_TOKEN"));
    const secondPush = client.pushed(uri(file));
    client.change(uri(file), 2, [{ text: fixed }]);
    await client.pull(uri(file));
    assert.deepEqual((await secondPush).diagnostics, []);
    assert.deepEqual(await fixes(), []);
  });

  it("a client that pulls no diagnostics shows the error of the open file as well", async () => {
    client = await startServer({ capabilities: {} });
    const pushes: unknown[] = [];
    client.connection.onNotification("textDocument/publishDiagnostics", (params: { uri: string; diagnostics: unknown[] }) => {
      if (params.uri === uri(file)) pushes.push(params.diagnostics.length);
    });
    client.open(uri("pack.ts"), PACK);
    client.open(uri(file), TEXT);
    await fixes();
    assert.deepEqual(pushes.slice(-1), [1], JSON.stringify(pushes));
  });
});
