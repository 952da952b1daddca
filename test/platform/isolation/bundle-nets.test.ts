// Each of the two nets of a bundle, alone, judges a file by its real path, whatever the file is called and however it is imported.
import assert from "node:assert/strict";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import fc from "fast-check";
import { createBundler, isStale } from "../../../platform/bundle/bundle.ts";
import { type BundleFiles, bundleFiles } from "../../../platform/bundle/bundle-files.ts";
import { ownFilesOnly, refuseForeign } from "../../../platform/bundle/foreign-files.ts";
import { lay, packWith, removeFolders } from "../../support/bundle-folders.ts";
import { partOf } from "../../support/runs.ts";

describe("The file checks of a bundle", function () {
  this.timeout(120_000);
  after(removeFolders);

  const piece = fc.constantFrom("a", "b c", " with {", " }", "?", "#", "%20", "'", "é", "(disabled)", "{ type: 'text' }", ".json");
  const name = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => `x${pieces.join("")}`);
  const end = fc.constantFrom(".json", ".txt", ".ts", ".js");
  const attribute = fc.constantFrom("", ' with { type: "json" }', ' with { type: "text" }', ' with { type: "bytes" }');
  const suffix = fc.constantFrom("", "?query", "#part", "?a#b with {");
  const place = fc.constantFrom("ws", "ws/lib", "outside");

  it("both checks go by the real path, for any name and attribute", async () => {
    const folder = lay({});
    const working = join(folder, "ws");
    const entry = join(working, "pack.ts");
    const files = (): BundleFiles => bundleFiles(working, entry, "@codahq/packs-sdk");
    const bundled = { own: 0, foreign: 0 };
    await fc.assert(
      fc.asyncProperty(name, end, attribute, suffix, place, fc.boolean(), async (stem, type, attributes, behind, where, hasTwin) => {
        const file = join(folder, where, `${stem}${type}`);
        mkdirSync(join(folder, where), { recursive: true });
        const content = { ".json": '"text"', ".txt": "text", ".ts": 'export default "text"', ".js": 'export default "text"' }[type] ?? "";
        writeFileSync(file, content);
        // A file of the pack's own whose name is the beginning of the other's.
        const twin = join(folder, where, `${stem.split(/ with \{|[?#]/)[0]}`);
        if (hasTwin && where !== "outside") writeFileSync(twin, content);
        const specifier = JSON.stringify(where === "ws" ? `./${stem}${type}${behind}` : `../${where}/${stem}${type}${behind}`);
        writeFileSync(entry, `import x from ${specifier}${attributes};\nimport * as y from ${specifier};\nconsole.log(x, y);\n`);
        const bundle = (plugins: Plugin[]) =>
          build({
            entryPoints: [entry],
            absWorkingDir: working,
            outdir: "out",
            bundle: true,
            write: false,
            metafile: true,
            logLevel: "silent",
            plugins,
          });
        const result = await bundle([]).catch(() => undefined);
        try {
          // esbuild does not find every name, and has a loader for few ends.
          if (result === undefined) return;
          const judged = (): void => refuseForeign(result.metafile, working, files());
          if (where === "outside") {
            bundled.foreign++;
            assert.throws(judged, /is outside of the folder/);
            await assert.rejects(bundle([ownFilesOnly(files)]), /is foreign/);
          } else {
            bundled.own++;
            judged();
            await bundle([ownFilesOnly(files)]);
          }
        } finally {
          rmSync(file);
          rmSync(twin, { force: true });
        }
      }),
      { numRuns: partOf(1_500) },
    );
    assert.ok(bundled.own > 0 && bundled.foreign > 0, JSON.stringify(bundled));
  });

  it("files imported with an attribute or a query are watched and keep the bundle fresh", async () => {
    const folder = lay({
      "ws/pack.ts": packWith('import a from "./a.json" with { type: "json" }; import b from "./b.json?x"; console.log(a, b);'),
      "ws/a.json": "1",
      "ws/b.json": "2",
    });
    const bundler = await createBundler(join(folder, "ws/pack.ts"));
    try {
      const bundle = await bundler.build();
      assert.deepEqual(
        [...bundle.inputs].sort(),
        ["a.json", "b.json", "pack.ts"].map((file) => join(folder, "ws", file)),
      );
      assert.equal(await isStale(bundle, Number.MAX_SAFE_INTEGER), false);
    } finally {
      await bundler.dispose();
    }
  });

  it("a file that changed while a build began makes the bundle stale, although the file's time is that of the last tick", async () => {
    const bundler = await createBundler(join(lay({ "ws/pack.ts": packWith("") }), "ws/pack.ts"));
    try {
      const bundle = await bundler.build();
      const changedAt = Math.max(...bundle.inputs.map((file) => statSync(file).mtimeMs));
      assert.equal(await isStale(bundle, changedAt + 4), true);
      assert.equal(await isStale(bundle, changedAt + 100), false);
    } finally {
      await bundler.dispose();
    }
  });
});
