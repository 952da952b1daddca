// Which file of a folder builds the pack.
import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { findEntry } from "../../cli/pack-entry.ts";
import { packFiles, removePackFiles } from "../support/pack-file.ts";

describe("the entry of a pack's folder", () => {
  after(removePackFiles);

  for (const name of ["pack.ts", "pack.js", "pack.mts", "pack.mjs", "pack.cts", "pack.cjs", "src/pack.mts", "manifest.ts", "index.ts"])
    it(`is ${name} where it is the only one`, () => {
      const folder = dirname(packFiles({ [name]: "" }));
      assert.equal(findEntry(folder), join(folder, name));
    });

  it("is pack.ts beside any other", () => {
    const file = packFiles({ "pack.ts": "", "pack.mjs": "", "src/pack.ts": "" });
    assert.equal(basename(findEntry(dirname(file))), "pack.ts");
  });

  it("is missing where there is none, and the names that count are told", () => {
    const file = packFiles({ "other.ts": "" });
    assert.throws(() => findEntry(dirname(file)), /has none of pack\.ts, .*pack\.mjs, .*index\.ts\. Name the file/);
  });
});
