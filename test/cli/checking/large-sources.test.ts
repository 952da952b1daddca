// Ten megabytes on one line before `pack-auth check`: an answer, in every format, that says what was not checked.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callCli } from "../../support/call-cli.ts";
import { installToolkit } from "../../support/packs.ts";

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
  const run = (input: string, ...args: string[]) => callCli(["check", ...args], { cwd: folder, input });

  it("the large file gets a short warning, and the other files are checked", async () => {
    const { code, out } = await run("");
    assert.equal(code, 1);
    assert.ok(out.length < 5_000, `${out.length} characters`);
    assert.match(out, /bundle\.js:1:1 warning source-not-checked/);
    assert.match(out, /pack\.ts:1:\d+ error auth-type-unknown/);
    assert.ok(!out.includes("plain.js"));
  });

  for (const format of ["json", "sarif", "github"])
    it(`the ${format} report has a warning alone, and the check passes`, async () => {
      const { code, out } = await run("", "bundle.js", "plain.js", "--format", format);
      assert.equal(code, 0);
      assert.ok(out.length < 200_000, `${out.length} characters`);
      assert.match(out, /source-not-checked/);
      assert.doesNotMatch(out, /auth-type-unknown.*WebBsic/);
    });

  it("--fix passes a large standard input through unchanged", async () => {
    const { code, out, err } = await run(HEAD + FILLER, "--fix", "--stdin", "--stdin-filepath", "bundle.js");
    assert.equal(code, 0, err);
    assert.equal(out === HEAD + FILLER, true);
    assert.match(err, /source-not-checked/);
  });
});
