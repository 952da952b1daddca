// A pack that does not parse cannot be built: `check` says so, where an editor has TypeScript's own error.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { analyse } from "../../support/analyse.ts";
import { callCli } from "../../support/call-cli.ts";
import { installToolkit } from "../../support/packs.ts";

const BROKEN = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack(;
`;
const MISSPELT = `${BROKEN}pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic });
`;
const MESSAGE = "Correct the syntax: ')' expected. Until then the pack cannot be built, and --fix leaves this file as it is.";

describe("syntax errors", () => {
  let cwd: string;
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), "pack-auth-syntax-"));
    installToolkit(cwd);
  });
  afterEach(() => rmSync(cwd, { recursive: true, force: true }));
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  };

  it("a syntax error of a pack is an error with TypeScript's message, one a file", async () => {
    write("pack.ts", `${BROKEN}const x = ;\n`);
    const { code, out } = await callCli(["check"], { cwd });
    assert.equal(code, 1);
    assert.ok(out.startsWith(`pack.ts:2:34 error syntax-error\n  ${MESSAGE}\n`), out);
    assert.match(out, /^1 error, 0 warnings in 1 file$/m);
  });

  it("a syntax error has its rule, message and place in each format of the report", async () => {
    write("pack.ts", BROKEN);
    const report = async (format: string) => (await callCli(["check", "--format", format], { cwd })).out;
    const [finding] = JSON.parse(await report("json")).files[0].diagnostics;
    assert.deepEqual([finding.rule, finding.severity, finding.message], ["syntax-error", "error", MESSAGE]);
    assert.deepEqual(finding.range.start, { line: 1, character: 33 });
    const [result] = JSON.parse(await report("sarif")).runs[0].results;
    assert.deepEqual([result.ruleId, result.ruleIndex, result.level], ["syntax-error", 0, "error"]);
    assert.match(
      await report("github"),
      /^::error file=pack\.ts,line=2,endLine=2,col=34,endColumn=35,title=syntax-error::Correct the syntax/,
    );
  });

  it("a file with a syntax error is not fixed, and --fix says so", async () => {
    write("pack.ts", MISSPELT);
    const before = await callCli(["check"], { cwd });
    assert.match(before.out, /auth-type-unknown/);
    assert.doesNotMatch(before.out, /can be fixed by --fix/);
    const { code, out } = await callCli(["check", "--fix"], { cwd });
    assert.equal(code, 1);
    assert.ok(out.includes(`pack.ts:2:34 error syntax-error\n  ${MESSAGE}\n`), out);
    assert.match(out, /^0 fixed, 2 need you$/m);
    assert.equal(readFileSync(join(cwd, "pack.ts"), "utf8"), MISSPELT);
  });

  it("a syntax error is reported in files that a pack imports, and in no others", async () => {
    write("pack.ts", `import { url } from "./url";\n${BROKEN.replace("(;", "();")}export const a = url;\n`);
    write("url.ts", 'export const url = "https://acme.example;\n');
    write("notes.ts", "export const = 1;\n");
    const { code, out } = await callCli(["check"], { cwd });
    assert.equal(code, 1);
    assert.match(out, /^url\.ts:1:42 error syntax-error$/m);
    assert.match(out, /^1 error, 0 warnings in 3 files$/m);
    write(".packauthrc.json", '{ "ignore": ["url.ts"] }');
    assert.equal((await callCli(["check"], { cwd })).code, 0);
  });

  it("a comment switches the rule off for its file, and counts as used", async () => {
    const check = () => callCli(["check"], { cwd });
    write("pack.ts", `// pack-auth-disable-file syntax-error\n${BROKEN}`);
    assert.equal((await check()).code, 0);
    // No pack that anybody can make out; of the other rule nothing is known.
    const broken = 'import * as coda from "@codahq/packs-sdk";\npack.addNetworkDomain(;\n';
    write("pack.ts", broken);
    assert.equal((await check()).code, 1);
    write("pack.ts", `// pack-auth-disable-file syntax-error\n// pack-auth-disable-file field-missing\n${broken}`);
    const { code, out } = await check();
    assert.deepEqual([code, /suppression-unused/.test(out)], [0, false], out);
  });

  it("a syntax error, and its silencing comment, is left to TypeScript in an editor", () => {
    const pack = `// pack-auth-disable-file syntax-error\n${BROKEN}`;
    assert.deepEqual(analyse({ "/pack/pack.ts": BROKEN }).diagnostics("/pack/pack.ts"), []);
    assert.deepEqual(analyse({ "/pack/pack.ts": pack }).diagnostics("/pack/pack.ts"), []);
  });
});
