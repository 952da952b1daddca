// Asking V8 to compile less, on every Node that is supported.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { nodeVersions } from "../support/nodes.ts";
import { root } from "../support/packs.ts";

const [{ text: module = "" } = {}] = buildSync({
  entryPoints: [join(root, "launch/compile-less.ts")],
  format: "iife",
  globalName: "flags",
  bundle: true,
  platform: "node",
  write: false,
}).outputFiles;

/** Says of code that was compiled before whether it is still taken: V8 takes none that was compiled for other flags. */
const PROGRAM = `${module}
const { Script } = require("node:vm");
let asked = 0;
// As long as each other: V8 knows them apart, and code for one fits all.
const source = () => "(function () { return " + asked++ + "; })";
const cachedData = new Script(source()).createCachedData();
const isTaken = () => !new Script(source(), { cachedData }).cachedDataRejected;
const before = isTaken();
flags.compileLess();
console.log(JSON.stringify({ before, less: isTaken() }));`;

for (const node of nodeVersions()) {
  describe(`flags for less compilation, on ${node.name}`, function () {
    this.timeout(60_000);

    it("V8 understands the flags, and takes no code that was compiled without them", () => {
      const { stdout, stderr } = spawnSync(node.path, ["-e", PROGRAM], { encoding: "utf8" });
      assert.equal(stderr, "");
      assert.deepEqual(JSON.parse(stdout), { before: true, less: false });
    });
  });
}
