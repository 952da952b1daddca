// The request behind *Pack Auth: Fix all*: the edit of the code action, and what it comes to.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CodeAction, WorkspaceEdit } from "vscode-languageserver/node";
import type { FixedAll } from "../../protocol/editor.ts";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { edited, HEAD } from "../support/lsp-editing.ts";

describe("packAuth/fixAll", () => {
  let client: LspClient;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-fix-all-"));
    client = await startServer();
  });
  after(async () => {
    await client.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  async function open(name: string, text: string) {
    const uri = pathToFileURL(join(folder, name)).href;
    client.open(uri, text);
    const fixed = (await client.connection.sendRequest("packAuth/fixAll", { uri })) as FixedAll<WorkspaceEdit> | null;
    return { uri, fixed };
  }

  it("the edit is the code action's, with counts of fixed and remaining problems", async () => {
    const broken = `${HEAD}pack.setUserAuthentication({\n  type: "HeaderBearerTokn",\n  headerNam: "X",\n  uxOptions: {},\n});\n`;
    const { uri, fixed } = await open("broken.ts", broken);
    assert.equal(fixed?.summary, "3 fixed, 2 need you");
    const [action] = (await client.connection.sendRequest("textDocument/codeAction", {
      textDocument: { uri },
      range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } },
      context: { diagnostics: [], only: ["source.fixAll.packAuth"] },
    })) as CodeAction[];
    assert.deepEqual(fixed.edit, action?.edit);
    assert.notEqual(edited(broken, fixed.edit?.changes?.[uri] ?? []), broken);
  });

  it("the summary tells mistakes that need the author from a clean file", async () => {
    const empty = await open(
      "needs.ts",
      `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "" });\n`,
    );
    assert.deepEqual(empty.fixed, { edit: null, summary: "0 fixed, 1 needs you" });
    const clean = await open("clean.ts", `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`);
    assert.deepEqual(clean.fixed, { edit: null, summary: "There is nothing to fix." });
  });

  it("a file that is no pack's gets null", async () => {
    assert.equal((await open("other.ts", "export const one = 1;\n")).fixed, null);
  });
});
