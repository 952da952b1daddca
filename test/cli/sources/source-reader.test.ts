// What an agent of the command line gets about the sources on disk.
import assert from "node:assert/strict";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fingerprintOf } from "../../../base/fingerprint.ts";
import { createSourceReader } from "../../../cli/sources/source-reader.ts";
import { PackAuthError } from "../../../platform/errors.ts";
import { openEvidence } from "../../../platform/evidence/evidence.ts";
import type { CheckedSources } from "../../../protocol/agents.ts";
import { applyReported } from "../../support/apply-reported.ts";
import { callCli } from "../../support/call-cli.ts";
import { root } from "../../support/packs.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
`;
const BROKEN = `${HEAD}pack.setUserAuthentication({ type: "HeaderBearerTokn" });\n`;
const CLEAN = `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`;
const EXAMPLES = join(root, "examples");
const running = new AbortController().signal;

async function errorOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof PackAuthError, String(error));
  assert.ok(error.hint, error.message);
  return `${error.code}: ${error.message}`;
}

interface JsonReport {
  readonly files: readonly {
    readonly path: string;
    readonly diagnostics: readonly (Record<"rule" | "severity" | "verdict" | "message" | "range" | "docs", unknown> & {
      readonly fixes: readonly { readonly title: string; readonly edits: readonly object[] }[];
    })[];
  }[];
}

describe("the source reader of the command line", function () {
  this.timeout(60_000);
  let folder: string;
  let home: string;
  beforeEach(() => {
    folder = realpathSync.native(mkdtempSync(join(tmpdir(), "pack-auth-reader-")));
    home = mkdtempSync(join(tmpdir(), "pack-auth-reader-home-"));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  });
  afterEach(() => {
    for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
  });
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const readerOf = (path: string): ReturnType<typeof createSourceReader> => createSourceReader(path, { PACK_AUTH_HOME: home });
  const check = (...names: readonly string[]): Promise<CheckedSources> =>
    readerOf(folder).check(
      names.map((name) => join(folder, name)),
      running,
    );
  const rulesIn = async (...names: readonly string[]): Promise<readonly string[]> =>
    (await check(...names)).findings.map(({ path, rule }) => `${path} ${rule}`);

  it("the report on the examples equals the command's JSON report", async () => {
    const { fileCount, findings } = await readerOf(realpathSync.native(EXAMPLES)).check([EXAMPLES], running);
    const { out } = await callCli(["check", "--format", "json"], { cwd: EXAMPLES, env: { PACK_AUTH_HOME: home } });
    const { files } = JSON.parse(out) as JsonReport;
    assert.equal(fileCount, files.length);
    assert.deepEqual(
      findings.map(({ fixes, ...finding }) => ({
        ...finding,
        fixes: fixes.map(({ title, edits }) => ({ title, edits: edits.map(({ oldText: _, ...edit }) => edit) })),
      })),
      files.flatMap(({ path, diagnostics }) => diagnostics.map(({ docs: _, ...diagnostic }) => ({ ...diagnostic, path }))),
    );
    assert.ok(findings.length > 5);
  });

  it("a named file that builds a pack brings the findings of the pack's other files in the folder", async () => {
    write("pack.ts", `import "./part";\n${CLEAN}`);
    write("part.ts", BROKEN.replace("export const pack = coda.newPack();", 'import { pack } from "./pack";'));
    const { findings, fileCount } = await check("pack.ts");
    assert.deepEqual([fileCount, [...new Set(findings.map(({ path }) => path))].includes("part.ts")], [2, true]);
  });

  it("the edits of a file with CRLF and astral characters make what --fix makes", async () => {
    const source = `${HEAD}/* 𝒜 */ pack.setUserAuthentication({ type: "HeaderBearerTokn" }); // 𝒜\n`.replaceAll("\n", "\r\n");
    write("pack.ts", source);
    const { findings } = await check("pack.ts");
    assert.equal(findings.length, 1);
    const fixed = applyReported({ "pack.ts": source }, findings[0]?.fixes[0]?.edits ?? []);
    assert.deepEqual(await callCli(["check", "--fix"], { cwd: folder, env: { PACK_AUTH_HOME: home } }).then(({ code }) => code), 0);
    assert.deepEqual(fixed, { "pack.ts": readFileSync(join(folder, "pack.ts"), "utf8") });
  });

  it("each check sees the files and the settings as they are on disk", async () => {
    const reader = readerOf(folder);
    const rules = async () => (await reader.check([folder], running)).findings.map(({ path, rule }) => `${path} ${rule}`);
    write("pack.ts", BROKEN);
    const [finding = ""] = await rules();
    assert.match(finding, /^pack\.ts /);
    write("pack.ts", CLEAN);
    assert.deepEqual(await rules(), []);
    write("other.ts", BROKEN);
    assert.deepEqual(await rules(), [finding.replace("pack.ts", "other.ts")]);
    write(".packauthrc.json", JSON.stringify({ ignore: ["other.ts"] }));
    assert.deepEqual(await rules(), []);
    rmSync(join(folder, ".packauthrc.json"));
    write(".gitignore", "other.ts\n");
    assert.deepEqual(await rules(), []);
    assert.deepEqual(await rulesIn("other.ts"), [finding.replace("pack.ts", "other.ts")]);
  });

  it("a check that is aborted ends before the next file", async () => {
    for (let index = 0; index < 50; index++) write(`pack${index}.ts`, BROKEN);
    const reader = readerOf(folder);
    await assert.rejects(reader.check([folder], AbortSignal.abort()), { name: "AbortError" });
    await assert.rejects(reader.outline(join(folder, "pack0.ts"), AbortSignal.abort()), { name: "AbortError" });
    const controller = new AbortController();
    let turns = 0;
    const checking = reader.check([folder], controller.signal);
    const isCompleted = checking.then(
      () => true,
      () => false,
    );
    while (turns++ < 5) await setImmediate();
    controller.abort();
    assert.equal(await isCompleted, false);
    await assert.rejects(checking, { name: "AbortError" });
  });

  it("a check writes nothing to standard output or standard error", async () => {
    cpSync(EXAMPLES, join(folder, "examples"), { recursive: true });
    write("film.d.ts", "export {};\n");
    const written: unknown[] = [];
    const streams = [process.stdout, process.stderr];
    const before = streams.map((stream) => stream.write);
    for (const stream of streams) stream.write = (text: unknown) => written.push(text) > 0;
    try {
      await check(".");
    } finally {
      for (const [index, stream] of streams.entries()) stream.write = before[index] ?? stream.write;
    }
    assert.deepEqual(written, []);
  });

  it("sources that cannot be checked are an error with a hint", async () => {
    assert.equal(await errorOf(check(".")), "sources-unreadable: There is nothing to check.");
    assert.equal(await errorOf(check("gone.ts")), "sources-unreadable: There is no file or folder gone.ts.");
    write("notes.md", "");
    assert.match(await errorOf(check("notes.md")), /^sources-unreadable: notes\.md cannot be checked: it is not TypeScript/);
    assert.match(await errorOf(check("../x")), /^sources-unreadable: \.\.\/x cannot be checked: it is outside/);
    assert.match(await errorOf(readerOf(folder).check([EXAMPLES], running)), /cannot be checked: it is outside/);
    assert.match(await errorOf(readerOf(folder).outline(join(EXAMPLES, "mistakes/pack.ts"), running)), /it is outside/);
    write("pack.ts", CLEAN);
    write(".packauthrc.json", '{ "rules": { "url-invalidd": "off" } }');
    const settingsError = /^settings-invalid: \.packauthrc\.json:1:14: /;
    assert.match(await errorOf(check(".")), settingsError);
    assert.match(await errorOf(readerOf(folder).outline(join(folder, "pack.ts"), running)), settingsError);
  });

  it("a secret in an account file is a finding without it, beside the findings of the pack", async () => {
    writeFileSync(join(folder, "pack.ts"), BROKEN);
    const account = { label: "Ada", scope: "user", secrets: { token: "literal-secret-4711" } };
    writeFileSync(join(folder, "packauth.accounts.json"), JSON.stringify({ version: 1, accounts: [account] }));
    const { findings } = await readerOf(folder).check([folder], running);
    assert.ok(findings.some(({ rule }) => rule === "auth-type-unknown"));
    const ofAccounts = findings.filter(({ path }) => path === "packauth.accounts.json");
    assert.deepEqual(
      ofAccounts.map(({ rule, severity, fixes }) => [rule, severity, fixes]),
      [["account-file-invalid", "error", []]],
    );
    assert.match(ofAccounts[0]?.message ?? "", /This is a secret/);
    assert.ok(!JSON.stringify(findings).includes("literal-secret"));
    assert.equal((await readerOf(folder).outline(join(folder, "pack.ts"), running))?.entry, "pack.ts");
  });

  it("a folder or file without permission is an error with a hint", async function () {
    if (process.platform === "win32" || process.getuid?.() === 0) this.skip();
    mkdirSync(join(folder, "closed"), { mode: 0 });
    assert.match(await errorOf(check(".")), /^sources-unreadable: The folder .*closed cannot be read: /);
    chmodSync(join(folder, "closed"), 0o700);
    write("closed.ts", BROKEN);
    chmodSync(join(folder, "closed.ts"), 0);
    assert.match(await errorOf(check("closed.ts")), /^sources-unreadable: closed\.ts cannot be checked: EACCES/);
  });

  it("links that leave the folder are not read, also within a checkout", async () => {
    mkdirSync(join(folder, ".git"));
    mkdirSync(join(folder, "agent"));
    write("pack.ts", BROKEN);
    write("agent/own.ts", BROKEN);
    symlinkSync(join(folder, "pack.ts"), join(folder, "agent", "link.ts"));
    symlinkSync(join(folder, "agent", "own.ts"), join(folder, "agent", "inner.ts"));
    const reader = readerOf(join(folder, "agent"));
    const { findings } = await reader.check([join(folder, "agent")], running);
    assert.deepEqual([...new Set(findings.map(({ path }) => path))], ["inner.ts", "own.ts"]);
    await assert.rejects(reader.check([join(folder, "agent", "link.ts")], running), /it is outside/);
  });

  it("evidence of runs is reported, without the account", async () => {
    const source = `${HEAD}pack.addFormula({ name: "Read", description: "Reads.", parameters: [], resultType: coda.ValueType.String, execute: async ([], context) => {
  await context.fetcher.fetch({ method: "GET", url: "https://acme.example/" }).catch(() => undefined);
  return "";
} });
`;
    const entry = write("pack.ts", source);
    const line = 4;
    const fact = {
      code: "unauthorized-swallowed" as const,
      entry,
      at: { path: entry, line },
      names: ["401"],
      fingerprint: fingerprintOf(source.split("\n")[line]?.trim()),
      seenAt: Date.UTC(2026, 10, 23, 12),
      account: "ada",
    };
    await openEvidence({ storageFolder: home }).add({ entry, judges: () => false, facts: [fact] });
    const observations = (await check("pack.ts")).findings.filter(({ rule }) => rule.startsWith("seen-"));
    assert.deepEqual(
      observations.map(({ rule, range }) => [rule, range.start.line]),
      [["seen-unauthorized-swallowed", line]],
    );
    assert.doesNotMatch(JSON.stringify(observations), /ada/);
  });

  it("the outline is that of a pack's entry, and every rule has a page", async () => {
    const reader = readerOf(folder);
    const outline = await reader.outline(write("pack.ts", CLEAN), running);
    assert.deepEqual(
      [outline?.entry, outline?.authentications[0]?.type, outline?.networkDomains],
      ["pack.ts", "HeaderBearerToken", ["acme.example"]],
    );
    assert.equal(await reader.outline(write("other.ts", "export const one = 1;\n"), running), undefined);
    assert.ok((await reader.rules()).some(({ id, page }) => id === "url-invalid" && page.includes("## Flagged")));
  });
});
