// Folders that are made where they are missing.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../../platform/files/make-folder.ts";

describe("Folder creation", () => {
  const root = mkdtempSync(join(tmpdir(), "make-folder-"));
  after(() => rmSync(root, { recursive: true, force: true }));

  it("a created folder and its parents are private and stay so when created again", () => {
    const path = join(root, "one", "two");
    makeFolder(path);
    makeFolder(path, 0o755);
    if (process.platform !== "win32")
      for (const folder of [join(root, "one"), path]) assert.equal(statSync(folder).mode & 0o777, 0o700, folder);
  });

  it("a file at the path or above it fails the creation", () => {
    const file = join(root, "file");
    writeFileSync(file, "");
    assert.throws(() => makeFolder(file), { code: "EEXIST" });
    assert.throws(() => makeFolder(join(file, "below")), /EEXIST|ENOTDIR/);
  });
});
