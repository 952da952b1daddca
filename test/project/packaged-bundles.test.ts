// The extension brings the bundles that it starts: its own, and those of the command line for its tasks.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listFiles, PackageManager } from "@vscode/vsce";
import { layOut } from "../../scripts/package.ts";
import { root } from "../support/packs.ts";

describe("the extension's package", () => {
  it("every bundle that a packaged bundle names is packaged, and no other", () => {
    const packed = [...readFileSync(join(root, ".vscodeignore"), "utf8").matchAll(/^!dist\/([\w-]+\.cjs)$/gm)].map(([, name = ""]) => name);
    const named = new Set(["client.cjs"]);
    for (const bundle of named)
      for (const [name] of readFileSync(join(root, "dist", bundle), "utf8").matchAll(/\b[a-z][a-z-]*\.cjs\b/g))
        if (existsSync(join(root, "dist", name))) named.add(name);
    assert.deepEqual([...named].sort(), packed.sort());
  });

  it("a setting that names a program is the person's own, and never of a workspace", () => {
    const { contributes } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      contributes: { configuration: readonly { properties: Record<string, { scope?: string }> }[] };
    };
    const settings = Object.assign({}, ...[contributes.configuration].flat().map(({ properties }) => properties));
    for (const name of ["nodePath", "onePasswordProgram", "useWorkspaceEsbuild"])
      assert.equal(settings[`packAuth.${name}`]?.scope, "machine", name);
  });

  it("the command line of tasks runs from the package's files alone", () => {
    const folder = mkdtempSync(join(tmpdir(), "pack-auth-laid-out-"));
    layOut(folder);
    const packed = [...readFileSync(join(root, ".vscodeignore"), "utf8").matchAll(/^!dist\/([\w-]+\.cjs)$/gm)].map(([, name = ""]) => name);
    for (const name of readdirSync(join(folder, "dist")))
      if (name.endsWith(".cjs") && !packed.includes(name)) rmSync(join(folder, "dist", name));
    writeFileSync(
      join(folder, "pack.ts"),
      'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.setUserAuthentication({});\n',
    );
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [join(folder, "dist/cli.cjs"), ...args], {
        encoding: "utf8",
        cwd: folder,
        env: { PATH: process.env.PATH },
      });
    const check = run("check", "pack.ts");
    const test = run("test", "pack.ts");
    rmSync(folder, { recursive: true });
    assert.match(check.stdout, /auth-type-missing/, check.stderr);
    assert.match(test.stderr, /ends in \.packauth\.json/, test.stdout);
  });

  it("files that users run and read are packaged, and none for maintainers", async () => {
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
      "docs/failures/*",
      "docs/images/*",
      "docs/rules/*",
      "examples/",
      "media/",
      "schemas/",
      "syntaxes/*",
    ]);
    assert.deepEqual(
      files.filter(
        (file) => /\.map$|performance|decisions|house\.svg|node_modules|\.(?:test|ts)$/.test(file) && !file.startsWith("examples/"),
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
