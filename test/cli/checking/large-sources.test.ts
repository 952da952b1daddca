// Ten megabytes on one line before `pack-auth check`: an answer, in every format, that says what was not checked.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installToolkit, root } from "../../support/packs.ts";

const HEAD =
  'import*as coda from"@codahq/packs-sdk";export const pack=coda.newPack();pack.addNetworkDomain("acme.example");pack.setUserAuthentication({type:coda.AuthenticationType.WebBsic});';
const FILLER = "function f(a,b){var c=a+b;return{k:[c,/x/g],n:x=>x*2}};".repeat(180_000);

describe("a check of ten megabytes on one line", function () {
  // A hang guard.
  this.timeout(120_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-large-"));
    installToolkit(folder);
    writeFileSync(join(folder, "bundle.js"), HEAD + FILLER);
    writeFileSync(join(folder, "plain.js"), FILLER);
    writeFileSync(join(folder, "pack.ts"), HEAD);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const run = (input: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(root, "dist/cli.cjs"), "check", ...args], {
      cwd: folder,
      encoding: "utf8",
      input,
      maxBuffer: 2 ** 28,
    });

  it("the large file gets a short warning, and the other files are checked", () => {
    const { status, stdout } = run("");
    assert.equal(status, 1);
    assert.ok(stdout.length < 5_000, `${stdout.length} characters`);
    assert.match(stdout, /bundle\.js:1:1 warning source-not-checked/);
    assert.match(stdout, /pack\.ts:1:\d+ error auth-type-unknown/);
    assert.ok(!stdout.includes("plain.js"));
  });

  for (const format of ["json", "sarif", "github"])
    it(`the ${format} report has a warning alone, and the check passes`, () => {
      const { status, stdout } = run("", "bundle.js", "plain.js", "--format", format);
      assert.equal(status, 0);
      assert.ok(stdout.length < 200_000, `${stdout.length} characters`);
      assert.match(stdout, /source-not-checked/);
      assert.doesNotMatch(stdout, /auth-type-unknown.*WebBsic/);
    });

  it("--fix passes a large standard input through unchanged", () => {
    const { status, stdout, stderr } = run(HEAD + FILLER, "--fix", "--stdin", "--stdin-filepath", "bundle.js");
    assert.equal(status, 0, stderr);
    assert.equal(stdout === HEAD + FILLER, true);
    assert.match(stderr, /source-not-checked/);
  });
});
