// What each start reads holds nothing that only `pack-auth explain` shows, and that shows it all the same.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RULES } from "../../server/analysis/rules/index.ts";
import { root } from "../support/packs.ts";

const EXAMPLE = /[{,]bad:/g;

describe("the bundles", () => {
  const examplesIn = (bundle: string): number => readFileSync(join(root, "dist", bundle), "latin1").match(EXAMPLE)?.length ?? 0;

  it("of the language server and of a check have no examples of rules, where explain has them all", () => {
    assert.equal(examplesIn("cli-main.cjs"), 0);
    assert.equal(examplesIn("server-main.cjs"), 0);
    assert.ok(examplesIn("explain.cjs") >= RULES.length);
  });

  it("are ASCII, as the launcher reads them: in a tagged template and in a regular expression such signs are written as escapes", () => {
    const dist = join(root, "dist");
    const others = readdirSync(dist).filter((name) => name.endsWith(".cjs") && /[^\0-\x7f]/.test(readFileSync(join(dist, name), "latin1")));
    assert.deepEqual(others, []);
  });

  it("explain a rule with its example", () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "dist/cli.cjs"), "explain", "field-missing"], {
      encoding: "utf8",
    });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /Flagged\n\n {4}import \* as coda/);
  });
});
