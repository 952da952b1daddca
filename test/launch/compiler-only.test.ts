// The bundles hold a part of TypeScript: nothing that this part needs may be missing, and it finds what the whole finds.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { createDisk } from "../../cli/disk.ts";
import { findFiles } from "../../cli/files.ts";
import { compilerOnly } from "../../scripts/compiler-only.ts";
import { createAnalysis } from "../../server/analysis/analysis.ts";
import { root } from "../support/packs.ts";

describe("the part of TypeScript in the bundles", function () {
  this.timeout(120_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-compiler-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("names nothing that was left out", async () => {
    const bundle = join(folder, "bundle.cjs");
    await build({
      bundle: true,
      platform: "node",
      format: "cjs",
      outfile: bundle,
      entryPoints: [join(root, "server/main.ts")],
      plugins: [compilerOnly],
      define: { "import.meta.url": "undefined" },
      logLevel: "error",
    });
    assert.doesNotMatch(readFileSync(bundle, "utf8"), /\bcreateTypeChecker\b/);
    const { stdout } = spawnSync(
      process.execPath,
      [
        join(root, "node_modules/typescript/bin/tsc"),
        ...["--allowJs", "--checkJs", "--noEmit", "--skipLibCheck", "--target", "esnext", "--module", "commonjs"],
        ...["--types", "node", "--typeRoots", join(root, "node_modules/@types"), bundle],
      ],
      { encoding: "utf8", cwd: folder, maxBuffer: 2 ** 28 },
    );
    const lines = stdout.split("\n");
    assert.ok(lines.length > 100, "JavaScript of others is never without findings, so it was looked at");
    // Names only: not found, not found but alike, not in scope for a short property.
    const missing = lines.filter((line) => /TS(?:2304|2552|18004):/.test(line));
    // TypeScript's own, where Node's profiler ends.
    assert.deepEqual(
      missing.filter((line) => !line.includes("'onProfilerEvent'")),
      [],
    );
  });

  it("finds what the whole finds", () => {
    const samples = join(root, "node_modules/@codahq/packs-sdk/documentation/samples");
    const { stdout, stderr } = spawnSync(process.execPath, [join(root, "dist/cli.cjs"), "check", ".", "--format", "json"], {
      encoding: "utf8",
      cwd: samples,
      maxBuffer: 2 ** 28,
    });
    type Found = readonly { readonly rule: string; readonly message: string }[];
    const { files } = JSON.parse(stdout) as { readonly files: readonly { readonly path: string; readonly diagnostics: Found }[] };
    assert.equal(stderr, "");
    const disk = createDisk();
    const analysis = createAnalysis({ readFile: disk.read });
    const paths = findFiles(["."], samples);
    analysis.addCandidates(paths);
    const short = (found: Found) => found.map(({ rule, message }) => ({ rule, message }));
    const expected = paths.map((path) => short(analysis.diagnostics(path)));
    assert.ok(expected.flat().length > 0);
    assert.deepEqual(
      files.map(({ diagnostics }) => short(diagnostics)),
      expected,
    );
  });
});
