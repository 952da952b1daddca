// The command line answers on every Node that is supported. That the language server does is shown where it is installed, in packed.test.ts.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { nodeVersions } from "../../support/nodes.ts";
import { root } from "../../support/packs.ts";

for (const node of nodeVersions()) {
  describe(`the command line on ${node.name}`, function () {
    this.timeout(60_000);

    it("the examples have findings in custom-placeholders and mistakes alone", () => {
      const { status, stdout, stderr } = spawnSync(node.path, [join(root, "dist/cli.cjs"), "check", "examples", "--format", "json"], {
        cwd: root,
        encoding: "utf8",
      });
      assert.equal(status, 1, stderr);
      const { files } = JSON.parse(stdout) as { files: readonly { path: string; diagnostics: readonly unknown[] }[] };
      assert.ok(files.length > 5, `${files.length} files`);
      assert.deepEqual(
        files.flatMap(({ path, diagnostics }) => (diagnostics.length > 0 ? [path] : [])),
        // Custom authentication is to be approved, which is information.
        ["examples/custom-placeholders/pack.ts", "examples/mistakes/pack.ts"],
      );
    });
  });
}
