// What the guides tell to install: until the package is published, the one that is packed from a checkout.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../support/packs.ts";

const guides = (): readonly string[] => [
  "README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

describe("the packed command line", function () {
  this.timeout(120_000);

  it("is what the guides tell to install: none fetches a name that nobody holds yet", () => {
    for (const guide of guides())
      assert.doesNotMatch(
        readFileSync(join(root, guide), "utf8"),
        /\bnpx (?:-\S+ )*pack-auth\b|npm (?:i|install) (?:-\S+ )*pack-auth\b/,
        guide,
      );
    assert.match(readFileSync(join(root, "README.md"), "utf8"), /npm install --global "\$\(npm pack --silent\)"/);
  });

  it("checks and explains where it is installed", () => {
    const folder = mkdtempSync(join(tmpdir(), "pack-auth-packed-"));
    try {
      const npm = (...args: readonly string[]): string =>
        execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
      const tarball = npm("pack", "--silent", "--ignore-scripts", "--pack-destination", folder).trim();
      npm("install", "--global", "--offline", "--omit=optional", "--no-audit", "--no-fund", "--prefix", folder, join(folder, tarball));
      const call = (...args: readonly string[]): string =>
        execFileSync(process.execPath, [join(folder, "bin/pack-auth"), ...args], { cwd: root, encoding: "utf8" });
      assert.match(call("check", "examples/todo-oauth2"), /No problems|0 errors/i);
      assert.match(call("explain", "field-missing"), /field-missing/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
