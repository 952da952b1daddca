// A pack is all of its files: found through every way that imports are written, and kept right while files change, come and go.
import assert from "node:assert/strict";
import { type Analysis, createAnalysis } from "../../server/analysis/analysis.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`;
const REQUESTS = `export const url = (context) => \`https://example.com/?key={{keyy-\${context.invocationToken}}}\`;\n`;
const packOf = (importing: string, param = "key"): string =>
  `${importing}\n${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "${param}", description: "Key" }] });\n`;

/** Files that can change on disk. */
function workspace(files: Record<string, string>): { readonly analysis: Analysis; readonly files: Record<string, string> } {
  const analysis = createAnalysis({ readFile: (path) => files[path] });
  analysis.configure({ rules: { "toolkit-missing": "off" } });
  analysis.addCandidates(Object.keys(files).filter((path) => !path.endsWith(".json")));
  return { analysis, files };
}

const rules = (analysis: Analysis, path: string): readonly string[] => analysis.diagnostics(path).map(({ rule }) => rule);

describe("the files of a pack", () => {
  /** How the entry `/space/pack/pack.ts` imports → where the requests stand, with what else there must be. */
  const WAYS: Readonly<Record<string, readonly [importing: string, path: string, others?: Readonly<Record<string, string>>]>> = {
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
  for (const [name, [importing, path, others = {}]] of Object.entries(WAYS)) {
    it(`are found by ${name}`, () => {
      const { analysis } = workspace({ "/space/pack/pack.ts": packOf(importing), [path]: REQUESTS, ...others });
      assert.deepEqual(analysis.packsOf("/space/pack/pack.ts")[0]?.files.slice(0, 2).sort(), ["/space/pack/pack.ts", path].sort());
      assert.deepEqual(rules(analysis, path), ["placeholder-undeclared"]);
    });
  }

  it("are not found by a mapping in a circle, nor by a broken one, and nothing breaks", () => {
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

  it("what a file of one's own that cannot be found may hold is not said to be absent", () => {
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

describe("packs while files change", () => {
  const ENTRY = "/space/pack.ts";
  const OTHER = "/space/requests.ts";
  const IMPORTING = `import { url } from "./requests";`;

  it("an edit in one file changes what is found in the other, and back", () => {
    const { analysis } = workspace({ [ENTRY]: packOf(IMPORTING), [OTHER]: REQUESTS });
    assert.deepEqual(rules(analysis, OTHER), ["placeholder-undeclared"]);
    const text = packOf(IMPORTING);
    analysis.open(ENTRY, text);
    const at = text.indexOf('"key"') + 4;
    analysis.change(ENTRY, [{ start: at, end: at, text: "y" }]);
    assert.deepEqual(rules(analysis, OTHER), []);
    // What was typed and never saved is gone with the buffer.
    analysis.close(ENTRY);
    assert.deepEqual(rules(analysis, OTHER), ["placeholder-undeclared"]);
  });

  it("an import that is typed makes the other file a part, and one that is deleted takes it out", () => {
    const { analysis } = workspace({ [ENTRY]: packOf(""), [OTHER]: REQUESTS });
    assert.deepEqual(rules(analysis, OTHER), []);
    analysis.open(ENTRY, packOf(""));
    analysis.change(ENTRY, [{ start: 0, end: 0, text: `${IMPORTING}\n` }]);
    assert.deepEqual(rules(analysis, OTHER), ["placeholder-undeclared"]);
    analysis.change(ENTRY, [{ start: 0, end: IMPORTING.length + 1, text: "" }]);
    assert.deepEqual(rules(analysis, OTHER), []);
  });

  it("an edit in one file changes what is found in another that no pack has", () => {
    const lone = `import * as coda from "@codahq/packs-sdk";
import { domain } from "./requests";
import { pack } from "./gone";
pack.addNetworkDomain(domain);
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`;
    const domain = `export const domain = "example.com";\n`;
    const { analysis } = workspace({ [ENTRY]: lone, [OTHER]: domain });
    analysis.open(ENTRY, lone);
    analysis.open(OTHER, domain);
    assert.deepEqual(rules(analysis, ENTRY), []);
    const at = domain.indexOf(".com");
    analysis.change(OTHER, [{ start: at, end: at, text: "/path" }]);
    assert.deepEqual(rules(analysis, ENTRY), ["network-domain-form"]);
  });

  it("a file that is written, changed, renamed and deleted on disk", () => {
    const { analysis, files } = workspace({ [ENTRY]: packOf(IMPORTING) });
    assert.deepEqual(analysis.packsOf(OTHER), []);
    files[OTHER] = REQUESTS;
    analysis.filesChanged([OTHER]);
    assert.deepEqual(rules(analysis, OTHER), ["placeholder-undeclared"]);
    files[OTHER] = REQUESTS.replace("keyy", "key");
    analysis.filesChanged([OTHER]);
    assert.deepEqual(rules(analysis, OTHER), []);
    // Renamed: the import leads nowhere until it follows.
    files["/space/http.ts"] = REQUESTS;
    delete files[OTHER];
    analysis.filesChanged([OTHER, "/space/http.ts"]);
    assert.deepEqual([rules(analysis, OTHER), rules(analysis, "/space/http.ts")], [[], []]);
    files[ENTRY] = packOf(IMPORTING.replace("requests", "http"));
    analysis.filesChanged([ENTRY]);
    assert.deepEqual(rules(analysis, "/space/http.ts"), ["placeholder-undeclared"]);
    delete files[ENTRY];
    analysis.filesChanged([ENTRY]);
    assert.deepEqual([analysis.packs(), rules(analysis, "/space/http.ts")], [[], []]);
  });

  it("an unsaved file wins over the one on disk, also where none is yet", () => {
    const { analysis } = workspace({ [ENTRY]: packOf(IMPORTING) });
    analysis.open(OTHER, REQUESTS);
    assert.deepEqual(rules(analysis, OTHER), ["placeholder-undeclared"]);
    analysis.filesChanged([OTHER]);
    assert.deepEqual(rules(analysis, OTHER), ["placeholder-undeclared"]);
    analysis.close(OTHER);
    assert.deepEqual(analysis.packsOf(OTHER), []);
  });

  it("a path mapping that is typed, saved or not", () => {
    const config = "/space/tsconfig.json";
    const { analysis, files } = workspace({
      [ENTRY]: packOf(`import { url } from "@lib/requests";`),
      "/space/lib/requests.ts": REQUESTS,
      [config]: "{}",
    });
    assert.deepEqual(rules(analysis, "/space/lib/requests.ts"), []);
    const mapping = `{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }`;
    analysis.open(config, "{}");
    analysis.change(config, [{ start: 0, end: 2, text: mapping }]);
    assert.deepEqual(rules(analysis, "/space/lib/requests.ts"), ["placeholder-undeclared"]);
    analysis.close(config);
    assert.deepEqual(rules(analysis, "/space/lib/requests.ts"), []);
    files[config] = mapping;
    analysis.filesChanged([config]);
    assert.deepEqual(rules(analysis, "/space/lib/requests.ts"), ["placeholder-undeclared"]);
  });

  it("a folder that is deleted goes with all that was in it", () => {
    const { analysis, files } = workspace({
      [ENTRY]: packOf(`import "./lib/requests";`),
      "/space/lib/requests.ts": REQUESTS,
      "/space/lib2.ts": "",
    });
    assert.deepEqual(rules(analysis, "/space/lib/requests.ts"), ["placeholder-undeclared"]);
    delete files["/space/lib/requests.ts"];
    analysis.filesChanged(["/space/lib"]);
    assert.deepEqual([analysis.packsOf("/space/lib/requests.ts"), analysis.packs()], [[], [ENTRY]]);
  });
});

describe("packages of a monorepo", () => {
  const entry = packOf(`import { url } from "@me/shared";`);
  /** What the package's folder holds, and where the requests stand in it. */
  const PACKAGES: Readonly<Record<string, readonly [manifest: string, path: string, importing?: string]>> = {
    "main of a source": [`{ "name": "@me/shared", "main": "requests.ts" }`, "requests.ts"],
    "main of what is compiled from a source": [`{ "main": "./dist/index.js", "types": "./dist/index.d.ts" }`, "src/index.ts"],
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
    analysis.configure({ rules: { "toolkit-missing": "off" } });
    analysis.addCandidates(["/space/packs/a/pack.ts"]);
    return analysis;
  };

  for (const [name, [manifest, path, importing]] of Object.entries(PACKAGES))
    it(`one that is linked, by ${name}`, () => {
      const analysis = linked("/space/packages/shared", manifest, path, importing);
      assert.deepEqual(rules(analysis, `/space/packages/shared/${path}`), ["placeholder-undeclared"]);
      assert.deepEqual(analysis.packsOf("/space/packs/a/pack.ts")[0]?.files, ["/space/packs/a/pack.ts", `/space/packages/shared/${path}`]);
    });

  for (const to of ["/space/node_modules/@me/shared", "/space/node_modules/.pnpm/@me+shared@1.0.0/node_modules/@me/shared"])
    it(`one that is installed is somebody else's: ${to}`, () => {
      const analysis = linked(to, `{ "main": "index.ts" }`, "index.ts");
      assert.deepEqual(analysis.packsOf("/space/packs/a/pack.ts")[0]?.files, ["/space/packs/a/pack.ts"]);
      assert.deepEqual(rules(analysis, "/space/packs/a/pack.ts"), []);
    });
});

describe("several packs in a workspace", () => {
  const shared = "/space/shared.ts";
  const pack = (type: string, more = ""): string =>
    `import { url } from "./shared";\n${HEAD}url;\npack.setUserAuthentication({ type: coda.AuthenticationType.${type}${more} });\n`;
  const KEY = ', params: [{ name: "key", description: "" }]';
  const use = (name: string): string => `export const url = (context) => "{{${name}-" + context.invocationToken + "}}";\n`;

  it("what a shared file says is right if it is right for one of them", () => {
    for (const [a, b] of [
      [pack("Custom", KEY), pack("WebBasic")],
      [
        pack("Custom", KEY),
        pack("Custom", ', params: [{ name: "secret", description: "" }]').replace(
          "url;",
          "url; export const s = (c) => '{{secret-' + c.invocationToken + '}}';",
        ),
      ],
    ]) {
      const { analysis } = workspace({ "/space/a.ts": a ?? "", "/space/b.ts": b ?? "", [shared]: use("key") });
      assert.deepEqual(
        analysis.packsOf(shared).map(({ entry }) => entry),
        ["/space/a.ts", "/space/b.ts"],
      );
      assert.deepEqual(rules(analysis, shared), []);
    }
  });

  it("what is wrong for each of them is said once", () => {
    const { analysis } = workspace({ "/space/a.ts": pack("Custom", KEY), "/space/b.ts": pack("Custom", KEY), [shared]: use("keyy") });
    assert.deepEqual(rules(analysis, shared), ["placeholder-undeclared"]);
  });

  it("a configuration that they share is wrong if it is wrong for one of them", () => {
    const entry = (domains: string): string =>
      `import * as coda from "@codahq/packs-sdk";\nimport { AUTH } from "./shared";\nexport const pack = coda.newPack();\npack.addNetworkDomain(${domains});\npack.setUserAuthentication(AUTH);\n`;
    const { analysis } = workspace({
      "/space/a.ts": entry(`"example.com"`),
      "/space/b.ts": entry(`"example.com", "example.org"`),
      [shared]: `import * as coda from "@codahq/packs-sdk";\nexport const AUTH = { type: coda.AuthenticationType.WebBasic };\n`,
    });
    assert.deepEqual(rules(analysis, shared), ["network-domain-choice"]);
  });

  it("two files that change at once are both looked at anew, also where the first one imports more than before", () => {
    const entry = packOf(`import { url } from "./requests";`);
    const { analysis } = workspace({ "/space/pack.ts": entry, "/space/requests.ts": REQUESTS, "/space/more.ts": "" });
    analysis.open("/space/pack.ts", entry);
    analysis.open("/space/requests.ts", REQUESTS);
    assert.deepEqual(rules(analysis, "/space/requests.ts"), ["placeholder-undeclared"]);
    analysis.change("/space/pack.ts", [{ start: 0, end: 0, text: `import "./more";\n` }]);
    const typo = REQUESTS.indexOf("keyy");
    analysis.change("/space/requests.ts", [{ start: typo, end: typo + 4, text: "key" }]);
    assert.deepEqual(rules(analysis, "/space/requests.ts"), []);
  });

  it("a file that changed right before another one was opened is looked at anew", () => {
    const entry = packOf(`import { url } from "./requests";`);
    const { analysis } = workspace({ "/space/pack.ts": entry, "/space/requests.ts": REQUESTS });
    analysis.open("/space/requests.ts", REQUESTS);
    assert.deepEqual(rules(analysis, "/space/requests.ts"), ["placeholder-undeclared"]);
    const typo = REQUESTS.indexOf("keyy");
    analysis.change("/space/requests.ts", [{ start: typo, end: typo + 4, text: "key" }]);
    analysis.open("/space/pack.ts", entry);
    assert.deepEqual(rules(analysis, "/space/requests.ts"), []);
  });

  it("a workspace folder that is taken out takes its packs along, but for those that another folder has too", () => {
    const { analysis } = workspace({ "/one/pack.ts": HEAD, "/two/pack.ts": HEAD, "/two/inner/pack.ts": HEAD });
    analysis.dropCandidates("/two", ["/one", "/two/inner"]);
    assert.deepEqual(analysis.packs(), ["/one/pack.ts", "/two/inner/pack.ts"]);
    analysis.addCandidates(["/two/pack.ts"]);
    assert.deepEqual([...analysis.packs()].sort(), ["/one/pack.ts", "/two/inner/pack.ts", "/two/pack.ts"]);
  });
});
