// The extension brings the bundles that it starts, and not those of the command line.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listFiles, PackageManager } from "@vscode/vsce";
import { layOut } from "../scripts/package.ts";
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

  it("holds what its users run and read, and nothing for its maintainers", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pack-auth-listed-"));
    layOut(folder);
    const files = await listFiles({ cwd: folder, packageManager: PackageManager.None });
    rmSync(folder, { recursive: true });
    const folders = files.map((file) =>
      file.replace(/^((?:[^/]+\/)?(?:[^/]+\/)?)[^/]*$/, "$1*").replace(/^(media|schemas|examples|dist\/esbuild[^/]*)\/.*$/, "$1/"),
    );
    assert.deepEqual([...new Set(folders)].sort(), [
      "*",
      "dist/*",
      "dist/esbuild-wasm/",
      "docs/*",
      "docs/editors/*",
      "docs/images/*",
      "docs/rules/*",
      "examples/",
      "l10n/*",
      "media/",
      "schemas/",
      "syntaxes/*",
    ]);
    assert.deepEqual(
      files.filter(
        (file) =>
          /\.map$|spec-coverage|performance|decisions|house\.svg|node_modules|\.(?:test|ts)$/.test(file) && !file.startsWith("examples/"),
      ),
      [],
    );
    // Each page that another one leads to is there.
    const pages = files.filter((file) => /^docs\/[^/]+\.md$/.test(file));
    for (const page of pages)
      for (const [, target = ""] of readFileSync(join(root, page), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g))
        assert.ok(files.includes(join(page, "..", target)), `${page} leads to ${target}, which is not packaged`);
  });
});
