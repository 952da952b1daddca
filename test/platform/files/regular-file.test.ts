import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manifestIn } from "../../../platform/bundle/bundle-files.ts";
import { readRegularFile } from "../../../platform/files/regular-file.ts";
import { publishedPack } from "../../../platform/public-api/published-pack.ts";

describe("A small file", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-small-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (name: string, bytes: number): string => {
    const path = join(folder, name);
    writeFileSync(path, `{"packId":7,"name":"a"}${" ".repeat(bytes - 23)}`);
    return path;
  };

  it("a file beyond the bound is not read, and one at it is", () => {
    assert.equal(readRegularFile(write("a.json", 64 * 1024))?.length, 64 * 1024);
    assert.equal(readRegularFile(write("a.json", 64 * 1024 + 1)), undefined);
  });

  it("a .coda-pack.json beyond the bound is reported, and not parsed", () => {
    write(".coda-pack.json", 64 * 1024);
    assert.equal(publishedPack(join(folder, "pack.ts")).packId, 7);
    write(".coda-pack.json", 64 * 1024 + 1);
    assert.throws(() => publishedPack(join(folder, "pack.ts")), { code: "pack-id-missing" });
  });

  it("a package.json has a bound of its own", () => {
    write("package.json", 256 * 1024);
    assert.equal(manifestIn(folder)?.name, "a");
    write("package.json", 256 * 1024 + 1);
    assert.equal(manifestIn(folder), undefined);
  });
});
