// A bundle is made of the workspace: no file of the machine comes into it, whatever way a pack names it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs, { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { createBundler } from "../../../platform/bundle/bundle.ts";
import { bundleFiles, openedFolder } from "../../../platform/bundle/bundle-files.ts";
import { refuseForeign } from "../../../platform/bundle/foreign-files.ts";
import { debuggable, mapStack } from "../../../platform/bundle/source-map.ts";
import { bundleRefusal, CANARY, type Files, lay, PACK, packWith, removeFolders, TOOLKIT } from "../../support/bundle-folders.ts";
import { bundlePack } from "../../support/bundle-pack.ts";
import { root } from "../../support/packs.ts";

/** Each with the line in which it stands, and what it leads to. */
const ATTACKS: Readonly<Record<string, Files>> = {
  "an absolute path": { "ws/pack.ts": packWith('import x from "$ROOT/outside/config.json"; console.log(x);') },
  "a path upwards": { "ws/pack.ts": packWith('import x from "../outside/config.json"; console.log(x);') },
  "a path through its own folder": { "ws/pack.ts": packWith('import x from "./../ws/./../outside/config.json"; console.log(x);') },
  "a text": { "ws/pack.ts": packWith('import x from "../outside/notes.txt"; console.log(x);') },
  "an attribute": { "ws/pack.ts": packWith('import x from "../outside/code.ts" with { type: "text" }; console.log(x);') },
  "an attribute for bytes": { "ws/pack.ts": packWith('import x from "../outside/notes.txt" with { type: "bytes" }; console.log(x);') },
  "a source": { "ws/pack.ts": packWith('import { canary } from "../outside/code"; console.log(canary);') },
  "an export of another's": { "ws/pack.ts": packWith('export * from "../outside/code";') },
  "a require": { "ws/pack.ts": packWith('console.log(require("../outside/config.json"));') },
  "a require of a folder": { "ws/pack.ts": packWith('console.log(require("../outside/named"));') },
  "an import at run time": { "ws/pack.ts": packWith('console.log(import("../outside/config.json"));') },
  "a pattern of imports": { "ws/pack.ts": packWith(`export const load = (x: string) => import(\`../outside/conf\${x}.json\`);`) },
  "a pattern of requires": { "ws/pack.ts": packWith('export const load = (x: string) => require("../outside/conf" + x + ".json");') },
  JSX: {
    "ws/pack.tsx": `/** @jsxRuntime automatic @jsxImportSource $ROOT/outside */\n${packWith("export const x = <a />;")}`,
    "outside/jsx-runtime.js": `exports.jsx = () => "${CANARY}";`,
  },
  "a style sheet": { "ws/pack.ts": packWith('import "./style.css";'), "ws/style.css": '@import "../outside/style.css";' },
  "a style sheet's address": {
    "ws/pack.ts": packWith('import "./style.css";'),
    "ws/style.css": "a { background: url(../outside/notes.txt) }",
  },
  "paths of a tsconfig.json": {
    "ws/pack.ts": packWith('import x from "@config"; console.log(x);'),
    "ws/tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "@config": ["../outside/config.json"] } } }),
  },
  "the baseUrl of a tsconfig.json": {
    "ws/pack.ts": packWith('import x from "outside/config.json"; console.log(x);'),
    "ws/tsconfig.json": JSON.stringify({ compilerOptions: { baseUrl: ".." } }),
  },
  "what a tsconfig.json extends": {
    "ws/pack.tsx": packWith("export const x = <a />;"),
    "ws/tsconfig.json": JSON.stringify({ extends: "../outside/factory.json" }),
  },
  "what one in a list that a tsconfig.json extends extends": {
    "ws/pack.tsx": packWith("export const x = <a />;"),
    "ws/tsconfig.json": JSON.stringify({ extends: ["./plain.json", "./more"] }),
    "ws/plain.json": "{}",
    "ws/more.json": '{ /* comments */ "extends": "$ROOT/outside/factory" }',
  },
  "a tsconfig.json that is a link": {
    "ws/pack.tsx": packWith("export const x = <a />;"),
    "ws/tsconfig.json": { link: "../outside/factory.json" },
  },
  "a package's tsconfig": {
    "ws/pack.tsx": packWith("export const x = <a />;"),
    "ws/tsconfig.json": JSON.stringify({ extends: "base" }),
    "ws/node_modules/base/package.json": JSON.stringify({ name: "base", tsconfig: "../../../outside/factory.json" }),
  },
  "a link to a file": {
    "ws/pack.ts": packWith('import x from "./mine.json"; console.log(x);'),
    "ws/mine.json": { link: "../outside/config.json" },
  },
  "a link to a folder": {
    "ws/pack.ts": packWith('import x from "./mine/config.json"; console.log(x);'),
    "ws/mine": { link: "../outside" },
  },
  "a link to a link": {
    "ws/pack.ts": packWith('import x from "./mine.json"; console.log(x);'),
    "ws/mine.json": { link: "./a" },
    "ws/a": { link: "$ROOT/outside/config.json" },
  },
  "a link in node_modules": {
    "ws/pack.ts": packWith('import x from "mine/config.json"; console.log(x);'),
    "ws/node_modules/mine": { link: "../../outside" },
  },
  "a link in node_modules to a package of another name": {
    "ws/pack.ts": packWith('import x from "mine"; console.log(x);'),
    "ws/node_modules/mine": { link: "../../outside/named" },
  },
  "a link in node_modules to a package that holds the pack": {
    "ws/pack.ts": packWith('import x from "all/outside/config.json"; console.log(x);'),
    "package.json": JSON.stringify({ name: "all" }),
    "ws/node_modules/all": { link: "../.." },
  },
  "a link in node_modules to a package whose name leads elsewhere": {
    "ws/pack.ts": packWith('import x from "mine"; console.log(x);'),
    "outside/odd/package.json": JSON.stringify({ name: "../link", main: "index.js" }),
    "outside/odd/index.js": `exports.canary = "${CANARY}";`,
    "ws/link": { link: "../outside/odd" },
    "ws/node_modules/mine": { link: "../../outside/odd" },
  },
  "node_modules as a link": {
    "ws/sub/pack.ts": packWith('import x from "./node_modules/config.json"; console.log(x);'),
    "ws/sub/node_modules": { link: "../../outside" },
  },
  "node_modules as a link to the folder of all projects": {
    "ws/package.json": JSON.stringify({ name: "ws", dependencies: { other: "*" } }),
    "ws/pack.ts": packWith('import "./lib/load";'),
    "ws/lib/load.ts": 'export const load = (x: string) => require("./node_modules/" + x + "/settings.json");',
    "ws/lib/node_modules": { link: "../.." },
    "other/package.json": JSON.stringify({ name: "other" }),
    "other/settings.json": JSON.stringify({ canary: CANARY }),
  },
  "node_modules as a link to those of another project, which has what no manifest names": {
    "ws/pack.ts": packWith('import "./lib/load";'),
    "ws/lib/load.ts": 'export const load = (x: string) => require("./node_modules/" + x + "/index.js");',
    "ws/lib/node_modules": { link: "../../other/node_modules" },
    "other/node_modules/private/package.json": JSON.stringify({ name: "private", main: "index.js" }),
    "other/node_modules/private/index.js": `exports.canary = "${CANARY}";`,
  },
  "node_modules as a link to those of another project, which link to a project": {
    "ws/package.json": JSON.stringify({ name: "ws", dependencies: { private: "*" } }),
    "ws/pack.ts": packWith('export { default } from "./lib/load";'),
    "ws/lib/load.ts": 'import x from "private"; export default x;',
    "ws/lib/node_modules": { link: "../../other/node_modules" },
    "other/node_modules/private": { link: "../../outside/named" },
  },
  "a scope in node_modules as a link to the folder of all projects": {
    "ws/package.json": JSON.stringify({ name: "ws", dependencies: { "@my/named": "*" } }),
    "ws/pack.ts": packWith('import x from "@my/named"; console.log(x);'),
    "ws/node_modules/@my": { link: "../../projects" },
    "projects/named/package.json": JSON.stringify({ name: "@my/named", main: "index.js" }),
    "projects/named/index.js": `exports.canary = "${CANARY}";`,
  },
  "a link in node_modules to a project that the manifest names": {
    "ws/package.json": JSON.stringify({ name: "ws", dependencies: { private: "*" } }),
    "ws/pack.ts": packWith('import x from "private"; console.log(x);'),
    "ws/node_modules/private": { link: "../../outside/named" },
  },
  "a link in node_modules to an installed package that no manifest names": {
    "ws/pack.ts": packWith('import x from "private"; console.log(x);'),
    "ws/node_modules/private": { link: "../../other/node_modules/private" },
    "other/node_modules/private/package.json": JSON.stringify({ name: "private", main: "index.js" }),
    "other/node_modules/private/index.js": `exports.canary = "${CANARY}";`,
  },
  "a package above that no manifest names": {
    "ws/pack.ts": packWith('import x from "private"; console.log(x);'),
    "node_modules/private/package.json": JSON.stringify({ name: "private", main: "index.js" }),
    "node_modules/private/index.js": `exports.canary = "${CANARY}";`,
  },
  "a package's main": {
    "ws/pack.ts": packWith('import x from "mine"; console.log(x);'),
    "ws/node_modules/mine/package.json": JSON.stringify({ name: "mine", main: "../../../outside/config.json" }),
  },
  "a package's exports": {
    "ws/pack.ts": packWith('import x from "mine"; console.log(x);'),
    "ws/node_modules/mine/package.json": JSON.stringify({ name: "mine", exports: "./x.json" }),
    "ws/node_modules/mine/x.json": { link: "../../../outside/config.json" },
  },
  "what a package has for browsers": {
    "ws/package.json": JSON.stringify({ name: "ws", browser: { "./nothing.json": "../outside/config.json" } }),
    "ws/pack.ts": packWith('import x from "./nothing.json"; console.log(x);'),
    "ws/nothing.json": "{}",
  },
  "a package's own imports": {
    "ws/package.json": JSON.stringify({ name: "ws", imports: { "#x": "./x.json" } }),
    "ws/pack.ts": packWith('import x from "#x"; console.log(x);'),
    "ws/x.json": { link: "../outside/config.json" },
  },
  "a manifest of Plug'n'Play": {
    "ws/pack.ts": packWith('import x from "mine/config.json"; console.log(x);'),
    "ws/.pnp.data.json": JSON.stringify({
      __info: [],
      enableTopLevelFallback: true,
      ignorePatternData: null,
      fallbackPool: [],
      fallbackExclusionList: [],
      dependencyTreeRoots: [{ name: "ws", reference: "workspace:." }],
      packageRegistryData: [
        [
          null,
          [
            [
              null,
              {
                packageLocation: "./",
                packageDependencies: [
                  ["mine", "1"],
                  ["@codahq/packs-sdk", "1"],
                ],
                linkType: "SOFT",
              },
            ],
          ],
        ],
        ["ws", [["workspace:.", { packageLocation: "./", packageDependencies: [["mine", "1"]], linkType: "SOFT" }]]],
        ["mine", [["1", { packageLocation: "../outside/", packageDependencies: [], linkType: "HARD" }]]],
      ],
    }),
  },
  "the entry itself": { "ws/pack.ts": { link: "../outside/pack.ts" }, "outside/pack.ts": packWith(`console.log("${CANARY}");`) },
  "a device": { "ws/pack.ts": packWith('import x from "./endless.txt"; console.log(x);'), "ws/endless.txt": { link: "/dev/zero" } },
  "its toolkit": {
    "ws/pack.ts": PACK,
    "ws/node_modules/@codahq/packs-sdk": { link: "../toolkit" },
    "ws/node_modules/toolkit/package.json": JSON.stringify({ name: "@codahq/packs-sdk", version: "1.0.0", main: "index.js" }),
    "ws/node_modules/toolkit/index.js": 'exports.canary = require("$ROOT/outside/config.json");',
    "ws/node_modules/browserify": { link: join(root, "node_modules/browserify") },
  },
  "a toolkit that is a link to another package": {
    "ws/pack.ts": PACK,
    "ws/node_modules/@codahq/packs-sdk": { link: "$ROOT/outside/toolkit" },
    "outside/toolkit/package.json": JSON.stringify({ name: "other", version: "1.0.0", main: "index.js" }),
    "outside/toolkit/index.js": `exports.canary = "${CANARY}";`,
    "outside/toolkit/node_modules/browserify": { link: join(root, "node_modules/browserify") },
  },
};

const entryOf = (folder: string, files: Files): string =>
  join(folder, Object.keys(files).find((name) => /\/pack\.tsx?$/.test(name) && name.startsWith("ws/")) ?? assert.fail("there is a pack"));

describe("The files of a bundle", function () {
  this.timeout(60_000);
  after(removeFolders);

  for (const [name, files] of Object.entries(ATTACKS))
    it(`a file outside the folder is refused: ${name}`, async () => {
      const error = await bundleRefusal(entryOf(lay(files), files));
      assert.match(error.message, /is outside of the folder .*ws\.$/);
      assert.match(error.hint ?? "", /^Move the file into that folder/);
      assert.doesNotMatch(`${error.message} ${error.hint} ${JSON.stringify(error.location)}`, /canary/);
    });

  for (const [name, files] of Object.entries(ATTACKS).filter(([name]) => !/device|toolkit/.test(name)))
    it(`a file outside the folder is refused by the finished bundle's list alone: ${name}`, async () => {
      const entry = entryOf(lay(files), files);
      const { metafile } = await build({
        entryPoints: [entry],
        absWorkingDir: dirname(entry),
        external: ["@codahq/packs-sdk"],
        outdir: "out",
        bundle: true,
        write: false,
        metafile: true,
        logLevel: "silent",
      });
      assert.throws(
        () => refuseForeign(metafile, dirname(entry), bundleFiles(openedFolder(entry), entry, "@codahq/packs-sdk")),
        /is outside of the folder/,
      );
    });

  for (const name of ["a path upwards", "a text", "a link to a file", "paths of a tsconfig.json"])
    it(`a file outside the folder is refused with esbuild in WebAssembly: ${name}`, async () => {
      const files = ATTACKS[name] ?? {};
      assert.match((await bundleRefusal(entryOf(lay(files), files), { withoutNativeEsbuild: true })).message, /is outside of the folder/);
    });

  /** How a file of the folder may be brought in. */
  const byAttribute = (name: string): Files => ({
    "ws/pack.ts": packWith(`import x from "./${name}" with { type: "text" }; console.log(x);`),
  });
  const WAYS: Readonly<Record<string, Files>> = {
    "an import": { "ws/pack.ts": packWith('import x from "./.coda-credentials.json"; console.log(x);') },
    "an attribute": byAttribute(".coda-credentials.json"),
    "a link of another name": {
      "ws/pack.ts": packWith('import x from "./mine.txt"; console.log(x);'),
      "ws/mine.txt": { link: ".coda-credentials.json" },
    },
    "a pattern of requires": { "ws/pack.ts": packWith('export const load = (x: string) => require("./" + x + "-credentials.json");') },
    "a package": {
      "ws/pack.ts": packWith('import x from "lib"; console.log(x);'),
      "ws/node_modules/lib/package.json": JSON.stringify({ name: "lib", main: "index.js" }),
      "ws/node_modules/lib/index.js": 'module.exports = require("../../.coda-credentials.json");',
    },
    ...Object.fromEntries(
      [
        ...[".coda.json", "packauth.accounts.json", ".env", ".env.local", ".envrc", ".npmrc", ".yarnrc.yml", ".netrc", ".git/config"],
        ...["keys/server.pem", "server.KEY", "id_ed25519", "client.p12"],
      ].map((name) => [name, { [`ws/${name}`]: CANARY, ...byAttribute(name) }]),
    ),
  };
  for (const [way, files] of Object.entries(WAYS))
    it(`a file of the folder that may hold credentials is refused: ${way}`, async () => {
      const folder = lay({ "ws/.coda-credentials.json": JSON.stringify({ canary: CANARY }), ...files });
      const error = await bundleRefusal(join(folder, "ws/pack.ts"));
      assert.match(error.message, / imports .*, which may contain credentials\.$/);
      assert.doesNotMatch(`${error.message} ${error.hint}`, /canary/);
    });

  it("a refused file is reported with the line that imports it", async () => {
    const folder = lay({
      "ws/lib/a.ts": 'import x from "../../outside/config.json";\nexport default x;\n',
      "ws/pack.ts": packWith('import x from "./lib/a"; console.log(x);'),
    });
    const error = await bundleRefusal(join(folder, "ws/pack.ts"));
    assert.equal(
      error.message,
      `${join("lib", "a.ts")}:1 imports ${join(folder, "outside/config.json")}, which is outside of the folder ${join(folder, "ws")}.`,
    );
    assert.deepEqual(error.location, { path: join(folder, "ws/lib/a.ts"), line: 0, character: 14 });
    const settings = await bundleRefusal(join(lay(ATTACKS["what a tsconfig.json extends"] ?? {}), "ws/pack.tsx"));
    assert.match(settings.message, /^tsconfig\.json:1 extends .*factory\.json, which is outside/);
  });

  it("the home folder linked as a package is refused", async () => {
    const folder = lay({
      "ws/pack.ts": packWith('import x from "me/.netrc.json"; console.log(x);'),
      "home/me/package.json": JSON.stringify({ name: "me" }),
      "home/me/.netrc.json": JSON.stringify(CANARY),
      "ws/node_modules/me": { link: "../../home/me" },
    });
    await atHome(join(folder, "home/me"), async () =>
      assert.match((await bundleRefusal(join(folder, "ws/pack.ts"))).message, /is outside of the folder/),
    );
  });

  it("files of the home folder are refused if it holds the pack or its package.json", async () => {
    const folder = lay({
      "home/me/package.json": JSON.stringify({ name: "me", workspaces: ["*"] }),
      "home/me/.netrc.json": JSON.stringify(CANARY),
      "home/me/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
      "home/me/pack.ts": packWith('import x from "./.netrc.json"; console.log(x);'),
      "home/me/alone.ts": PACK,
      "home/me/packs/pack.ts": packWith('import x from "../.netrc.json"; console.log(x);'),
    });
    await atHome(join(folder, "home/me"), async () => {
      for (const name of ["pack.ts", "packs/pack.ts"])
        assert.match((await bundleRefusal(join(folder, "home/me", name))).message, /is outside of the folder/);
      await bundleRefusal(join(folder, "home/me/pack.ts"), { folder: join(folder, "ws") });
      await bundlePack(join(folder, "home/me/alone.ts"));
    });
  });

  it("files named without an import and source maps add nothing to the bundle", async () => {
    const folder = lay({
      "ws/pack.ts": packWith('console.log(new URL("../outside/notes.txt", import.meta.url));\n//# sourceMappingURL=../outside/map.json'),
      "ws/address.ts": packWith('import x from "file://$ROOT/outside/config.json"; console.log(x);'),
      "ws/pipe.ts": packWith('import x from "./pipe.txt"; console.log(x);'),
    });
    const { code, toolkit, sourceMap } = await bundlePack(join(folder, "ws/pack.ts"));
    assert.ok(!`${code}${toolkit}`.includes(CANARY));
    const { sources, ...map } = JSON.parse(sourceMap) as { sources: readonly string[]; sourcesContent?: unknown };
    assert.equal(map.sourcesContent, undefined);
    assert.ok(sources.includes("pack.ts") && !sources.some((source) => source.includes("canary")), `${sources}`);
    assert.match((await bundleRefusal(join(folder, "ws/address.ts"))).message, /Could not resolve/);
    if (process.platform === "win32") return;
    // A pipe of its own would hold the build for ever.
    assert.equal(spawnSync("mkfifo", [join(folder, "ws/pipe.txt")]).status, 0);
    const { message, hint } = await bundleRefusal(join(folder, "ws/pipe.ts"));
    assert.match(message, /^pipe\.ts:3 imports .*pipe\.txt, which is not a regular file\.$/);
    assert.equal(hint, "Put a file with the source in its place.");
  });

  it("the source map names only files of the bundle", async () => {
    const compiled = (source: string): string =>
      `export const help = () => 1;\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(
        JSON.stringify({ version: 3, sources: [source], names: [], mappings: "AAAA" }),
      ).toString("base64")}\n`;
    const folder = lay({
      "ws/pack.ts": packWith('import { help as a } from "./foreign.js"; import { help as b } from "./own.js"; console.log(a, b);'),
      "ws/foreign.js": compiled("../outside/notes.txt"),
      "ws/own.js": compiled("own.ts"),
      "ws/own.ts": "export const help = () => 1;\n",
    });
    const bundle = await bundlePack(join(folder, "ws/pack.ts"));
    const stack = bundle.code
      .split("\n")
      .flatMap((line, index) =>
        /\bhelp\d? = /.test(line) ? [`    at help (pack-bundle.js:${index + 1}:${line.search(/\bhelp\d? = /) + 1})`] : [],
      );
    assert.equal(stack.length, 2);
    assert.deepEqual(
      mapStack(stack.join("\n"), bundle).map(({ location }) => location?.path),
      [join(folder, "ws/own.ts")],
    );
    const [, inline = ""] = /base64,(\S+)\s*$/.exec(debuggable(bundle).code) ?? [];
    assert.doesNotMatch(Buffer.from(inline, "base64").toString(), /notes\.txt/);
  });

  it("each package.json is read once while a pack is opened and built", async () => {
    const folder = lay({ "ws/pack.ts": packWith("") });
    const bundler = await readingManifests(() => createBundler(join(folder, "ws/pack.ts")));
    try {
      const built = await readingManifests(() => bundler.result.build());
      const reads = [...bundler.reads, ...built.reads];
      assert.ok(reads.includes(join(folder, "ws/package.json")));
      assert.deepEqual(reads, [...new Set(reads)]);
    } finally {
      await bundler.result.dispose();
    }
  });

  it("a dependency that is added after a build or a validation is found at the next build", async () => {
    const folder = lay({
      "ws/pack.ts": PACK,
      "node_modules/more/package.json": JSON.stringify({ name: "more" }),
      "node_modules/more/index.js": "exports.more = 1;\n",
    });
    const bundler = await createBundler(join(folder, "ws/pack.ts"));
    try {
      await bundler.build();
      await bundler.validator();
      writeFileSync(join(folder, "ws/pack.ts"), packWith('import { more } from "more"; console.log(more);'));
      await assert.rejects(bundler.build(), /is outside of the folder/);
      writeFileSync(join(folder, "ws/package.json"), JSON.stringify({ name: "ws", dependencies: { more: "1" } }));
      await bundler.build();
    } finally {
      await bundler.dispose();
    }
  });

  it("a file that becomes a link is refused at the next build", async () => {
    const folder = lay({ "ws/pack.ts": packWith('import x from "./mine.json"; console.log(x);'), "ws/mine.json": "{}" });
    const bundler = await createBundler(join(folder, "ws/pack.ts"));
    try {
      await bundler.build();
      rmSync(join(folder, "ws/mine.json"));
      symlinkSync("../outside/config.json", join(folder, "ws/mine.json"));
      await assert.rejects(bundler.build(), /is outside of the folder/);
    } finally {
      await bundler.dispose();
    }
  });
});

/** Returns the result of the work, and each path of a package.json that it read. */
async function readingManifests<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly reads: readonly string[] }> {
  const reads: string[] = [];
  const read = fs.readFileSync;
  const patch = (replacement: typeof fs.readFileSync): void => {
    fs.readFileSync = replacement;
    syncBuiltinESMExports();
  };
  patch(((...args: Parameters<typeof read>) => {
    if (String(args[0]).endsWith("package.json")) reads.push(String(args[0]));
    return read(...args);
  }) as typeof read);
  try {
    return { result: await work(), reads };
  } finally {
    patch(read);
  }
}

async function atHome(home: string, work: () => Promise<void>): Promise<void> {
  const before = process.env.HOME;
  process.env.HOME = home;
  try {
    await work();
  } finally {
    process.env.HOME = before;
  }
}
