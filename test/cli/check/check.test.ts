// `pack-auth check` as CI runs it: its exit code and what it prints.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DIAGNOSES } from "../../../platform/diagnosis/order.ts";
import { RULES } from "../../../server/analysis/rules/index.ts";
import { callCli } from "../../support/call-cli.ts";
import { installToolkit, root } from "../../support/packs.ts";

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
  const run = (...args: string[]) => callCli(args, { cwd: folder });

  it("a clean pack exits 0 and an error exits 1, without colours in a pipe", async () => {
    write("pack.ts", GOOD);
    assert.equal((await run("check")).code, 0);
    write("pack.ts", BAD);
    const { code, out } = await run("check");
    assert.equal(code, 1);
    assert.match(out, /^pack\.ts:4:60 error auth-type-unknown\n/);
    assert.match(out, /4 \| pack\.setUserAuthentication/);
    assert.match(out, /\n {2} {2}\| +\^{7}\n/);
    assert.ok(!out.includes("\u001b"));
  });

  it("packages of a monorepo that node_modules links to are checked", async () => {
    write("packages/auth/src/index.ts", 'export const DOMAIN = "https://example.com";\n');
    write("packages/auth/package.json", '{ "name": "@me/auth", "main": "dist/index.js" }');
    mkdirSync(join(folder, "node_modules/@me"), { recursive: true });
    symlinkSync(join(folder, "packages/auth"), join(folder, "node_modules/@me/auth"));
    write("packs/a/pack.ts", `import { DOMAIN } from "@me/auth";\n${GOOD.replace('"example.com"', "DOMAIN")}`);
    const { code, out } = await run("check", "packs");
    assert.equal(code, 1);
    assert.match(out, /^packs\/a\/pack\.ts:4:23 error network-domain-form\n/);
  });

  it("a named file that builds a pack brings the findings of the pack's other files, and --fix changes the named file alone", async () => {
    const helper =
      'import { pack } from "../pack";\nimport * as coda from "@codahq/packs-sdk";\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic });\n';
    write(
      "pack.ts",
      'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("https://example.com");\nimport "./src/auth";\n',
    );
    write("src/auth.ts", helper);
    write("src/unused.ts", BAD);
    const { code, out } = await run("check", "pack.ts");
    assert.equal(code, 1);
    assert.match(out, /^pack\.ts:3:23 error network-domain-form\n/);
    assert.match(out, /^src\/auth\.ts:3:60 error auth-type-unknown\n/m);
    assert.match(out, /^2 errors, 0 warnings in 2 files\nThe upload rejects 2\n1 problem can be fixed by --fix\n/m);
    const part = await run("check", "src/auth.ts");
    assert.match(part.out, /^1 error, 0 warnings in 1 file\n/m);
    const fixed = await run("check", "pack.ts", "--fix");
    assert.deepEqual([fixed.code, readFileSync(join(folder, "src/auth.ts"), "utf8")], [1, helper]);
    assert.match(fixed.out, /^src\/auth\.ts:3:60 error auth-type-unknown\n/m);
    assert.match(fixed.out, /^1 error, 0 warnings in 2 files\n/m);
    write(".packauthrc.json", '{ "ignore": ["src/**"] }');
    assert.equal((await run("check", "pack.ts")).code, 0);
  });

  it("a folder is checked with the JSON files that its packs import, and with no other", async () => {
    write("app/pack.ts", `${HEAD}import auth from "../auth.json";\npack.setUserAuthentication(auth as any);\n`);
    write("auth.json", '{ "type": "CustomHeaderToken" }');
    write("app/other.json", '{ "type": "CustomHeaderToken" }');
    const { code, out } = await run("check", "app");
    assert.equal(code, 1);
    assert.match(out, /^auth\.json:1:3 error field-missing\n/);
    assert.match(out, /^1 error, 0 warnings in 2 files\n/m);
  });

  it("the json report has every file, LSP positions, and fixes with edits", async () => {
    write("a/pack.ts", BAD);
    write("b.ts", "export const nothing = 1;\n");
    write("node_modules/x/pack.ts", BAD);
    write(".gitignore", "ignored\n");
    write("ignored/pack.ts", BAD);
    const { code, out } = await run("check", ".", "--format", "json");
    assert.equal(code, 1);
    const report = JSON.parse(out);
    assert.equal(report.version, 1);
    assert.deepEqual(
      report.files.map((file: { path: string }) => file.path),
      ["a/pack.ts", "b.ts"],
    );
    const verdicts = { "will-be-rejected": 1, "needs-approval": 0, "fails-when-run": 0, "not-judged": 0 };
    assert.deepEqual(report.summary, { files: 2, errors: 1, warnings: 0, informations: 0, verdicts });
    const [diagnostic] = report.files[0].diagnostics;
    assert.equal(diagnostic.rule, "auth-type-unknown");
    assert.equal(diagnostic.severity, "error");
    assert.deepEqual(diagnostic.range, { start: { line: 3, character: 59 }, end: { line: 3, character: 66 } });
    assert.deepEqual(diagnostic.fixes[0], {
      title: "Change to WebBasic",
      edits: [{ path: "a/pack.ts", range: diagnostic.range, newText: "WebBasic" }],
    });
  });

  it("files, folders, globs and --max-warnings are accepted", async () => {
    write("x/one.ts", WARNING);
    assert.equal((await run("check", "x")).code, 0);
    assert.equal((await run("check", "x/*.ts", "--max-warnings", "1")).code, 0);
    const { code, err } = await run("check", "x/one.ts", "--max-warnings", "0");
    assert.equal(code, 1);
    assert.equal(err, "pack-auth: Too many warnings (1): --max-warnings allows 0.\n");
  });

  it("--level limits the report, and the rest is still counted", async () => {
    write("x/one.ts", WARNING);
    const { code, out } = await run("check", "x/one.ts", "--level", "error", "--max-warnings", "0");
    assert.equal(code, 1);
    assert.match(out, /^0 errors, 1 warning in 1 file\n/);
    const { files, summary } = JSON.parse((await run("check", "x/one.ts", "--level", "error", "--format", "json")).out);
    assert.deepEqual([files[0].diagnostics, summary.warnings], [[], 1]);
    assert.match((await run("check", "x/one.ts", "--level", "warning")).out, /^x\/one\.ts:\d+:\d+ warning /);
    assert.match((await run("check", "--level", "notes")).err, /--level must be note, warning or error, not notes/);
  });

  it("a wrong call exits 2 and says why", async () => {
    write(".packauthrc.json", '{\n  "rules": { "auth-type-unknwon": "off" }\n}');
    write("pack.ts", GOOD);
    for (const [args, message] of [
      [["check", "nowhere"], /no file or folder nowhere/],
      [["check", "--fromat", "json"], /no option --fromat\. Did you mean --format\?/],
      [["chek"], /no command chek\. Did you mean check\?/],
      [["explain", "auth-type-mising"], /Did you mean auth-type-missing/],
      [["check"], /^pack-auth: \.packauthrc\.json:2:14: There is no rule auth-type-unknwon\. Did you mean auth-type-unknown\?\n$/],
    ] as const) {
      const { code, err, out } = await run(...args);
      assert.equal(code, 2, args.join(" "));
      assert.match(err, message);
      assert.equal(out, "");
    }
  });

  it("a literal secret in an account file exits 2 with its place, and without the secret", async () => {
    write("packauth.accounts.json", '{"version":1,"accounts":[{"label":"a","secrets":{"token":"ghp_canary"}}]}');
    write("pack.ts", GOOD);
    const { code, err, out } = await run("check");
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /^pack-auth: packauth\.accounts\.json:1:58: This is a secret, .* Revoke it/);
    assert.doesNotMatch(err, /canary/);
  });

  it("an unchecked file is named, and the exit code is 2 when nothing is checked", async () => {
    write("docs/a.md", "# a");
    write("pack.ts", GOOD);
    write("types.d.ts", "");
    const some = await run("check", "pack.ts", "docs/a.md", "types.d.ts");
    assert.deepEqual([some.code, some.out], [0, "0 errors, 0 warnings in 1 file\n"]);
    assert.equal(
      some.err,
      "pack-auth: docs/a.md is not checked: it is not TypeScript or JavaScript.\npack-auth: types.d.ts is not checked: it only declares types.\n",
    );
    for (const paths of [["docs/a.md"], ["docs"], ["docs", "types.d.ts"]]) {
      const none = await run("check", ...paths);
      assert.deepEqual([none.code, none.out], [2, ""], none.err);
      assert.ok(none.err.includes(`pack-auth: There is nothing to check in ${paths.join(", ")}. `), none.err);
    }
    const here = await callCli(["check", "."], { cwd: join(folder, "docs") });
    assert.ok(here.err.includes(`nothing to check in ${join(folder, "docs")}. `), here.err);
    const filter = await callCli(["check", "--stdin", "--stdin-filepath", "x.py"], { cwd: folder, input: BAD });
    assert.deepEqual([filter.code, filter.out], [2, ""]);
    assert.match(filter.err, /x\.py cannot be checked: it is not TypeScript or JavaScript\. Correct --stdin-filepath\./);
  });

  it("a file that cannot be read exits 2 when named, and is skipped in a folder", async () => {
    write("bad.ts", BAD);
    mkdirSync(join(folder, "folder.ts"));
    symlinkSync(join(folder, "missing"), join(folder, "link.ts"));
    const { code, out, err } = await run("check", "bad.ts", "link.ts", "--format", "json");
    assert.equal(code, 2);
    assert.match(err, /no file or folder link\.ts/);
    assert.equal(out, "");
    const jsonRun = await run("check", "--format", "json");
    assert.equal(jsonRun.code, 1);
    assert.equal(JSON.parse(jsonRun.out).files.length, 1);
  });

  it("help, an explanation and the version are printed", async () => {
    assert.match((await run("--help")).out, /pack-auth check \[paths…\]/);
    assert.match((await run("help", "check")).out, /--max-warnings N.*Examples:/s);
    assert.match((await run("explain", "field-missing")).out, /needs.*Flagged/s);
    assert.match((await run("explain", "too-many-requests")).out, /Wait as long as it says.*Examples/s);
    assert.equal((await run("explain")).out.trim().split("\n").length, RULES.length + DIAGNOSES.length);
    assert.match((await run("--version")).out, /^\d+\.\d+\.\d+\n$/);
  });

  it("--fix fixes the file, reports each fix, and writes nothing else", async () => {
    write("pack.ts", BAD.replaceAll("\n", "\r\n"));
    write("other.ts", WARNING);
    const before = statSync(join(folder, "other.ts")).mtimeMs;
    const { code, out } = await run("check", "--fix");
    assert.equal(code, 0, out);
    assert.match(out, /fixed pack\.ts auth-type-unknown Change to WebBasic\n/);
    assert.equal(readFileSync(join(folder, "pack.ts"), "utf8"), GOOD.replaceAll("\n", "\r\n"));
    assert.equal(statSync(join(folder, "other.ts")).mtimeMs, before);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name !== "node_modules"),
      ["other.ts", "pack.ts"],
    );
  });

  it("standard input is checked as a file of its pack, and fixed to standard output", async () => {
    write("params.ts", 'export const name = "key";\n');
    write(".packauthrc.json", '{ "ignore": ["ignored.ts"], "rules": { "auth-type-unknown": "warning" } }');
    const input = `import { name } from "./params";\n${BAD}pack.setSystemAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name, description: "K" }] });\n`;
    const report = JSON.parse(
      (await callCli(["check", "--stdin", "--stdin-filepath", "new.ts", "--format", "json"], { cwd: folder, input: input })).out,
    );
    assert.equal(report.files[0].path, "new.ts");
    assert.ok(
      report.files[0].diagnostics.some(
        ({ rule, severity }: Record<string, string>) => rule === "auth-type-unknown" && severity === "warning",
      ),
    );
    const { out, err } = await callCli(["check", "--stdin", "--stdin-filepath", "new.ts", "--fix"], { cwd: folder, input: input });
    assert.equal(out, input.replace("WebBsic", "WebBasic"));
    assert.match(err, /fixed new\.ts/);
    assert.deepEqual(
      JSON.parse(
        (await callCli(["check", "--stdin", "--stdin-filepath", "ignored.ts", "--format", "json"], { cwd: folder, input: BAD })).out,
      ).files,
      [],
    );
    assert.ok(!existsSync(join(folder, "new.ts")));
  });

  it("a check whose reader goes away ends without a message, with its exit code", async () => {
    write("pack.ts", `${HEAD}${"pack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic });\n".repeat(450)}`);
    const child = spawn(process.execPath, [join(root, "dist/cli.cjs"), "check"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (data) => {
      stderr += data;
    });
    child.stdout.once("data", () => child.stdout.destroy());
    const [code] = await once(child, "close");
    assert.equal(stderr, "");
    assert.equal(code, 1);
  });
});
