// Which file of a folder builds the pack.
import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { findEntry } from "../../cli/pack-entry.ts";
import { packFiles, removePackFiles } from "../support/pack-file.ts";

describe("the entry of a pack's folder", () => {
  after(removePackFiles);

  for (const name of ["pack.ts", "pack.js", "pack.mts", "pack.mjs", "pack.cts", "pack.cjs", "src/pack.mts", "manifest.ts", "index.ts"])
    it(`${name} is the entry when it is the only one`, () => {
      const folder = dirname(packFiles({ [name]: "" }));
      assert.equal(findEntry(folder), join(folder, name));
    });

  it("pack.ts is the entry beside any other", () => {
    const file = packFiles({ "pack.ts": "", "pack.mjs": "", "src/pack.ts": "" });
    assert.equal(basename(findEntry(dirname(file))), "pack.ts");
  });

  it("a folder without an entry is refused with the possible names", () => {
    const file = packFiles({ "other.ts": "" });
    assert.throws(() => findEntry(dirname(file)), /has none of pack\.ts, .*pack\.mjs, .*index\.ts\. Name the file/);
  });
});
