// Settings as the server meets them: from the editor for each folder, and from `.packauthrc.json`, which may be broken and may change.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { installToolkit } from "../support/packs.ts";

const BAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic });
`;

describe("settings of the language server", () => {
  let client: LspClient;
  let folder: string;
  const uri = (name: string): string => pathToFileURL(join(folder, name)).href;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-settings-"));
    installToolkit(folder);
    for (const name of ["a", "b"]) mkdirSync(join(folder, name));
  });
  afterEach(async () => {
    await client.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const severities = async (name: string): Promise<unknown[]> => (await client.pull(uri(name))).map(({ severity }) => severity);
  /** The server asks for settings in its own time: a few pulls later it has them. */
  const become = async (a: unknown[], b: unknown[]): Promise<void> => {
    let current: unknown;
    for (let round = 0; round < 200 && !isDeepStrictEqual(current, [a, b]); round++)
      current = [await severities("a/pack.ts"), await severities("b/pack.ts")];
    assert.deepEqual(current, [a, b]);
  };
  const settle = (text: string): void => {
    writeFileSync(join(folder, ".packauthrc.json"), text);
    void client.connection.sendNotification("workspace/didChangeWatchedFiles", { changes: [{ uri: uri(".packauthrc.json"), type: 2 }] });
  };

  it("settings apply by folder, and take precedence over the file", async () => {
    const rulesByFolder: Record<string, unknown> = { a: { "auth-type-unknown": "information" } };
    client = await startServer({
      capabilities: { textDocument: { diagnostic: {} }, workspace: { configuration: true, workspaceFolders: true } },
      params: {
        workspaceFolders: ["a", "b"].map((name) => ({ uri: uri(name), name })),
      },
      configuration: (scope) => ({ rules: rulesByFolder[scope?.split("/").at(-1) ?? ""] ?? {}, toolkitModules: ["@codahq/packs-sdk"] }),
    });
    client.open(uri("a/pack.ts"), BAD);
    client.open(uri("b/pack.ts"), BAD);
    await become([3], [1]);
    settle('{ "rules": { "auth-type-unknown": "warning" } }');
    await become([3], [2]);
    rulesByFolder.b = { "auth-type-unknown": "off" };
    await client.connection.sendNotification("workspace/didChangeConfiguration", { settings: null });
    await become([3], []);
  });

  it("a wrong settings file is reported at the place until it is corrected", async () => {
    writeFileSync(join(folder, ".packauthrc.json"), '{\n  "rules": { "auth-type-unknown": "warning", "auth-type-unknwon": "off" }\n}');
    client = await startServer();
    const initialPush = client.pushed(uri(".packauthrc.json"));
    client.open(uri("a/pack.ts"), BAD);
    assert.deepEqual(await severities("a/pack.ts"), [2]);
    const [problem, ...otherProblems] = (await initialPush).diagnostics;
    assert.equal(otherProblems.length, 0);
    assert.match(String(problem?.message), /Did you mean auth-type-unknown\?/);
    assert.deepEqual(problem?.range, { start: { line: 1, character: 45 }, end: { line: 1, character: 64 } });
    const mended = client.pushed(uri(".packauthrc.json"));
    settle('{ "rules": { "auth-type-unknown": "off" } }');
    assert.deepEqual((await mended).diagnostics, []);
    assert.deepEqual(await severities("a/pack.ts"), []);
    const broken = client.pushed(uri(".packauthrc.json"));
    settle("{ rules");
    assert.match(String((await broken).diagnostics[0]?.message), /not valid JSON/);
    assert.deepEqual(await severities("a/pack.ts"), [1]);
    const finalPush = client.pushed(uri(".packauthrc.json"));
    rmSync(join(folder, ".packauthrc.json"));
    void client.connection.sendNotification("workspace/didChangeWatchedFiles", { changes: [{ uri: uri(".packauthrc.json"), type: 3 }] });
    assert.deepEqual((await finalPush).diagnostics, []);
  });
});
