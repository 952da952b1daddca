// Paths that an agent names stay inside its folder.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entryInside, pathInside, shownPath } from "../../operations/inside.ts";

describe("A path that an agent names", () => {
  let top: string;
  let folder: string;
  before(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-inside-")));
    folder = join(top, "work");
    mkdirSync(join(folder, "packs/crm"), { recursive: true });
    mkdirSync(join(top, "outside"));
    mkdirSync(join(top, "workshop"));
    writeFileSync(join(folder, "packs/crm/pack.ts"), "");
    writeFileSync(join(top, "outside/pack.ts"), "");
    symlinkSync(join(top, "outside"), join(folder, "link"));
    symlinkSync(join(top, "outside/new.ts"), join(folder, "broken"));
    symlinkSync(join(folder, "packs"), join(folder, "inner"));
    mkdirSync(join(folder, "linked"));
    symlinkSync(join(top, "outside/pack.ts"), join(folder, "linked/pack.ts"));
  });
  after(() => rmSync(top, { recursive: true, force: true }));

  for (const [path, real] of [
    [".", ""],
    ["packs/crm/pack.ts", "packs/crm/pack.ts"],
    ["packs/../packs/crm", "packs/crm"],
    ["inner/crm/pack.ts", "packs/crm/pack.ts"],
    ["new/folder/test.packauth.json", "new/folder/test.packauth.json"],
    ["..hidden", "..hidden"],
    ["packs/crm/pack.ts/below", "packs/crm/pack.ts/below"],
    ["x".repeat(300), "x".repeat(300)],
  ] as const)
    it(`${path} is inside`, () => assert.equal(pathInside(folder, path), join(folder, real)));

  it("an absolute path in the folder is inside", () => assert.equal(pathInside(folder, join(folder, "packs")), join(folder, "packs")));

  for (const path of [
    "..",
    "../outside/pack.ts",
    "link/pack.ts",
    "link",
    "link/new/file",
    "broken",
    "../workshop",
    "a\0b",
    "/etc/passwd",
    "inner/../../outside",
  ])
    it(`${JSON.stringify(path)} is refused`, () => {
      assert.throws(() => pathInside(folder, path), { code: "path-outside", message: /is outside of the folder/ });
    });

  it("a folder's pack is its entry file, unless that is a link that leads outside", () => {
    assert.equal(entryInside(folder, "packs/crm"), join(folder, "packs/crm/pack.ts"));
    assert.throws(() => entryInside(folder, "linked"), { code: "path-outside" });
    assert.throws(() => entryInside(folder, "packs"), { code: "pack-not-found" });
    assert.throws(() => entryInside(folder, "."), { code: "pack-not-found", message: /^The folder .* has none of pack\.ts/ });
  });

  it("a shown path is relative, with slashes", () => {
    assert.deepEqual([shownPath(folder, join(folder, "packs/crm")), shownPath(folder, folder)], ["packs/crm", "."]);
  });
});
