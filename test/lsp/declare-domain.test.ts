// The request behind *Add network domain*: where one more domain is declared.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { WorkspaceEdit } from "vscode-languageserver/node";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { edited } from "../support/lsp-editing.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
`;

describe("packAuth/declareDomain", () => {
  let client: LspClient;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-domain-"));
    client = await startServer();
  });
  after(async () => {
    await client.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  let files = 0;
  async function declared(body: string, host: string): Promise<string | undefined> {
    const uri = pathToFileURL(join(folder, `pack-${++files}.ts`)).href;
    client.open(uri, HEAD + body);
    const edit = (await client.connection.sendRequest("packAuth/declareDomain", { entry: uri, host })) as WorkspaceEdit | null;
    return edit === null ? undefined : edited(HEAD + body, edit.changes?.[uri] ?? []).slice(HEAD.length);
  }

  it("the API's domain is declared behind the others, and credentials keep their domain", async () => {
    assert.equal(
      await declared(
        'pack.addNetworkDomain("good.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\n',
        "api.other.com",
      ),
      'pack.addNetworkDomain("good.com");\npack.addNetworkDomain("other.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, networkDomain: "good.com" });\n',
    );
  });

  it("the first domain is declared before the authentication", async () => {
    assert.equal(
      await declared("pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\n", "other.com"),
      'pack.addNetworkDomain("other.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\n',
    );
  });

  it("a declared domain, or a text that is no host name, is not declared", async () => {
    const body = 'pack.addNetworkDomain("good.com");\n';
    for (const host of ["good.com", "api.good.com", 'x.com"); evil("', "localhost", ""])
      assert.equal(await declared(body, host), undefined);
  });
});
