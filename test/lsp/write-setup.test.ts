// The request behind *Set up authentication*: a proposal as edits of the text that the editor shows, or of one that is not on disk.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeSetup } from "../../cli/sources/read-sources.ts";
import type { SetupAnswer } from "../../protocol/written-setup.ts";
import { EMPTY_PACK } from "../../spec/toolkit.ts";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { edited } from "../support/lsp-editing.ts";
import { proposal } from "../support/proposals.ts";

describe("packAuth/writeSetup", () => {
  let client: LspClient;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-setup-"));
    client = await startServer();
  });
  after(async () => {
    await client.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const own = proposal("HeaderBearerToken");
  const ask = (uri: string, text?: string): Promise<SetupAnswer> =>
    client.connection.sendRequest("packAuth/writeSetup", { uri, proposal: own, ...(text === undefined ? {} : { text }) });

  it("the edits of an open file make the returned text, and those of the command line", async () => {
    const path = join(folder, "open.ts");
    const uri = pathToFileURL(path).href;
    const source = `/* 𝒜 */ ${EMPTY_PACK}`.replaceAll("\n", "\r\n");
    client.open(uri, source);
    const answer = await ask(uri);
    assert.ok("files" in answer);
    const [file] = answer.files;
    assert.equal(edited(source, file?.edits ?? []), file?.text);
    assert.deepEqual(writeSetup(path, own, source), answer);
    assert.equal(answer.formulaName, "GetIssues");
  });

  it("a text that is not on disk is written into, and no file appears", async () => {
    const answer = await ask(pathToFileURL(join(folder, "new/pack.ts")).href, EMPTY_PACK);
    assert.ok("files" in answer);
    assert.match(answer.files[0]?.text ?? "", /setUserAuthentication/);
    assert.deepEqual(readdirSync(folder), []);
  });

  it("a source without a pack is a problem, and so is an address that is no file", async () => {
    for (const uri of [pathToFileURL(join(folder, "missing.ts")).href, "untitled:1"]) assert.ok("problem" in (await ask(uri)));
  });
});
