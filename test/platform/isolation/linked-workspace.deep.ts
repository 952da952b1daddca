// A pack in a folder that the author opened through a link, with names that shells, URLs and globs take apart: what is told of its files
// is told as the author opened them.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { debuggable } from "../../../platform/bundle/source-map.ts";
import { PackAuthError } from "../../../platform/errors.ts";
import { bundlePack } from "../../support/bundle-pack.ts";
import { closePacks, pack } from "../../support/open-packs.ts";
import { installToolkit } from "../../support/packs.ts";
import { run } from "../../support/run.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
import { fails } from "../li b#%20(@)/helper";
export const pack = coda.newPack();
pack.addFormula({
  name: "Fails", description: "Fails.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.None,
  execute: async () => fails(),
});
`;
const HELPER = `export function fails(): string {\n  throw new Error("from the helper");\n}\n`;

/** As the folder lies on the disk, and as it is opened. */
const WAYS = {
  "a plain folder with odd signs": { real: "sp ace#%20(@", openPath: "sp ace#%20(@" },
  "a link beside it": { real: "real", openPath: "li nk#%25(@)" },
  "a link far from it": { real: "a/b/real (1)", openPath: "link" },
  "a link in a folder of its own": { real: "real", openPath: "c/d/lin k" },
} as const;

describe("A workspace opened through a link", () => {
  let base: string;
  before(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-linked-")));
  });
  afterEach(closePacks);
  after(() => rmSync(base, { recursive: true, force: true }));

  for (const [way, { real, openPath }] of Object.entries(WAYS)) {
    describe(way, () => {
      let top: string;
      const place = (...parts: string[]): string => join(top, openPath, ...parts);
      before(() => {
        top = mkdtempSync(join(base, "way-"));
        const folder = join(top, real);
        mkdirSync(join(folder, "src"), { recursive: true });
        mkdirSync(join(folder, "li b#%20(@)"));
        installToolkit(folder);
        writeFileSync(join(folder, "package.json"), "{}");
        writeFileSync(join(folder, "src/pack.ts"), PACK);
        writeFileSync(join(folder, "li b#%20(@)/helper.ts"), HELPER);
        if (real === openPath) return;
        mkdirSync(place(".."), { recursive: true });
        symlinkSync(folder, place());
      });

      for (const withoutNativeEsbuild of [false, true])
        it(`files are named as they were opened, ${withoutNativeEsbuild ? "with esbuild in WebAssembly" : "with the native esbuild"}`, async () => {
          const bundle = await bundlePack(place("src/pack.ts"), { folder: place(), withoutNativeEsbuild });
          assert.deepEqual([...bundle.inputs].sort(), [place("li b#%20(@)/helper.ts"), place("src/pack.ts")]);
          const [, map = ""] = debuggable(bundle).code.split(";base64,");
          const { sources } = JSON.parse(Buffer.from(map, "base64").toString()) as { sources: string[] };
          const files = sources.filter((source) => source.startsWith("file:")).map((source) => fileURLToPath(source));
          assert.deepEqual(files.sort(), [place("li b#%20(@)/helper.ts"), place("src/pack.ts")]);
        }).timeout(60_000);

      it("a throw leads to the file as opened", async () => {
        const report = await run(await pack(place("src/pack.ts")), { kind: "formula", name: "Fails" }, [], {
          fetch: () => Promise.reject(new Error("no network here")),
        });
        assert.ok(report.outcome.status === "failed");
        assert.equal(report.outcome.error.stack?.[0]?.location?.path, place("li b#%20(@)/helper.ts"));
      });

      it("a build failure leads to the file as opened", async () => {
        writeFileSync(place("li b#%20(@)/broken.ts"), "export const broken = ;\n");
        writeFileSync(place("src/broken-pack.ts"), `import "../li b#%20(@)/broken";\n${PACK}`);
        await assert.rejects(bundlePack(place("src/broken-pack.ts"), { folder: place() }), (error) => {
          assert.ok(error instanceof PackAuthError);
          assert.deepEqual(error.location, { path: place("li b#%20(@)/broken.ts"), line: 0, character: 22 });
          return true;
        });
      });

      it("a file outside is refused, with its import named as opened", async () => {
        writeFileSync(join(base, "secret.json"), "{}");
        const outside = join(base, "secret.json");
        writeFileSync(place("li b#%20(@)/reads.ts"), `import secret from ${JSON.stringify(outside)};\nexport { secret };\n`);
        writeFileSync(place("src/reading-pack.ts"), `export * from "../li b#%20(@)/reads";\n${PACK}`);
        await assert.rejects(bundlePack(place("src/reading-pack.ts"), { folder: place() }), (error) => {
          assert.ok(error instanceof PackAuthError);
          assert.equal(error.location?.path, place("li b#%20(@)/reads.ts"));
          assert.match(error.message, /^li b#%20\(@\)\/reads\.ts:1 imports .*secret\.json, which is outside of the folder /);
          return true;
        });
      });
    });
  }

  it("files of a linked entry folder are named by a valid path", async () => {
    const folder = join(base, "inner");
    mkdirSync(join(folder, "packs/one/src"), { recursive: true });
    mkdirSync(join(folder, "packs/one/li b#%20(@)"));
    installToolkit(folder);
    writeFileSync(join(folder, "package.json"), "{}");
    writeFileSync(join(folder, "packs/one/src/pack.ts"), PACK);
    writeFileSync(join(folder, "packs/one/li b#%20(@)/helper.ts"), HELPER);
    symlinkSync(join(folder, "packs/one/src"), join(folder, "current"));
    const bundle = await bundlePack(join(folder, "current/pack.ts"), { folder });
    assert.deepEqual([...bundle.inputs].sort(), [join(folder, "current/pack.ts"), join(folder, "packs/one/li b#%20(@)/helper.ts")]);
    const report = await run(await pack(join(folder, "current/pack.ts")), { kind: "formula", name: "Fails" }, [], {
      fetch: () => Promise.reject(new Error("no network here")),
    });
    assert.ok(report.outcome.status === "failed");
    assert.equal(report.outcome.error.stack?.[0]?.location?.path, join(folder, "packs/one/li b#%20(@)/helper.ts"));
  });
});
