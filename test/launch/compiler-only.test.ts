// The bundles hold a part of TypeScript: nothing that this part needs may be missing, and it finds what the whole finds.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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
    findsTheSame(join(root, "node_modules/@codahq/packs-sdk/documentation/samples"));
  });

  it("finds what the whole finds in other languages, rare syntax, mistakes, comments in a tsconfig.json", () => {
    const head = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;
    const config = `pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "http://acme.example/a" });\n`;
    const files = {
      "a.js": `const coda = require("@codahq/packs-sdk");\nexports.pack = coda.newPack();\nexports.${config}`,
      "b.tsx": `${head}const x = <b>text</b>;\n${config}`,
      "c.ts": `${head}namespace N { export const x = 1 }\n${config}`,
      "d.ts": `${head}const x = (1 2;\n${config}`,
      "e.ts": `${head}// pack-auth-disable-next-line oauth2-missing-token-url -- later\n${config}`,
      "f/g.ts": `${head}import { base } from "@/base";\npack.setUserAuthentication({ ...base });\n`,
      "f/src/base.ts": `import * as coda from "@codahq/packs-sdk";\nexport const base = { type: coda.AuthenticationType.OAuth2 };\n`,
      "f/tsconfig.json": `{ // where names lead\n  "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }`,
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    findsTheSame(folder);
  });

  function findsTheSame(checked: string): void {
    const { stdout, stderr } = spawnSync(process.execPath, [join(root, "dist/cli.cjs"), "check", ".", "--format", "json"], {
      encoding: "utf8",
      cwd: checked,
      maxBuffer: 2 ** 28,
    });
    type Found = readonly { readonly rule: string; readonly message: string }[];
    const { files } = JSON.parse(stdout) as { readonly files: readonly { readonly path: string; readonly diagnostics: Found }[] };
    assert.equal(stderr, "");
    const disk = createDisk();
    const analysis = createAnalysis({ readFile: disk.read });
    const paths = findFiles(["."], checked);
    analysis.addCandidates(paths);
    const short = (found: Found) => found.map(({ rule, message }) => ({ rule, message }));
    const expected = paths.map((path) => short(analysis.diagnostics(path)));
    assert.ok(expected.flat().length > 0);
    assert.deepEqual(
      files.map(({ diagnostics }) => short(diagnostics)),
      expected,
    );
  }
});
