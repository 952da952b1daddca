// Files as they come from other editors and other programs: marked, with other line ends, or no text at all.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callCli } from "../../support/call-cli.ts";
import { installToolkit } from "../../support/packs.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n';
const BAD = `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic });\n`;

describe("a check of odd files", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-odd-"));
    installToolkit(folder);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const run = (...args: string[]) => callCli(["check", ...args], { cwd: folder });

  for (const [name, eol] of [
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ] as const)
    it(`a BOM file with ${name} line ends is flagged in place and fixed as written`, async () => {
      const text = `\ufeff${BAD.replaceAll("\n", eol)}`;
      writeFileSync(join(folder, "pack.ts"), text);
      const { code, out } = await run("--format", "json");
      assert.equal(code, 1);
      const [{ range, rule }] = JSON.parse(out).files[0].diagnostics;
      assert.equal(rule, "auth-type-unknown");
      assert.deepEqual(range.start, { line: 3, character: 59 });
      assert.equal((await run("--fix")).code, 0);
      assert.equal(readFileSync(join(folder, "pack.ts"), "utf8"), text.replace("WebBsic", "WebBasic"));
    });

  for (const [name, encode] of [
    ["little", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")],
    ["big", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
  ] as const)
    it(`a ${name}-endian UTF-16 file is read with right positions, also when imported`, async () => {
      writeFileSync(
        join(folder, "pack.ts"),
        encode(BAD.replace('"example.com"', "DOMAIN").replace("import", 'import { DOMAIN } from "./domain";\nimport')),
      );
      writeFileSync(join(folder, "domain.ts"), encode('export const DOMAIN = "https://example.com";\n'));
      const { files } = JSON.parse((await run("--format", "json")).out);
      assert.deepEqual(
        files.map(({ path, diagnostics }: { path: string; diagnostics: { rule: string }[] }) => [
          path,
          ...diagnostics.map(({ rule }) => rule),
        ]),
        [["domain.ts"], ["pack.ts", "network-domain-form", "auth-type-unknown"]],
      );
      assert.deepEqual(files[1].diagnostics[1].range.start, { line: 4, character: 59 });
    });

  for (const [name, bytes] of Object.entries({
    empty: Buffer.alloc(0),
    "zeros alone": Buffer.alloc(5_000),
    "bytes that are no text around a pack": Buffer.concat([
      Buffer.from([0xff, 0xd8, 0x00, 0x80]),
      Buffer.from(BAD),
      Buffer.from([0xc0, 0xaf, 0xed, 0xa0, 0x80]),
    ]),
    "UTF-16": Buffer.from(`\ufeff${BAD}`, "utf16le"),
  }))
    it(`the check gives an answer and leaves the bytes: ${name}`, async () => {
      writeFileSync(join(folder, "pack.ts"), bytes);
      for (const args of [[], ["--fix"], ["--format", "sarif"]]) {
        const { code, err } = await run(...args);
        assert.ok(code <= 2, `${code}`);
        assert.doesNotMatch(err, /\bat .*cli/);
      }
      assert.deepEqual(readFileSync(join(folder, "pack.ts")), bytes);
    });

  it("--fix says why it changes nothing in another encoding", async () => {
    writeFileSync(join(folder, "pack.ts"), Buffer.from(`\ufeff${BAD}`, "utf16le"));
    const { code, err } = await run("--fix");
    assert.equal(code, 1);
    assert.match(err, /^pack-auth: .*pack\.ts is not fixed, because it is not UTF-8\. Save it as UTF-8, and try again\.\n$/);
  });

  it("a file longer than any string is skipped, and the pack beside it is checked", async () => {
    writeFileSync(join(folder, "film.ts"), Buffer.from([0x47, 0x40, 0x11, 0x10]));
    truncateSync(join(folder, "film.ts"), 2 ** 32);
    writeFileSync(join(folder, "pack.ts"), BAD);
    const { code, out, err } = await run();
    assert.equal(code, 1, err);
    assert.match(out, /pack\.ts:4:\d+ error auth-type-unknown/);
    assert.doesNotMatch(out, /film/);
    assert.equal(err, "");
  });
});
