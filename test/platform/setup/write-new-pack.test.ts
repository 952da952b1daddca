import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeNewPack } from "../../../platform/setup/write-new-pack.ts";

describe("The files of a new pack", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-new-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("a file that cannot be written leaves none of the others, and nothing behind a link is written", () => {
    symlinkSync(join(folder, "elsewhere"), join(folder, "package.json"));
    writeFileSync(join(folder, "notes.txt"), "");
    assert.throws(() => writeNewPack(folder, folder, { "pack.ts": "1", "package.json": "{}" }), { code: "storage-failed" });
    assert.deepEqual(readdirSync(folder).sort(), ["notes.txt", "package.json"]);
  });

  it("an existing pack is not overwritten, and stays", () => {
    writeFileSync(join(folder, "pack.ts"), "");
    assert.throws(() => writeNewPack(folder, folder, { "pack.ts": "1" }), { code: "storage-failed" });
    assert.deepEqual(readdirSync(folder), ["pack.ts"]);
  });
});
