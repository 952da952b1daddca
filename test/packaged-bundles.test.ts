// The extension brings the bundles that it starts, and not those of the command line.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./support/packs.ts";

describe("the extension's package", () => {
  it("holds every bundle that one of its bundles names, and none beside them", () => {
    const packed = [...readFileSync(join(root, ".vscodeignore"), "utf8").matchAll(/^!dist\/([\w-]+\.cjs)$/gm)].map(([, name = ""]) => name);
    const named = new Set(["client.cjs"]);
    for (const bundle of named)
      for (const [name] of readFileSync(join(root, "dist", bundle), "utf8").matchAll(/\b[a-z][a-z-]*\.cjs\b/g))
        if (existsSync(join(root, "dist", name))) named.add(name);
    assert.deepEqual([...named].sort(), packed.sort());
  });
});
