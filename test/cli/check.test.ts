// `pack-auth check` as CI runs it: a real process, its exit code and what it prints.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { installToolkit, root } from "../support/packs.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n';
const GOOD = `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });\n`;
const BAD = `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic });\n`;
const WARNING = `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, requiresEndpointUrl: true, postSetup: [{ type: coda.PostSetupType.SetEndpoint, name: "A", description: "B", getOptions: async () => [] }] });\n`;

describe("pack-auth check", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-cli-"));
    installToolkit(folder);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const run = (...args: string[]) => spawnSync(process.execPath, [join(root, "dist/cli.cjs"), ...args], { cwd: folder, encoding: "utf8" });

  it("exits 0 on a clean pack and 1 on an error, with a code frame and no colours into a pipe", () => {
    write("pack.ts", GOOD);
    assert.equal(run("check").status, 0);
    write("pack.ts", BAD);
    const { status, stdout } = run("check");
    assert.equal(status, 1);
    assert.match(stdout, /^pack\.ts:4:60 error auth-type-unknown\n/);
    assert.match(stdout, /4 \| pack\.setUserAuthentication/);
    assert.match(stdout, /\n {2} {2}\| +\^{7}\n/);
    assert.ok(!stdout.includes("\u001b"));
  });

  it("reports json as documented: every file, LSP positions, fixes with edits", () => {
    write("a/pack.ts", BAD);
    write("b.ts", "export const nothing = 1;\n");
    write("node_modules/x/pack.ts", BAD);
    write(".gitignore", "ignored\n");
    write("ignored/pack.ts", BAD);
    const { status, stdout } = run("check", ".", "--format", "json");
    assert.equal(status, 1);
    const report = JSON.parse(stdout);
    assert.equal(report.version, 1);
    assert.deepEqual(
      report.files.map((file: { path: string }) => file.path),
      ["a/pack.ts", "b.ts"],
    );
    assert.deepEqual(report.summary, { files: 2, errors: 1, warnings: 0, informations: 0 });
    const [diagnostic] = report.files[0].diagnostics;
    assert.equal(diagnostic.rule, "auth-type-unknown");
    assert.equal(diagnostic.severity, "error");
    assert.deepEqual(diagnostic.range, { start: { line: 3, character: 59 }, end: { line: 3, character: 66 } });
    assert.deepEqual(diagnostic.fixes[0], {
      title: "Change to WebBasic",
      edits: [{ path: "a/pack.ts", range: diagnostic.range, newText: "WebBasic" }],
    });
  });

  it("takes files, folders and globs, and --max-warnings", () => {
    write("x/one.ts", WARNING);
    assert.equal(run("check", "x").status, 0);
    assert.equal(run("check", "x/*.ts", "--max-warnings", "1").status, 0);
    assert.equal(run("check", "x/one.ts", "--max-warnings", "0").status, 1);
  });

  it("exits 2 when the call is wrong, and says why", () => {
    for (const [args, message] of [
      [["check", "nowhere"], /no file or folder nowhere/],
      [["check", "*.nothing"], /No file matches/],
      [["check", "--format", "xml"], /--format takes/],
      [["check", "--max-warnings", "many"], /--max-warnings takes/],
      [["check", "--nonsense"], /--nonsense/],
      [["frobnicate"], /no verb frobnicate/],
      [["explain", "auth-type-mising"], /Did you mean auth-type-missing/],
    ] as const) {
      const { status, stderr } = run(...args);
      assert.equal(status, 2, args.join(" "));
      assert.match(stderr, message);
    }
  });

  it("helps, explains and tells its version", () => {
    assert.match(run("--help").stdout, /Usage/);
    assert.match(run("check", "--help").stdout, /--max-warnings/);
    assert.match(run("explain", "field-missing").stdout, /needs/);
    assert.match(run("--version").stdout, /^\d+\.\d+\.\d+\n$/);
  });
});
