// The command line and the language server start and answer on every Node that is supported.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { startServer } from "../support/lsp-client.ts";
import { nodeVersions } from "../support/nodes.ts";
import { root } from "../support/packs.ts";

for (const node of nodeVersions()) {
  describe(`on ${node.name}`, function () {
    this.timeout(60_000);

    it("checks the examples", () => {
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

    it("serves a language client", async () => {
      const client = await startServer({ node: node.path });
      client.open(
        "file:///pack.ts",
        'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({});\n',
      );
      assert.deepEqual(
        (await client.pull("file:///pack.ts")).map((found) => found.code),
        ["auth-type-missing"],
      );
      await client.stop();
    });
  });
}
