// 30 stacks that 10 packs' bundles really throw, as the Packs SDK builds and minifies them for an upload, in log entries of the declared
// shape.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogEntry } from "../../../platform/public-api/public-api.ts";
import { locateStack } from "../../../platform/upload/locate-stack.ts";
import { storedSourceMap, storeSourceMap } from "../../../platform/upload/source-maps.ts";
import { buildWithToolkit } from "../../../platform/upload/toolkit-build.ts";
import { root } from "../../support/packs.ts";
import { type StackForm, siteOf, THROWING_PACKS, thrownStack, writePack } from "../../support/thrown-stacks.ts";

const FORMS: readonly StackForm[] = ["bundle.js", "/packs/1/bundle.js", "<isolated-vm>", "translated", "file:///packs/1/bundle.js"];
/** Packs whose sources change after the upload. */
const CHANGED = ["classes", "windows-lines", "long-file"];

function logged(formulaName: string, packVersion: string, stack: string): LogEntry {
  const context = {
    logId: "l1",
    createdAt: "2026-01-02T03:04:05Z",
    packVersion,
    formulaName,
    connectionId: "c",
    requestId: "r",
    requestType: "invokeFormula",
    docId: "d",
  };
  return { ...context, type: "invocation", error: { message: "it failed", stack } };
}

describe("the place of a stack that the platform logs", function () {
  this.timeout(300_000);
  const origin = "https://coda.io";
  let storage: string;
  let exact = 0;
  let differing = 0;
  before(() => {
    storage = mkdtempSync(join(tmpdir(), "stored-maps-"));
  });
  after(() => {
    rmSync(storage, { recursive: true });
    console.log(
      `      ${exact} stacks lead to the exact line, ${differing} to a line of a source that differs, of ${THROWING_PACKS.length * 3}.`,
    );
  });

  for (const [index, pack] of THROWING_PACKS.entries())
    it(`the stacks of the pack ${pack.name} lead to the lines that threw`, async () => {
      const { folder, entry } = writePack(pack);
      const version = { origin, packId: index + 1, version: "1.2.3" };
      const build = await buildWithToolkit(entry, { program: join(root, "dist/toolkit-build.cjs") });
      assert.ok(build);
      await storeSourceMap(storage, version, build.sourceMap);
      const isChanged = CHANGED.includes(pack.name);
      if (isChanged)
        for (const [path, text] of Object.entries(pack.files))
          if (/\.[jt]s$/.test(path)) writeFileSync(join(folder, path), `// Another version.\n${text}`);
      for (const [at, name] of pack.formulas.entries()) {
        const form = FORMS[(index + at) % FORMS.length] ?? "bundle.js";
        const entryOfLog = logged(name, version.version, thrownStack(build, name, form));
        const stack = entryOfLog.type === "invocation" ? entryOfLog.error?.stack : undefined;
        const map = storedSourceMap(storage, { ...version, version: entryOfLog.packVersion });
        assert.ok(map && stack);
        const located = locateStack(stack, map, { entry });
        const { path, line } = siteOf(pack, name);
        assert.deepEqual(
          [located?.location.path, located?.location.line, located?.isSameSource],
          [join(folder, path), line, !isChanged],
          `${name} as ${form}: ${stack.slice(0, 600)}`,
        );
        assert.match(pack.files[path]?.split(/\r?\n/)[line] ?? "", new RegExp(`site: ${name}`));
        if (isChanged) differing++;
        else exact++;
        if (process.env.SHOW) console.log(name, form, located?.function, "|", located?.uploadedLine.slice(0, 60));
      }
      assert.equal(storedSourceMap(storage, { ...version, version: "1.2.4" }), undefined);
      rmSync(folder, { recursive: true });
    });
});
