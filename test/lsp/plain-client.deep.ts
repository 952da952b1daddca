// The language server as any editor meets it: whatever a client lacks (pulling, watching, folders, configuration, registration), in
// each position encoding, and to the end of its life.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { Diagnostic } from "vscode-languageserver/node";
import { OUTLINE_CHANGED } from "../../protocol/editor.ts";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { installToolkit } from "../support/packs.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
`;
const BROKEN = `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerTokn });\n`;
const REQUESTS = `export const url = (context) => "https://example.com/{{key-" + context.invocationToken + "}}";\n`;
const custom = (name: string): string =>
  `import { url } from "./requests";\n${HEAD}url;\npack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "${name}", description: "Key" }] });\n`;

describe("a plain LSP client", function () {
  this.timeout(60_000);
  let client: LspClient;
  let folder: string;
  const uri = (name: string): string => pathToFileURL(join(folder, name)).href;
  const codes = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ code }) => code);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-plain-"));
    installToolkit(folder);
  });
  afterEach(async () => {
    if (client.child.exitCode === null && client.child.signalCode === null) await client.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const WIDTHS = {
    "utf-8": (text: string) => Buffer.byteLength(text),
    "utf-16": (text: string) => text.length,
    "utf-32": (text: string) => [...text].length,
  };
  for (const [encoding, width] of Object.entries(WIDTHS)) {
    it(`${encoding} positions are right behind letters beyond ASCII and the first plane, both ways`, async () => {
      client = await startServer({ capabilities: { general: { positionEncodings: [encoding] }, textDocument: { diagnostic: {} } } });
      assert.equal(client.initialized.capabilities.positionEncoding, encoding);
      const before = `/* ünï 𝒳👩‍🚀 */ pack.setUserAuthentication({ type: coda.AuthenticationType.`;
      client.open(uri("pack.ts"), `${HEAD}${before}HeaderBearerTokn });\n`);
      const [diagnostic] = await client.pull(uri("pack.ts"));
      assert.deepEqual(diagnostic?.range, {
        start: { line: 3, character: width(before) },
        end: { line: 3, character: width(before) + "HeaderBearerTokn".length },
      });
      const at = { line: 3, character: width(before) + "HeaderBearerTok".length };
      client.change(uri("pack.ts"), 2, [{ range: { start: at, end: at }, text: "e" }]);
      assert.deepEqual(await client.pull(uri("pack.ts")), []);
    });
  }

  it("a client that offers several encodings, or none, gets utf-16", async () => {
    client = await startServer({ capabilities: { general: { positionEncodings: ["utf-32", "utf-8", "utf-16"] } } });
    assert.equal(client.initialized.capabilities.positionEncoding, "utf-16");
    await client.stop();
    client = await startServer({ capabilities: {} });
    assert.equal(client.initialized.capabilities.positionEncoding, "utf-16");
  });

  it("a client without capabilities and folder gets versioned diagnostics, and no request", async () => {
    client = await startServer({ capabilities: {} });
    const first = client.pushed(uri("pack.ts"));
    client.open(uri("pack.ts"), BROKEN);
    const { version, diagnostics } = await first;
    assert.equal(version, 1);
    assert.deepEqual(codes(diagnostics), ["auth-type-unknown"]);
    const second = client.pushed(uri("pack.ts"));
    client.change(uri("pack.ts"), 2, [{ text: BROKEN.replace("Tokn", "Token") }]);
    assert.deepEqual(await second, { uri: uri("pack.ts"), version: 2, diagnostics: [] });
    const third = client.pushed(uri("pack.ts"));
    client.change(uri("pack.ts"), 3, [{ text: BROKEN }]);
    assert.equal((await third).diagnostics.length, 1);
    assert.deepEqual(client.requestMethods, []);
    const { workspace } = client.initialized.capabilities as { workspace?: unknown };
    assert.equal(workspace, undefined);
  });

  it("a client gets outline notifications only when it asks for them, and no others", async () => {
    const experimentalValues = [undefined, null, "all", { packAuth: null }, { packAuth: { outlineChanged: "yes" } }];
    const start = async (experimental: unknown): Promise<LspClient> => {
      const startedClient = await startServer({ capabilities: { textDocument: { diagnostic: {} }, experimental } });
      startedClient.open(uri("pack.ts"), BROKEN);
      startedClient.change(uri("pack.ts"), 2, [{ text: BROKEN.replace("Tokn", "Token") }]);
      assert.deepEqual(await startedClient.pull(uri("pack.ts")), []);
      return startedClient;
    };
    const plain = await Promise.all(experimentalValues.map(start));
    client = await start({ packAuth: { outlineChanged: true } });
    while (client.notificationMethods.length === 0) await setTimeout(20);
    // Once more where so long passes between the start and the edit.
    assert.deepEqual([...new Set(client.notificationMethods)], [OUTLINE_CHANGED]);
    // They edited before, and were given as long again.
    await setTimeout(300);
    for (const [index, { notificationMethods, stop }] of plain.entries()) {
      assert.deepEqual(notificationMethods, [], JSON.stringify(experimentalValues[index]));
      await stop();
    }
  });

  it("\\r\\n and \\r alone end lines as well", async () => {
    client = await startServer();
    for (const eol of ["\r\n", "\r"]) {
      client.open(uri(`${eol.length}.ts`), BROKEN.replaceAll("\n", eol));
      const [diagnostic] = await client.pull(uri(`${eol.length}.ts`));
      assert.deepEqual(diagnostic?.range.start, { line: 3, character: 59 });
    }
  });

  for (const root of ["rootUri", "rootPath"]) {
    it(`a client with ${root} alone gets the packs of that folder, closed files included`, async () => {
      writeFileSync(join(folder, "pack.ts"), custom("kez"));
      writeFileSync(join(folder, "requests.ts"), REQUESTS);
      client = await startServer({
        capabilities: {},
        params: { workspaceFolders: undefined, rootUri: null, [root]: root === "rootUri" ? pathToFileURL(folder).href : folder },
      });
      // Pushed when opened, and again when the folder has been read.
      let { diagnostics } = await openDocument("requests.ts", REQUESTS);
      if (diagnostics.length === 0) ({ diagnostics } = await client.pushed(uri("requests.ts")));
      assert.deepEqual(codes(diagnostics), ["placeholder-undeclared"]);
    });
  }

  const openDocument = (name: string, text: string) => {
    const pushed = client.pushed(uri(name));
    client.open(uri(name), text);
    return pushed;
  };

  it("a client that watches no files gets changes on disk after a save", async () => {
    mkdirSync(join(folder, "src"));
    writeFileSync(join(folder, "src/requests.ts"), REQUESTS);
    client = await startServer({ capabilities: { textDocument: { diagnostic: {} } } });
    client.open(uri("src/pack.ts"), custom("key"));
    assert.deepEqual(await client.pull(uri("src/pack.ts")), []);
    client.open(uri("src/requests.ts"), REQUESTS);
    await client.connection.sendNotification("textDocument/didClose", { textDocument: { uri: uri("src/requests.ts") } });
    writeFileSync(join(folder, "src/requests.ts"), REQUESTS.replace("{{key-", "{{other-"));
    await client.connection.sendNotification("textDocument/didSave", { textDocument: { uri: uri("src/pack.ts") } });
    assert.deepEqual(codes(await client.pull(uri("src/requests.ts"))), ["placeholder-undeclared"]);
  });

  it("settings apply at the start and when pushed, with or without the section's name", async () => {
    client = await startServer({ params: { initializationOptions: { rules: { "auth-type-unknown": "warning" } } } });
    client.open(uri("pack.ts"), BROKEN);
    assert.equal((await client.pull(uri("pack.ts")))[0]?.severity, 2);
    for (const [settings, expected] of [
      [{ packAuth: { rules: { "auth-type-unknown": "information" } } }, 3],
      [{ packAuth: { rules: { "auth-type-unknown": "loud", "no-such-rule": "off" }, toolkitModules: "x" } }, 1],
      [{ rules: null, toolkitModules: [7] }, 1],
      [{ packAuth: { rules: { "auth-type-unknown": "off" } } }, undefined],
      [null, undefined],
      [{ packAuth: {} }, 1],
    ] as const) {
      await client.connection.sendNotification("workspace/didChangeConfiguration", { settings });
      assert.equal((await client.pull(uri("pack.ts")))[0]?.severity, expected, JSON.stringify(settings));
    }
  });

  it("settings are requested at start and after changes, and null keeps the initial ones", async () => {
    let settings: unknown = { rules: { "auth-type-unknown": "off" } };
    const configuration = () => settings;
    const capabilities = { textDocument: { diagnostic: {} }, workspace: { configuration: true, diagnostics: { refreshSupport: true } } };
    client = await startServer({
      capabilities,
      configuration,
      params: { initializationOptions: { rules: { "auth-type-unknown": "warning" } } },
    });
    const refreshed = async (count: number) => {
      // The server asks, reads the answer, and then tells that diagnostics changed.
      while (client.requestMethods.filter((method) => method === "workspace/diagnostic/refresh").length < count)
        await client.pull(uri("pack.ts"));
    };
    client.open(uri("pack.ts"), BROKEN);
    await refreshed(1);
    assert.deepEqual(await client.pull(uri("pack.ts")), []);
    settings = { rules: { "auth-type-unknown": "information" } };
    await client.connection.sendNotification("workspace/didChangeConfiguration", { settings: null });
    await refreshed(2);
    assert.equal((await client.pull(uri("pack.ts")))[0]?.severity, 3);
    assert.ok(!client.requestMethods.includes("client/registerCapability"));
  });

  it("a request that the server does not know gets an error", async () => {
    client = await startServer();
    await assert.rejects(client.connection.sendRequest("textDocument/moniker", {}), { code: -32601 });
    await client.connection.sendNotification("$/setTrace", { value: "verbose" });
    await client.connection.sendNotification("no/such/notification", {});
    client.open(uri("pack.ts"), BROKEN);
    assert.equal((await client.pull(uri("pack.ts"))).length, 1);
  });

  it("content that is no message is skipped, and what follows is answered", async () => {
    client = await startServer();
    client.open(uri("pack.ts"), BROKEN);
    const contents = [
      "{ no: json",
      "",
      "null",
      "[]",
      "7",
      "{}",
      `{"jsonrpc":"2.0","method":"$/cancelRequest"}`,
      `{"jsonrpc":"2.0","id":{}}`,
    ];
    for (const content of contents) {
      client.child.stdin.write(`Content-Length: ${content.length}\r\n\r\n${content}`);
      assert.equal((await client.pull(uri("pack.ts"))).length, 1, content);
    }
  });

  describe("the end of the server", () => {
    const exit = async (): Promise<number | null> => (client.child.exitCode ?? (await once(client.child, "exit"))[0]) as number | null;

    it("shutdown and exit end it with code 0", async () => {
      client = await startServer();
      assert.equal(await client.connection.sendRequest("shutdown"), null);
      const exitCode = exit();
      await client.connection.sendNotification("exit");
      assert.equal(await exitCode, 0);
    });

    it("exit without shutdown ends it with code 1", async () => {
      client = await startServer();
      const exitCode = exit();
      await client.connection.sendNotification("exit");
      assert.equal(await exitCode, 1);
    });

    it("closed input ends it with code 1, and 0 after shutdown", async () => {
      client = await startServer();
      const exitCode = exit();
      client.child.stdin.end();
      assert.equal(await exitCode, 1);
      client = await startServer();
      await client.connection.sendRequest("shutdown");
      const secondExitCode = exit();
      client.child.stdin.end();
      assert.equal(await secondExitCode, 0);
    });

    for (const header of ["Content-Size: 7", "Content-Length: many", "no colon"])
      it(`a header without a length ends it, with a message: ${header}`, async () => {
        client = await startServer();
        let errorText = "";
        client.child.stderr.on("data", (data: Buffer) => {
          errorText += data.toString();
        });
        const closeEvent = once(client.child, "close");
        // A request that stands behind it is not waited for in vain.
        client.child.stdin.write(`${header}\r\n\r\nContent-Length: 47\r\n\r\n{"jsonrpc":"2.0","id":99,"method":"no/such/one"}`);
        assert.deepEqual(await closeEvent, [1, null]);
        assert.match(errorText, /A message could not be read: .*(?:header|Content-Length)/i);
      });

    it("the death of the client's process ends it", async () => {
      const parent = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
      client = await startServer({ params: { processId: parent.pid } });
      const exitCode = exit();
      parent.kill("SIGKILL");
      assert.equal(await exitCode, 1);
    });
  });
});
