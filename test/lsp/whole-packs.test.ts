// A pack is several files, and the editor shows each: what one of them says is told to the others, whichever way the client gets its
// diagnostics, and also where files change on disk or folders come and go.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Diagnostic } from "vscode-languageserver/node";
import type { PackOutline, PackSummary } from "../../protocol/editor.ts";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { installToolkit, root } from "../support/packs.ts";

const IMPORTING = `import { url } from "./requests";\n`;
const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`;
const pack = (param: string): string =>
  `${IMPORTING}${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "${param}", description: "Key" }] });\n`;
const REQUESTS = `export const url = (context) => "https://example.com/{{key-" + context.invocationToken + "}}";\n`;

const PULLS = { textDocument: { diagnostic: {} } };
const REFRESHES = { ...PULLS, workspace: { diagnostics: { refreshSupport: true } } };
const RELATES = { textDocument: { diagnostic: { relatedDocumentSupport: true } }, workspace: { diagnostics: { refreshSupport: true } } };

describe("a pack of several files, over stdio", () => {
  let client: LspClient;
  let folder: string;
  const uri = (name: string): string => pathToFileURL(join(folder, name)).href;
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const codes = (diagnostics: readonly Diagnostic[]): readonly unknown[] => diagnostics.map(({ code }) => code);
  const refreshes = (): number => client.requestMethods.filter((method) => method === "workspace/diagnostic/refresh").length;
  const watched = (...changes: readonly (readonly [name: string, type: 1 | 2 | 3])[]): Promise<void> =>
    client.connection.sendNotification("workspace/didChangeWatchedFiles", {
      changes: changes.map(([name, type]) => ({ uri: uri(name), type })),
    });
  /** The known packs, as soon as they are as wanted: folders are searched in the server's own time, however long a disk takes. */
  const packs = async (are: (entries: readonly string[]) => boolean): Promise<readonly string[]> => {
    for (;;) {
      const entries = ((await client.connection.sendRequest("packAuth/packs")) as PackSummary[]).map(({ entry }) => entry).sort();
      if (are(entries)) return entries;
    }
  };
  const open = async (capabilities: object): Promise<void> => {
    write("requests.ts", REQUESTS);
    write("other/pack.ts", HEAD);
    client = await startServer({ folder: pathToFileURL(folder).href, capabilities });
    // When the folder is searched, all diagnostics are asked for again: that comes first.
    await packs((entries) => entries.includes(uri("other/pack.ts")));
    client.open(uri("pack.ts"), pack("key"));
    client.open(uri("requests.ts"), REQUESTS);
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-whole-"));
  });
  afterEach(async () => {
    await client.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("a client that cannot pull is pushed the other file's diagnostics", async () => {
    await open({});
    const pushed = async (until: readonly unknown[]): Promise<void> => {
      for (let round = 0; round < 20; round++)
        if (String(codes((await client.pushed(uri("requests.ts"))).diagnostics)) === String(until)) return;
      assert.fail(`never pushed: ${until}`);
    };
    const wrong = pushed(["placeholder-undeclared"]);
    client.change(uri("pack.ts"), 2, [{ text: pack("kez") }]);
    await wrong;
    const right = pushed([]);
    client.change(uri("pack.ts"), 3, [{ text: pack("key") }]);
    await right;
  });

  it("a client that pulls is asked to refresh, also when an edit parts the files", async () => {
    await open(REFRESHES);
    assert.deepEqual(codes(await client.pull(uri("requests.ts"))), []);
    const before = refreshes();
    client.change(uri("pack.ts"), 2, [{ text: pack("kez") }]);
    assert.deepEqual(codes(await client.pull(uri("requests.ts"))), ["placeholder-undeclared"]);
    assert.equal(refreshes(), before + 1);
    client.change(uri("pack.ts"), 3, [{ text: pack("kez").replace(IMPORTING, "") }]);
    assert.deepEqual(codes(await client.pull(uri("requests.ts"))), []);
    assert.equal(refreshes(), before + 2, "the file that is no part any more has to be asked for too");
    client.change(uri("pack.ts"), 4, [{ text: `${pack("kez").replace(IMPORTING, "")}// more\n` }]);
    await client.pull(uri("pack.ts"));
    assert.equal(refreshes(), before + 2, "nobody else is concerned by now");
  });

  it("a client with related documents gets them in its pull, and no refresh", async () => {
    await open(RELATES);
    const pull = async (name: string) =>
      (await client.connection.sendRequest("textDocument/diagnostic", { textDocument: { uri: uri(name) } })) as {
        readonly items: readonly Diagnostic[];
        readonly relatedDocuments?: Readonly<Record<string, { readonly items: readonly Diagnostic[] }>>;
      };
    assert.deepEqual((await pull("pack.ts")).relatedDocuments?.[uri("requests.ts")]?.items, []);
    const before = refreshes();
    client.change(uri("pack.ts"), 2, [{ text: pack("kez") }]);
    const { items, relatedDocuments } = await pull("pack.ts");
    assert.deepEqual(codes(items), []);
    assert.deepEqual(codes(relatedDocuments?.[uri("requests.ts")]?.items ?? []), ["placeholder-undeclared"]);
    client.change(uri("pack.ts"), 3, [{ text: pack("kez").replace(IMPORTING, "") }]);
    assert.deepEqual((await pull("pack.ts")).relatedDocuments?.[uri("requests.ts")]?.items, []);
    assert.equal((await pull("pack.ts")).relatedDocuments, undefined);
    assert.equal(refreshes(), before);
  });

  it("a buffer that is closed unsaved gives way to the disk, and others refresh", async () => {
    write("pack.ts", pack("key"));
    await open(REFRESHES);
    client.change(uri("pack.ts"), 2, [{ text: pack("kez") }]);
    assert.deepEqual(codes(await client.pull(uri("requests.ts"))), ["placeholder-undeclared"]);
    const before = refreshes();
    await client.connection.sendNotification("textDocument/didClose", { textDocument: { uri: uri("pack.ts") } });
    assert.deepEqual(codes(await client.pull(uri("requests.ts"))), []);
    assert.equal(refreshes(), before + 1);
  });

  it("files written, renamed and deleted on disk change the pack, alone or by folder", async () => {
    write("lib/requests.ts", REQUESTS.replace("key", "kez"));
    client = await startServer({ folder: pathToFileURL(folder).href, capabilities: PULLS });
    const entry = pack("key").replace("./requests", "./lib/requests");
    client.open(uri("pack.ts"), entry);
    const requests = uri("lib/requests.ts");
    assert.deepEqual(codes(await client.pull(requests)), ["placeholder-undeclared"]);
    write("lib/requests.ts", REQUESTS);
    await watched(["lib/requests.ts", 2]);
    assert.deepEqual(codes(await client.pull(requests)), []);
    write("lib/requests.ts", REQUESTS.replace("key", "kez"));
    await watched(["lib/requests.ts", 2]);
    assert.deepEqual(codes(await client.pull(requests)), ["placeholder-undeclared"]);
    rmSync(join(folder, "lib"), { recursive: true });
    // One event for all of it, as editors send it.
    await watched(["lib", 3]);
    assert.deepEqual(codes(await client.pull(requests)), []);
    write("lib2/requests.ts", REQUESTS.replace("key", "kez"));
    await watched(["lib2/requests.ts", 1]);
    client.change(uri("pack.ts"), 2, [{ text: entry.replace("./lib/", "./lib2/") }]);
    assert.deepEqual(codes(await client.pull(uri("lib2/requests.ts"))), ["placeholder-undeclared"]);
  });

  it("a path mapping that changes on disk takes effect", async () => {
    write("lib/requests.ts", REQUESTS.replace("key", "kez"));
    write("tsconfig.json", "{}");
    client = await startServer({ folder: pathToFileURL(folder).href, capabilities: PULLS });
    client.open(uri("pack.ts"), pack("key").replace("./requests", "@lib/requests"));
    assert.deepEqual(codes(await client.pull(uri("lib/requests.ts"))), []);
    write("tsconfig.json", `{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }`);
    await watched(["tsconfig.json", 2]);
    assert.deepEqual(codes(await client.pull(uri("lib/requests.ts"))), ["placeholder-undeclared"]);
  });

  it("the outline has the toolkit of a pack, and how to get one", async () => {
    installToolkit(join(folder, "one"));
    for (const name of ["one", "two"]) write(`${name}/pack.ts`, HEAD);
    client = await startServer({ folder: pathToFileURL(folder).href, capabilities: PULLS });
    const toolkit = async (name: string): Promise<unknown> => {
      client.open(uri(name), HEAD);
      return ((await client.connection.sendRequest("packAuth/outline", { uri: uri(name) })) as PackOutline).toolkit;
    };
    const { version } = JSON.parse(readFileSync(join(root, "node_modules/@codahq/packs-sdk/package.json"), "utf8")) as { version: string };
    assert.deepEqual(await toolkit("one/pack.ts"), { version });
    assert.deepEqual(await toolkit("two/pack.ts"), { install: "npm install --save-dev @codahq/packs-sdk" });
  });

  it("workspace folders that are added and removed bring and take their packs", async () => {
    for (const name of ["one", "two", "two/inner"]) write(`${name}/pack.ts`, HEAD);
    client = await startServer({
      capabilities: { ...PULLS, workspace: { workspaceFolders: true } },
      params: { workspaceFolders: [{ uri: uri("one"), name: "one" }] },
    });
    const change = (added: readonly string[], removed: readonly string[]): Promise<void> =>
      client.connection.sendNotification("workspace/didChangeWorkspaceFolders", {
        event: { added: added.map((name) => ({ uri: uri(name), name })), removed: removed.map((name) => ({ uri: uri(name), name })) },
      });
    assert.deepEqual(await packs(({ length }) => length === 1), [uri("one/pack.ts")]);
    await change(["two", "two/inner"], []);
    assert.deepEqual(await packs(({ length }) => length === 3), [uri("one/pack.ts"), uri("two/inner/pack.ts"), uri("two/pack.ts")]);
    await change([], ["two"]);
    assert.deepEqual(await packs(({ length }) => length === 2), [uri("one/pack.ts"), uri("two/inner/pack.ts")]);
  });
});
