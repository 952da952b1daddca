// A pack is all of its files: found through every way that imports are written, in the workspace and in the packages of a monorepo.
import assert from "node:assert/strict";
import { type Analysis, createAnalysis } from "../../../server/analysis/analysis.ts";
import { quietRules } from "../../support/quiet-rules.ts";
import { packOf, REQUESTS, rules, workspace } from "../../support/workspace.ts";

describe("the files of a pack", () => {
  /** How the entry `/space/pack/pack.ts` imports → where the requests stand, with what else there must be. */
  const WAYS: Readonly<Record<string, readonly [importing: string, path: string, otherFiles?: Readonly<Record<string, string>>]>> = {
    "a relative path": [`import { url } from "./requests";`, "/space/pack/requests.ts"],
    "a path upwards": [`import { url } from "../shared/requests";`, "/space/shared/requests.ts"],
    "an index file": [`import { url } from "./requests";`, "/space/pack/requests/index.ts"],
    "the folder itself": [`import { url } from ".";`, "/space/pack/index.ts"],
    "a .js ending": [`import { url } from "./requests.js";`, "/space/pack/requests.ts"],
    "a .js ending, beside what was compiled": [
      `import { url } from "./requests.js";`,
      "/space/pack/requests.ts",
      { "/space/pack/requests.js": "export const url = () => '';" },
    ],
    "a .js ending of a component": [`import { url } from "./requests.js";`, "/space/pack/requests.tsx"],
    "a .mjs ending": [`import { url } from "./requests.mjs";`, "/space/pack/requests.mts"],
    "a .ts ending": [`import { url } from "./requests.ts";`, "/space/pack/requests.ts"],
    "an index of modules": [`import { url } from "./requests";`, "/space/pack/requests/index.mts"],
    "an import for its effects": [`import "./requests";`, "/space/pack/requests.ts"],
    "a re-export": [`export * from "./requests";`, "/space/pack/requests.ts"],
    require: [`const { url } = require("./requests");`, "/space/pack/requests.js"],
    "import = require": [`import requests = require("./requests");`, "/space/pack/requests.ts"],
    "a path mapping": [
      `import { url } from "@lib/requests";`,
      "/space/src/lib/requests.ts",
      {
        "/space/tsconfig.json": `{ // comments, and commas\n "compilerOptions": { "baseUrl": "src", "paths": { "@lib/*": ["lib/*"], }, }, }`,
      },
    ],
    "a path mapping without baseUrl": [
      `import { url } from "~/requests";`,
      "/space/pack/lib/requests.ts",
      { "/space/pack/tsconfig.json": `{ "compilerOptions": { "paths": { "~/*": ["./lib/*"] } } }` },
    ],
    "a path mapping with several targets": [
      `import { url } from "@lib/requests";`,
      "/space/b/requests.ts",
      { "/space/tsconfig.json": `{ "compilerOptions": { "paths": { "@lib/*": ["./a/*", "./b/*"] } } }` },
    ],
    "the longest of several mappings": [
      `import { url } from "@lib/http/requests";`,
      "/space/http/requests.ts",
      {
        "/space/lib/http/requests.ts": "export const url = 1;",
        "/space/tsconfig.json": `{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"], "@lib/http/*": ["./http/*"] } } }`,
      },
    ],
    "an exact mapping": [
      `import { url } from "requests";`,
      "/space/lib/r.ts",
      { "/space/tsconfig.json": `{ "compilerOptions": { "paths": { "requests": ["./lib/r.ts"] } } }` },
    ],
    "baseUrl alone": [
      `import { url } from "lib/requests";`,
      "/space/lib/requests.ts",
      { "/space/tsconfig.json": `{ "compilerOptions": { "baseUrl": "." } }` },
    ],
    "a mapping that is inherited": [
      `import { url } from "@lib/requests";`,
      "/space/lib/requests.ts",
      {
        "/space/tsconfig.base.json": `{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }`,
        "/space/pack/tsconfig.json": `{ "extends": "../tsconfig.base" }`,
      },
    ],
    "a mapping inherited from several, from a package, and with ${configDir}": [
      `import { url } from "@lib/requests";`,
      "/space/pack/lib/requests.ts",
      {
        "/space/node_modules/@acme/tsconfig/base.json": `{ "compilerOptions": { "paths": { "@lib/*": ["\${configDir}/lib/*"] } } }`,
        "/space/other.json": `{ "compilerOptions": { "strict": true } }`,
        "/space/pack/tsconfig.json": `{ "extends": ["@acme/tsconfig/base.json", "../other.json"] }`,
      },
    ],
    "jsconfig.json": [
      `const { url } = require("@lib/requests");`,
      "/space/lib/requests.js",
      { "/space/jsconfig.json": `{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }` },
    ],
  };
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
  const PACKAGES: Readonly<Record<string, readonly [manifest: string, path: string, importing?: string]>> = {
    "main of a source": [`{ "name": "@me/shared", "main": "requests.ts" }`, "requests.ts"],
    "main of a compiled source": [`{ "main": "./dist/index.js", "types": "./dist/index.d.ts" }`, "src/index.ts"],
    "no main": ["{}", "index.ts"],
    "conditions of exports": [`{ "exports": { ".": { "types": "./lib/index.d.ts", "import": "./lib/index.mjs" } } }`, "src/index.mts"],
    "exports that are one text": [`{ "exports": "./requests.js" }`, "requests.ts"],
    "a path in the package": ["{}", "src/http/requests.ts", `import { url } from "@me/shared/http/requests";`],
    "a path that exports have": [
      `{ "exports": { "./http": "./dist/http/requests.js" } }`,
      "src/http/requests.ts",
      `import { url } from "@me/shared/http";`,
    ],
    "a path by a pattern": [
      `{ "exports": { "./*": "./dist/*/requests.js" } }`,
      "src/http/requests.ts",
      `import { url } from "@me/shared/http";`,
    ],
    "a manifest that is broken": ["{", "src/index.ts"],
  };
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
