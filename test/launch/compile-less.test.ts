// Delays V8's optimization, on every Node that is supported.
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

/** Prints whether V8 accepts compiled code before and after the flags change: it rejects code that was compiled with other flags. */
const PROGRAM = `${module}
const { Script } = require("node:vm");
let count = 0;
// The sources differ, so that V8 compiles each anew, and are equally long, so that code of one fits all.
const source = () => "(function () { return " + count++ + "; })";
const cachedData = new Script(source()).createCachedData();
const isAccepted = () => !new Script(source(), { cachedData }).cachedDataRejected;
const before = isAccepted();
flags.compileLess();
console.log(JSON.stringify({ before, less: isAccepted() }));`;

for (const node of nodeVersions()) {
  describe(`the flags of a check, on ${node.name}`, function () {
    this.timeout(60_000);

    it("V8 knows the flags, and rejects code that was compiled without them", () => {
      const { stdout, stderr } = spawnSync(node.path, ["-e", PROGRAM], { encoding: "utf8" });
      assert.equal(stderr, "");
      assert.deepEqual(JSON.parse(stdout), { before: true, less: false });
    });
  });
}
