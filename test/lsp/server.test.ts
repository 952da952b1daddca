// The language server over real stdio, as a plain LSP client sees it.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CodeAction, CompletionItem, Hover, TextEdit } from "vscode-languageserver/node";
import type { PackOutline } from "../../protocol/editor.ts";
import { LOCATE_METADATA_REQUEST } from "../../protocol/validation.ts";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { edited } from "../support/lsp-editing.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
`;

const REQUESTS = 'export const url = (context) => "https://example.com/{{key-" + context.invocationToken + "}}";\n';

describe("language server over stdio", () => {
  let client: LspClient;
  let folder: string;
  const uri = (name: string): string => pathToFileURL(join(folder, name)).href;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-lsp-"));
  });
  afterEach(async () => {
    await client.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("pulled diagnostics have rule, docs and range, and the quick fix resolves them", async () => {
    client = await startServer();
    const text = `${HEAD}pack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerTokn,\n});\n`;
    client.open(uri("pack.ts"), text);
    const [diagnostic, ...otherDiagnostics] = await client.pull(uri("pack.ts"));
    assert.ok(diagnostic);
    assert.equal(otherDiagnostics.length, 0);
    assert.equal(diagnostic.code, "auth-type-unknown");
    assert.equal(diagnostic.source, "pack-auth");
    assert.deepEqual(diagnostic.range, { start: { line: 4, character: 32 }, end: { line: 4, character: 48 } });
    assert.match(diagnostic.codeDescription?.href ?? "", /docs\/rules\/auth-type-unknown\.md$/);
    const actions = (await client.connection.sendRequest("textDocument/codeAction", {
      textDocument: { uri: uri("pack.ts") },
      range: diagnostic.range,
      context: { diagnostics: [diagnostic] },
    })) as CodeAction[];
    const [action] = actions;
    assert.equal(action?.title, "Change to HeaderBearerToken");
    const fixed = edited(text, action?.edit?.changes?.[uri("pack.ts")] ?? []);
    client.change(uri("pack.ts"), 2, [{ text: fixed }]);
    assert.deepEqual(await client.pull(uri("pack.ts")), []);
  });

  it("incremental changes are applied", async () => {
    client = await startServer();
    client.open(uri("pack.ts"), `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\n`);
    assert.deepEqual(await client.pull(uri("pack.ts")), []);
    const line = { line: 3, character: 60 };
    client.change(uri("pack.ts"), 2, [{ range: { start: line, end: { line: 3, character: 61 } }, text: "" }]);
    assert.deepEqual(
      (await client.pull(uri("pack.ts"))).map((diagnostic) => diagnostic.code),
      ["auth-type-unknown"],
    );
    client.change(uri("pack.ts"), 3, [{ range: { start: line, end: line }, text: "e" }]);
    assert.deepEqual(await client.pull(uri("pack.ts")), []);
  });

  it("a client that has the diagnostics already gets unchanged", async () => {
    client = await startServer();
    const ask = (previousResultId?: string): Promise<{ kind: string; resultId: string }> =>
      client.connection.sendRequest("textDocument/diagnostic", { textDocument: { uri: uri("pack.ts") }, previousResultId });
    client.open(uri("pack.ts"), `${HEAD}pack.setUserAuthentication({});\n`);
    const first = await ask();
    assert.equal(first.kind, "full");
    assert.deepEqual(await ask(first.resultId), { kind: "unchanged", resultId: first.resultId });
    client.change(uri("pack.ts"), 2, [{ text: HEAD }]);
    const second = await ask(first.resultId);
    assert.equal(second.kind, "full");
    assert.notEqual(second.resultId, first.resultId);
  });

  it("a client that cannot pull is pushed diagnostics with the version", async () => {
    client = await startServer({ capabilities: {} });
    const pushed = client.pushed(uri("pack.ts"));
    client.open(uri("pack.ts"), `${HEAD}pack.setUserAuthentication({});\n`);
    const { version, diagnostics } = await pushed;
    assert.equal(version, 1);
    assert.deepEqual(
      diagnostics.map((diagnostic) => diagnostic.code),
      ["auth-type-missing"],
    );
  });

  it("a change in one file of a pack changes the other's diagnostics", async () => {
    writeFileSync(join(folder, "requests.ts"), REQUESTS);
    client = await startServer({ folder: pathToFileURL(folder).href });
    const config = (name: string): string =>
      `import { url } from "./requests";\n${HEAD}url;\npack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "${name}", description: "Key" }] });\n`;
    client.open(uri("pack.ts"), config("key"));
    client.open(uri("requests.ts"), REQUESTS);
    assert.deepEqual(await client.pull(uri("requests.ts")), []);
    client.change(uri("pack.ts"), 2, [{ text: config("kez") }]);
    assert.deepEqual(
      (await client.pull(uri("requests.ts"))).map((diagnostic) => diagnostic.code),
      ["placeholder-undeclared"],
    );
  });

  it("completions are the type's fields, required ones first, and enum members", async () => {
    client = await startServer();
    client.open(uri("pack.ts"), `${HEAD}pack.setUserAuthentication({\n  type: coda.AuthenticationType.CustomHeaderToken,\n  \n});\n`);
    const at = async (line: number, character: number): Promise<CompletionItem[]> =>
      (await client.connection.sendRequest("textDocument/completion", {
        textDocument: { uri: uri("pack.ts") },
        position: { line, character },
      })) as CompletionItem[];
    const fields = (await at(5, 2)).sort((a, b) => (a.sortText ?? "").localeCompare(b.sortText ?? ""));
    assert.equal(fields[0]?.label, "headerName");
    assert.equal((fields[0]?.textEdit as TextEdit | undefined)?.newText, 'headerName: "$1",');
    assert.ok(fields.some((item) => item.label === "tokenPrefix"));
    assert.ok(!fields.some((item) => item.label === "type" || item.label === "paramName"));
    const types = await at(4, 8);
    assert.ok(types.some((item) => item.label === "coda.AuthenticationType.OAuth2"));
  });

  it("a hover has the default, and what a request carries", async () => {
    client = await startServer();
    client.open(
      uri("pack.ts"),
      `${HEAD}pack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/a",\n  tokenUrl: "https://login.acme.example/t",\n  tokenPrefix: "token",\n});\n`,
    );
    const hover = async (line: number, character: number): Promise<string> =>
      (
        (
          (await client.connection.sendRequest("textDocument/hover", {
            textDocument: { uri: uri("pack.ts") },
            position: { line, character },
          })) as Hover
        ).contents as { value: string }
      ).value;
    assert.match(await hover(7, 4), /Default: `"Bearer"`/);
    assert.match(await hover(4, 30), /Authorization: token ••••/);
  });

  it("a pack has an outline for lenses, and any other file has none", async () => {
    client = await startServer();
    client.open(uri("other.ts"), "export const setUserAuthentication = 1;\n");
    client.open(
      uri("pack.ts"),
      `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\npack.addFormula({ name: "Hello", execute: async () => 1 });\n`,
    );
    const outline = (name: string): Promise<PackOutline | null> => client.connection.sendRequest("packAuth/outline", { uri: uri(name) });
    assert.equal(await outline("other.ts"), null);
    assert.deepEqual(await client.pull(uri("other.ts")), []);
    const packOutline = await outline("pack.ts");
    assert.deepEqual(
      packOutline?.authentications.map(({ scope, type }) => [scope, type]),
      [["user", "WebBasic"]],
    );
    assert.deepEqual(
      packOutline?.runnables.map(({ kind, name }) => [kind, name]),
      [["formula", "Hello"]],
    );
    const place = (await client.connection.sendRequest("packAuth/locate", {
      entry: uri("pack.ts"),
      configPath: "userAuthentication.type",
    })) as { range: { start: { line: number } } };
    assert.equal(place.range.start.line, 3);
    const places = await client.connection.sendRequest<readonly ({ range: { start: { line: number } } } | null)[]>(
      LOCATE_METADATA_REQUEST,
      {
        entry: uri("pack.ts"),
        paths: [["defaultAuthentication", "type"], ["formulas", { index: 0, name: "Hello" }, "description"], []],
      },
    );
    assert.deepEqual(
      places.map((place) => place?.range.start.line),
      [3, 4, 1],
    );
    assert.deepEqual(
      await client.connection.sendRequest(LOCATE_METADATA_REQUEST, { entry: "file:///none/pack.ts", paths: [["version"]] }),
      [null],
    );
  });

  it("the outline has the token URL that an OAuth configuration has in its source", async () => {
    client = await startServer();
    const urlIn = async (tokenUrl: string): Promise<unknown> => {
      const path = uri(`${tokenUrl.length}.ts`);
      client.open(path, `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, ${tokenUrl} });\n`);
      const packOutline = await client.connection.sendRequest<PackOutline | null>("packAuth/outline", { uri: path });
      return packOutline?.authentications[0]?.tokenUrl;
    };
    assert.equal(await urlIn('tokenUrl: "https://login.acme.example/token"'), "https://login.acme.example/token");
    assert.equal(await urlIn("tokenUrl: process.argv[2]"), undefined);
    assert.equal(await urlIn(""), undefined);
  });

  it("a cancelled request, or any nonsense, does not end the server", async () => {
    client = await startServer();
    for (const text of [
      "",
      "pack.setUserAuthentication({",
      "\0\0\0",
      "`${`${`${",
      "\ud800 import * as coda from '@codahq/packs-sdk'; coda.newPack(",
      "{".repeat(5_000),
    ]) {
      client.open(uri(`${text.length}.ts`), text);
      assert.ok(Array.isArray(await client.pull(uri(`${text.length}.ts`))));
    }
    assert.deepEqual(await client.pull("untitled:Untitled-1"), []);
    client.change(uri("never-opened.ts"), 7, [{ text: "x" }]);
    assert.deepEqual(await client.pull(uri("never-opened.ts")), []);
    assert.equal(client.child.exitCode, null);
  });

  it("a client with utf-8 alone gets utf-8 positions", async () => {
    client = await startServer({ capabilities: { general: { positionEncodings: ["utf-8"] }, textDocument: { diagnostic: {} } } });
    assert.equal(client.initialized.capabilities.positionEncoding, "utf-8");
    client.open(uri("pack.ts"), `${HEAD}/* ünï */ pack.setUserAuthentication({});\n`);
    const [diagnostic] = await client.pull(uri("pack.ts"));
    assert.equal(diagnostic?.range.start.character, Buffer.byteLength("/* ünï */ pack."));
  });
});
