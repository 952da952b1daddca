// What an agent in the editor gets about the sources of a workspace, over real stdio through the client's reader.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CancellationTokenSource } from "vscode-languageserver/node";
import { fingerprintOf } from "../../base/fingerprint.ts";
import { createSourceReader as readerOfDisk } from "../../cli/sources/source-reader.ts";
import { createSourceReader } from "../../client/agents/source-reader.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { root } from "../support/packs.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
`;
const BROKEN = `${HEAD}/* 𝒜 */ pack.setUserAuthentication({ type: "HeaderBearerTokn" });\n`;
const CLEAN = `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`;
const running = new AbortController().signal;

/** Sends the requests as the client does. */
function readerOf({ connection }: LspClient, folder: string): ReturnType<typeof createSourceReader> {
  async function send<T>(method: string, params: unknown, signal?: AbortSignal): Promise<T> {
    const cancellation = new CancellationTokenSource();
    const cancel = (): void => cancellation.cancel();
    signal?.addEventListener("abort", cancel);
    try {
      return (await connection.sendRequest(method, params, cancellation.token)) as T;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }
  return createSourceReader(
    {
      checkSources: (params, signal) => send("packAuth/checkSources", params, signal),
      outlineSources: (params, signal) => send("packAuth/outlineSources", params, signal),
      rulePages: () => send("packAuth/rulePages", undefined),
    },
    folder,
  );
}

async function errorOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof PackAuthError, String(error));
  assert.ok(error.hint, error.message);
  return `${error.code}: ${error.message}`;
}

describe("the requests of agents' tools", function () {
  this.timeout(60_000);
  let folder: string;
  let client: LspClient;
  let reader: ReturnType<typeof createSourceReader>;
  const homeBefore = process.env.PACK_AUTH_HOME;
  beforeEach(async () => {
    folder = realpathSync.native(mkdtempSync(join(tmpdir(), "pack-auth-agents-")));
    // The reader of the disk finds no evidence there.
    process.env.PACK_AUTH_HOME = join(folder, ".home");
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    client = await start(folder, "utf-16");
    reader = readerOf(client, folder);
  });
  afterEach(async () => {
    if (homeBefore === undefined) delete process.env.PACK_AUTH_HOME;
    else process.env.PACK_AUTH_HOME = homeBefore;
    await client.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const start = (opened: string, encoding: string): Promise<LspClient> =>
    startServer({
      folder: pathToFileURL(opened).href,
      capabilities: { general: { positionEncodings: [encoding] }, textDocument: { diagnostic: {} } },
      params: { initializationOptions: {} },
    });
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const open = (name: string, text: string): string => {
    const uri = pathToFileURL(join(folder, name)).href;
    client.open(uri, text);
    return uri;
  };
  const rules = async (...names: readonly string[]): Promise<readonly string[]> =>
    (
      await reader.check(
        names.map((name) => join(folder, name)),
        running,
      )
    ).findings.map(({ path, rule }) => `${path} ${rule}`);

  it("findings, fixes, outline and pages are those of the command line, whatever the editor's encoding", async () => {
    mkdirSync(join(folder, "dist"));
    mkdirSync(join(folder, ".hidden"));
    for (const name of ["pack.ts", "dist/pack.ts", ".hidden/pack.ts", "ignored.ts", ".own.ts"]) write(name, BROKEN);
    write("helper.ts", "export const one = 1;\n");
    write("torn.ts", `${HEAD}pack.addFormula({\n`);
    write(".gitignore", "ignored.ts\n");
    const disk = readerOfDisk(folder, process.env);
    const expected = await disk.check([folder], running);
    assert.equal(expected.fileCount, 4);
    assert.ok(expected.findings.some(({ fixes }) => fixes.length > 0));
    assert.ok(expected.findings.some(({ rule }) => rule === "syntax-error"));
    const other = await start(folder, "utf-8");
    try {
      for (const each of [reader, readerOf(other, folder)]) assert.deepEqual(await each.check([folder], running), expected);
    } finally {
      await other.stop();
    }
    const entry = join(folder, "pack.ts");
    assert.deepEqual(await reader.outline(entry, running), await disk.outline(entry, running));
    assert.equal(await reader.outline(join(folder, "helper.ts"), running), undefined);
    assert.deepEqual(await reader.rules(), await disk.rules());
  });

  it("the unsaved text of an open file counts, and a file written a moment ago", async () => {
    write("pack.ts", CLEAN);
    const uri = open("pack.ts", CLEAN);
    assert.deepEqual(await rules("pack.ts"), []);
    client.change(uri, 2, [{ text: BROKEN }]);
    const [finding = ""] = await rules(".");
    assert.match(finding, /^pack\.ts /);
    assert.equal((await reader.outline(join(folder, "pack.ts"), running))?.authentications[0]?.range.start.character, 14);
    client.change(uri, 3, [{ text: CLEAN }]);
    assert.deepEqual(await rules("."), []);
    write("other.ts", BROKEN);
    assert.deepEqual(await rules("."), [finding.replace("pack.ts", "other.ts")]);
    write("other.ts", CLEAN);
    assert.deepEqual(await rules("."), []);
    open("unsaved.ts", BROKEN);
    assert.deepEqual(await rules("unsaved.ts"), [finding.replace("pack.ts", "unsaved.ts")]);
  });

  it("a check leaves the editor's packs as they are", async () => {
    mkdirSync(join(folder, "dist"));
    write("dist/pack.ts", BROKEN);
    const packs = () => client.connection.sendRequest("packAuth/packs");
    const before = await packs();
    assert.equal((await rules(".")).length > 0, true);
    assert.deepEqual(await packs(), before);
  });

  it("a path outside the folder, missing or wrong is an error with a hint", async () => {
    assert.equal(await errorOf(reader.check([folder], running)), "sources-unreadable: There is nothing to check.");
    assert.match(
      await errorOf(reader.check([join(root, "examples")], running)),
      /^sources-unreadable: .* cannot be checked: it is outside /,
    );
    symlinkSync(join(root, "examples", "mistakes", "pack.ts"), join(folder, "link.ts"));
    for (const work of [reader.check([join(folder, "link.ts")], running), reader.outline(join(folder, "link.ts"), running)])
      assert.match(await errorOf(work), /^sources-unreadable: .* cannot be checked: it is outside /);
    assert.equal(await errorOf(reader.check([folder], running)), "sources-unreadable: There is nothing to check.");
    assert.equal(
      await errorOf(reader.check([join(folder, "gone.ts")], running)),
      "sources-unreadable: There is no file or folder gone.ts.",
    );
    write("pack.ts", CLEAN);
    write(".packauthrc.json", '{ "rules": { "url-invalidd": "off" } }');
    assert.match(await errorOf(reader.check([folder], running)), /^settings-invalid: \.packauthrc\.json:1:14: /);
  });

  it("a file above the folder is not read, although the editor has it open", async () => {
    mkdirSync(join(folder, "packs"));
    writeFileSync(join(folder, "above.ts"), 'export const DOMAIN = "https://canary.example";\n');
    writeFileSync(join(folder, "packs/pack.ts"), `import { DOMAIN } from "../above";\n${CLEAN}pack.addNetworkDomain(DOMAIN);\n`);
    const answer = async (from: string): Promise<string> =>
      JSON.stringify((await readerOf(client, from).check([join(folder, "packs/pack.ts")], running)).findings);
    assert.match(await answer(folder), /canary\.example/);
    assert.doesNotMatch(await answer(join(folder, "packs")), /canary\.example/);
  });

  it("a check that is aborted ends, and the server answers on", async () => {
    for (let index = 0; index < 100; index++) write(`pack${index}.ts`, BROKEN);
    const controller = new AbortController();
    const checking = reader.check([folder], controller.signal);
    const isRejected = assert.rejects(checking, /cancelled/);
    await client.connection.sendRequest("packAuth/packs");
    controller.abort();
    await isRejected;
  });

  it("evidence is reported without the account", async () => {
    const source = `${HEAD}pack.addFormula({ name: "Read", description: "Reads.", parameters: [], resultType: coda.ValueType.String, execute: async ([], context) => {
  await context.fetcher.fetch({ method: "GET", url: "https://acme.example/" }).catch(() => undefined);
  return "";
} });
`;
    const uri = pathToFileURL(write("pack.ts", source)).href;
    await client.connection.sendNotification("packAuth/evidence", {
      facts: [
        {
          code: "unauthorized-swallowed",
          entry: uri,
          at: { path: uri, line: 4 },
          names: ["401"],
          fingerprint: fingerprintOf(source.split("\n")[4]?.trim()),
          seenAt: Date.UTC(2026, 10, 23, 12),
          account: "Ada",
        },
      ],
    });
    const { findings } = await reader.check([folder], running);
    assert.ok(findings.some(({ rule }) => rule === "seen-unauthorized-swallowed"));
    assert.doesNotMatch(JSON.stringify(findings), /Ada/);
  });

  it("a folder that is opened through a link gets the paths of an agent that knows its real name", async function () {
    if (process.platform === "win32") this.skip();
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    const linked = await start(link, "utf-16");
    try {
      write("pack.ts", CLEAN);
      linked.open(pathToFileURL(join(link, "pack.ts")).href, BROKEN);
      const { findings } = await readerOf(linked, link).check([join(folder, "pack.ts")], running);
      assert.deepEqual([...new Set(findings.map(({ path }) => path))], ["pack.ts"]);
    } finally {
      await linked.stop();
      rmSync(link);
    }
  });

  it("a server that did not start is an error that says so", async () => {
    const absent = createSourceReader(
      { checkSources: async () => undefined, outlineSources: async () => undefined, rulePages: async () => undefined },
      folder,
    );
    for (const work of [absent.check([folder], running), absent.outline(join(folder, "pack.ts"), running), absent.rules()])
      assert.match(await errorOf(work), /^language-server-unavailable: The language server is not running/);
  });
});
