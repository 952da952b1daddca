// Files that are no files, under every name that a check looks for: it ends, and the pack beside them is checked.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeWhole } from "../../../platform/files/write-file.ts";
import { root } from "../../support/packs.ts";
import { SPECIAL_FILES } from "../../support/special-files.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
import { a } from "./helper";
import { b } from "own/b";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
pack.setUserAuthentication({ type: coda.AuthenticationType.Nope, a, b });
`;

describe("a check of special files", function () {
  this.timeout(60_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-special-"));
    writeFileSync(join(folder, "pack.ts"), PACK);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  // A hang guard.
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, "dist/cli.cjs"), "check", ...args], { cwd: folder, encoding: "utf8", timeout: 20_000 });

  for (const [kind, make] of Object.entries(SPECIAL_FILES)) {
    it(`${kind} as a configuration, ignore list or package is skipped`, () => {
      for (const name of ["tsconfig.json", "jsconfig.json", ".gitignore", ".packauthrc.json", "package.json", "package-lock.json"])
        make(join(folder, name));
      mkdirSync(join(folder, "node_modules/own"), { recursive: true });
      make(join(folder, "node_modules/own/package.json"));
      mkdirSync(join(folder, ".git/info"), { recursive: true });
      make(join(folder, ".git/info/exclude"));
      const { status, stdout, stderr } = run();
      assert.equal(status, 1, stderr);
      assert.match(stdout, /auth-type-unknown/);
    });

    it(`${kind} as an imported source is skipped, and a check that names it ends`, () => {
      make(join(folder, "helper.ts"));
      assert.match(run("pack.ts").stdout, /auth-type-unknown/);
      assert.match(run().stdout, /auth-type-unknown/);
      const { status } = run("helper.ts");
      assert.ok(status !== null, "still runs");
    });

    it(`${kind} as what a configuration extends: passed over`, () => {
      make(join(folder, "base.json"));
      writeFileSync(join(folder, "tsconfig.json"), '{ "extends": ["./base.json", "./base"] }');
      assert.match(run().stdout, /auth-type-unknown/);
    });
  }

  it("a link at the temporary name of the cache is not written through", async () => {
    const [elsewhere, memory] = [join(folder, "elsewhere.txt"), join(folder, "memory.json")];
    writeFileSync(elsewhere, "of somebody else");
    symlinkSync(elsewhere, `${memory}.${process.pid}.tmp`);
    await writeWhole(memory, "{}");
    assert.equal(readFileSync(elsewhere, "utf8"), "of somebody else");
    assert.ok(lstatSync(memory).isFile());
  });
});
