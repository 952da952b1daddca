// A pack is all of its files: found through every way that imports are written, in the workspace and in the packages of a monorepo.
import assert from "node:assert/strict";
import { z } from "zod";
import { type Analysis, createAnalysis } from "../../../server/analysis/analysis.ts";
import { readTable, texts } from "../../support/json-cases.ts";
import { quietRules } from "../../support/quiet-rules.ts";
import { packOf, REQUESTS, rules, workspace } from "../../support/workspace.ts";

describe("the files of a pack", () => {
  /** How the entry `/space/pack/pack.ts` imports → where the requests stand, with what else there must be. */
  const WAYS = readTable(
    "test/analysis/sources/cases/imports-of-files.json",
    z.record(z.string(), z.tuple([z.string(), z.string(), texts.optional()])),
  );
  for (const [name, [importing, path, otherFiles = {}]] of Object.entries(WAYS)) {
    it(`a file is found by ${name}`, () => {
      const { analysis } = workspace({ "/space/pack/pack.ts": packOf(importing), [path]: REQUESTS, ...otherFiles });
      assert.deepEqual(analysis.packsOf("/space/pack/pack.ts")[0]?.files.slice(0, 2).sort(), ["/space/pack/pack.ts", path].sort());
      assert.deepEqual(rules(analysis, path), ["placeholder-undeclared"]);
    });
  }

  it("a circular or broken path mapping finds no file and causes no failure", () => {
    for (const config of [
      `{ "extends": "./tsconfig.json" }`,
      `{ "compilerOptions": { "paths": { "@lib/*": "lib", "*": [3] } } }`,
      "",
      "[",
      "null",
    ]) {
      const { analysis } = workspace({ "/space/tsconfig.json": config, "/space/pack.ts": packOf(`import { url } from "@lib/requests";`) });
      assert.deepEqual(rules(analysis, "/space/pack.ts"), []);
    }
  });

  it("values come through mappings and JSON files", () => {
    const { analysis } = workspace({
      "/space/tsconfig.json": `{ "compilerOptions": { "paths": { "#config": ["./config/index.ts"] } } }`,
      "/space/config/index.ts": `import settings from "./settings.json" with { type: "json" };\nexport const DOMAIN = settings.api.domain;\n`,
      "/space/config/settings.json": `{ "api": { "domain": "https://example.com" } }`,
      "/space/pack.ts": `import * as coda from "@codahq/packs-sdk";\nimport { DOMAIN } from "#config";\nexport const pack = coda.newPack();\npack.addNetworkDomain(DOMAIN);\n`,
    });
    assert.deepEqual(rules(analysis, "/space/pack.ts"), ["network-domain-form"]);
  });

  it("names that an unresolved file may contain are not reported as missing", () => {
    for (const module of ["./generated", "@/generated", "~/generated", "#generated"]) {
      const { analysis } = workspace({
        "/space/pack.ts": packOf(
          `import "${module}";\nexport const other = (context) => "{{other-" + context.invocationToken + "}}";`,
        ).replace("params: [", 'params: [{ name: "other", description: "" }, '),
      });
      assert.deepEqual(rules(analysis, "/space/pack.ts"), [], module);
    }
  });
});

describe("packages of a monorepo", () => {
  const entry = packOf(`import { url } from "@me/shared";`);
  /** What the package's folder holds, and where the requests stand in it. */
  const PACKAGES = readTable(
    "test/analysis/sources/cases/packages.json",
    z.record(z.string(), z.tuple([z.string(), z.string(), z.string().optional()])),
  );
  const linked = (to: string, manifest: string, path: string, importing?: string): Analysis => {
    const files: Record<string, string> = {
      "/space/packs/a/pack.ts": importing === undefined ? entry : packOf(importing),
      "/space/node_modules/@me/shared/package.json": manifest,
      [`${to}/${path}`]: REQUESTS,
    };
    const analysis = createAnalysis({
      readFile: (file) => files[file],
      realPath: (file) => file.replace("/space/node_modules/@me/shared", to),
    });
    analysis.configure({ rules: quietRules() });
    analysis.addCandidates(["/space/packs/a/pack.ts"]);
    return analysis;
  };

  for (const [name, [manifest, path, importing]] of Object.entries(PACKAGES))
    it(`a linked package is read: ${name}`, () => {
      const analysis = linked("/space/packages/shared", manifest, path, importing);
      assert.deepEqual(rules(analysis, `/space/packages/shared/${path}`), ["placeholder-undeclared"]);
      assert.deepEqual(analysis.packsOf("/space/packs/a/pack.ts")[0]?.files, ["/space/packs/a/pack.ts", `/space/packages/shared/${path}`]);
    });

  for (const to of ["/space/node_modules/@me/shared", "/space/node_modules/.pnpm/@me+shared@1.0.0/node_modules/@me/shared"])
    it(`an installed package is not read: ${to}`, () => {
      const analysis = linked(to, `{ "main": "index.ts" }`, "index.ts");
      assert.deepEqual(analysis.packsOf("/space/packs/a/pack.ts")[0]?.files, ["/space/packs/a/pack.ts"]);
      assert.deepEqual(rules(analysis, "/space/packs/a/pack.ts"), []);
    });
});
