// A bundle is made of the workspace: no file of the machine comes into it, whatever way a pack names it, and every usual way to lay out
// packs and packages works.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { type BundleOptions, createBundler } from "../../../platform/bundle/bundle.ts";
import { bundleFiles, openedFolder } from "../../../platform/bundle/bundle-files.ts";
import { refuseForeign } from "../../../platform/bundle/foreign-files.ts";
import { debuggable, mapStack } from "../../../platform/bundle/source-map.ts";
import { PackAuthError } from "../../../platform/errors.ts";
import { bundlePack } from "../../support/bundle-pack.ts";
import { root } from "../../support/packs.ts";

const CANARY = "canary of the machine";
const TOOLKIT = join(root, "node_modules/@codahq/packs-sdk");
const TOOLKIT_MODULES = join(root, "node_modules");
const PACK = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;

/** Path → text, or `{ link }` to another path; all relative to a folder in which the pack is `ws/pack.ts` and `outside/` is not its own. */
type Files = Readonly<Record<string, string | { readonly link: string }>>;

const OUTSIDE: Files = {
  "outside/config.json": JSON.stringify({ canary: CANARY }),
  "outside/notes.txt": CANARY,
  "outside/code.ts": `export const canary: string = "${CANARY}";\n`,
  "outside/style.css": `a { content: "${CANARY}"; }\n`,
  "outside/factory.json": JSON.stringify({ compilerOptions: { jsxFactory: "canaryOfTheMachine" } }),
  "outside/map.json": JSON.stringify({ version: 3, sources: [CANARY], sourcesContent: [CANARY], names: [], mappings: "AAAA" }),
  "outside/named/package.json": JSON.stringify({ name: "private", main: "index.js" }),
  "outside/named/index.js": `exports.canary = "${CANARY}";\n`,
};

const folders: string[] = [];

function lay(files: Files): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-files-")));
  folders.push(folder);
  const all: Files = {
    "ws/package.json": JSON.stringify({ name: "ws" }),
    "ws/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
    ...OUTSIDE,
    ...files,
  };
  for (const [name, content] of Object.entries(all)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === "string") writeFileSync(path, content.replaceAll("$ROOT", folder));
    else symlinkSync(content.link.replaceAll("$ROOT", folder), path);
  }
  return folder;
}

const pack = (statement: string): string => `${PACK}${statement}\n`;

/** Each with the line in which it stands, and what it leads to. */
const ATTACKS: Readonly<Record<string, Files>> = {
  "an absolute path": { "ws/pack.ts": pack('import x from "$ROOT/outside/config.json"; console.log(x);') },
  "a path upwards": { "ws/pack.ts": pack('import x from "../outside/config.json"; console.log(x);') },
  "a path through its own folder": { "ws/pack.ts": pack('import x from "./../ws/./../outside/config.json"; console.log(x);') },
  "a text": { "ws/pack.ts": pack('import x from "../outside/notes.txt"; console.log(x);') },
  "an attribute": { "ws/pack.ts": pack('import x from "../outside/code.ts" with { type: "text" }; console.log(x);') },
  "an attribute for bytes": { "ws/pack.ts": pack('import x from "../outside/notes.txt" with { type: "bytes" }; console.log(x);') },
  "a source": { "ws/pack.ts": pack('import { canary } from "../outside/code"; console.log(canary);') },
  "an export of another's": { "ws/pack.ts": pack('export * from "../outside/code";') },
  "a require": { "ws/pack.ts": pack('console.log(require("../outside/config.json"));') },
  "a require of a folder": { "ws/pack.ts": pack('console.log(require("../outside/named"));') },
  "an import at run time": { "ws/pack.ts": pack('console.log(import("../outside/config.json"));') },
  "a pattern of imports": { "ws/pack.ts": pack(`export const load = (x: string) => import(\`../outside/conf\${x}.json\`);`) },
  "a pattern of requires": { "ws/pack.ts": pack('export const load = (x: string) => require("../outside/conf" + x + ".json");') },
  JSX: {
    "ws/pack.tsx": `/** @jsxRuntime automatic @jsxImportSource $ROOT/outside */\n${pack("export const x = <a />;")}`,
    "outside/jsx-runtime.js": `exports.jsx = () => "${CANARY}";`,
  },
  "a style sheet": { "ws/pack.ts": pack('import "./style.css";'), "ws/style.css": '@import "../outside/style.css";' },
  "a style sheet's address": { "ws/pack.ts": pack('import "./style.css";'), "ws/style.css": "a { background: url(../outside/notes.txt) }" },
  "paths of a tsconfig.json": {
    "ws/pack.ts": pack('import x from "@config"; console.log(x);'),
    "ws/tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "@config": ["../outside/config.json"] } } }),
  },
  "the baseUrl of a tsconfig.json": {
    "ws/pack.ts": pack('import x from "outside/config.json"; console.log(x);'),
    "ws/tsconfig.json": JSON.stringify({ compilerOptions: { baseUrl: ".." } }),
  },
  "what a tsconfig.json extends": {
    "ws/pack.tsx": pack("export const x = <a />;"),
    "ws/tsconfig.json": JSON.stringify({ extends: "../outside/factory.json" }),
  },
  "what one in a list that a tsconfig.json extends extends": {
    "ws/pack.tsx": pack("export const x = <a />;"),
    "ws/tsconfig.json": JSON.stringify({ extends: ["./plain.json", "./more"] }),
    "ws/plain.json": "{}",
    "ws/more.json": '{ /* comments */ "extends": "$ROOT/outside/factory" }',
  },
  "a tsconfig.json that is a link": {
    "ws/pack.tsx": pack("export const x = <a />;"),
    "ws/tsconfig.json": { link: "../outside/factory.json" },
  },
  "a package's tsconfig": {
    "ws/pack.tsx": pack("export const x = <a />;"),
    "ws/tsconfig.json": JSON.stringify({ extends: "base" }),
    "ws/node_modules/base/package.json": JSON.stringify({ name: "base", tsconfig: "../../../outside/factory.json" }),
  },
  "a link to a file": {
    "ws/pack.ts": pack('import x from "./mine.json"; console.log(x);'),
    "ws/mine.json": { link: "../outside/config.json" },
  },
  "a link to a folder": { "ws/pack.ts": pack('import x from "./mine/config.json"; console.log(x);'), "ws/mine": { link: "../outside" } },
  "a link to a link": {
    "ws/pack.ts": pack('import x from "./mine.json"; console.log(x);'),
    "ws/mine.json": { link: "./a" },
    "ws/a": { link: "$ROOT/outside/config.json" },
  },
  "a link in node_modules": {
    "ws/pack.ts": pack('import x from "mine/config.json"; console.log(x);'),
    "ws/node_modules/mine": { link: "../../outside" },
  },
  "a link in node_modules to a package of another name": {
    "ws/pack.ts": pack('import x from "mine"; console.log(x);'),
    "ws/node_modules/mine": { link: "../../outside/named" },
  },
  "a link in node_modules to a package that holds the pack": {
    "ws/pack.ts": pack('import x from "all/outside/config.json"; console.log(x);'),
    "package.json": JSON.stringify({ name: "all" }),
    "ws/node_modules/all": { link: "../.." },
  },
  "a link in node_modules to a package whose name leads elsewhere": {
    "ws/pack.ts": pack('import x from "mine"; console.log(x);'),
    "outside/odd/package.json": JSON.stringify({ name: "../link", main: "index.js" }),
    "outside/odd/index.js": `exports.canary = "${CANARY}";`,
    "ws/link": { link: "../outside/odd" },
    "ws/node_modules/mine": { link: "../../outside/odd" },
  },
  "node_modules as a link": {
    "ws/sub/pack.ts": pack('import x from "./node_modules/config.json"; console.log(x);'),
    "ws/sub/node_modules": { link: "../../outside" },
  },
  "a package's main": {
    "ws/pack.ts": pack('import x from "mine"; console.log(x);'),
    "ws/node_modules/mine/package.json": JSON.stringify({ name: "mine", main: "../../../outside/config.json" }),
  },
  "a package's exports": {
    "ws/pack.ts": pack('import x from "mine"; console.log(x);'),
    "ws/node_modules/mine/package.json": JSON.stringify({ name: "mine", exports: "./x.json" }),
    "ws/node_modules/mine/x.json": { link: "../../../outside/config.json" },
  },
  "what a package has for browsers": {
    "ws/package.json": JSON.stringify({ name: "ws", browser: { "./nothing.json": "../outside/config.json" } }),
    "ws/pack.ts": pack('import x from "./nothing.json"; console.log(x);'),
    "ws/nothing.json": "{}",
  },
  "a package's own imports": {
    "ws/package.json": JSON.stringify({ name: "ws", imports: { "#x": "./x.json" } }),
    "ws/pack.ts": pack('import x from "#x"; console.log(x);'),
    "ws/x.json": { link: "../outside/config.json" },
  },
  "a manifest of Plug'n'Play": {
    "ws/pack.ts": pack('import x from "mine/config.json"; console.log(x);'),
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
  "the entry itself": { "ws/pack.ts": { link: "../outside/pack.ts" }, "outside/pack.ts": pack(`console.log("${CANARY}");`) },
  "a device": { "ws/pack.ts": pack('import x from "./endless.txt"; console.log(x);'), "ws/endless.txt": { link: "/dev/zero" } },
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

async function refused(entry: string, options: BundleOptions = {}): Promise<PackAuthError> {
  const outcome = await bundlePack(entry, options).catch((error: unknown) => error);
  if (!(outcome instanceof PackAuthError))
    assert.fail(`it was not refused: ${outcome instanceof Error ? outcome.stack : JSON.stringify(outcome).slice(0, 2_000)}`);
  assert.equal(outcome.code, "pack-does-not-bundle");
  return outcome;
}

describe("the files of a bundle", function () {
  this.timeout(60_000);
  after(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  for (const [name, files] of Object.entries(ATTACKS))
    it(`are none of the machine's: ${name} is refused`, async () => {
      const error = await refused(entryOf(lay(files), files));
      assert.match(error.message, /is outside of the folder .*ws\.$/);
      assert.match(error.hint ?? "", /^Move the file into that folder/);
      assert.doesNotMatch(`${error.message} ${error.hint} ${JSON.stringify(error.location)}`, /canary/);
    });

  for (const [name, files] of Object.entries(ATTACKS).filter(([name]) => !/device|toolkit/.test(name)))
    it(`are none of the machine's: ${name} is refused by the finished bundle's list alone`, async () => {
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
      assert.throws(() => refuseForeign(metafile, dirname(entry), bundleFiles(openedFolder(entry), entry)), /is outside of the folder/);
    });

  for (const name of ["a path upwards", "a text", "a link to a file", "paths of a tsconfig.json"])
    it(`are none of the machine's with esbuild in WebAssembly either: ${name}`, async () => {
      const files = ATTACKS[name] ?? {};
      assert.match((await refused(entryOf(lay(files), files), { withoutNativeEsbuild: true })).message, /is outside of the folder/);
    });

  it("are none of the machine's, and the message names the line that imports it", async () => {
    const folder = lay({
      "ws/lib/a.ts": 'import x from "../../outside/config.json";\nexport default x;\n',
      "ws/pack.ts": pack('import x from "./lib/a"; console.log(x);'),
    });
    const error = await refused(join(folder, "ws/pack.ts"));
    assert.equal(
      error.message,
      `${join("lib", "a.ts")}:1 imports ${join(folder, "outside/config.json")}, which is outside of the folder ${join(folder, "ws")}.`,
    );
    assert.deepEqual(error.location, { path: join(folder, "ws/lib/a.ts"), line: 0, character: 14 });
    const settings = await refused(join(lay(ATTACKS["what a tsconfig.json extends"] ?? {}), "ws/pack.tsx"));
    assert.match(settings.message, /^tsconfig\.json:1 extends .*factory\.json, which is outside/);
  });

  it("are none of the home folder, where a link in node_modules calls it a package", async () => {
    const folder = lay({
      "ws/pack.ts": pack('import x from "me/.netrc.json"; console.log(x);'),
      "home/me/package.json": JSON.stringify({ name: "me" }),
      "home/me/.netrc.json": JSON.stringify(CANARY),
      "ws/node_modules/me": { link: "../../home/me" },
    });
    await atHome(join(folder, "home/me"), async () =>
      assert.match((await refused(join(folder, "ws/pack.ts"))).message, /is outside of the folder/),
    );
  });

  it("are none of the home folder where the pack lies in it, or its package.json", async () => {
    const folder = lay({
      "home/me/package.json": JSON.stringify({ name: "me", workspaces: ["*"] }),
      "home/me/.netrc.json": JSON.stringify(CANARY),
      "home/me/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
      "home/me/pack.ts": pack('import x from "./.netrc.json"; console.log(x);'),
      "home/me/alone.ts": PACK,
      "home/me/packs/pack.ts": pack('import x from "../.netrc.json"; console.log(x);'),
    });
    await atHome(join(folder, "home/me"), async () => {
      for (const name of ["pack.ts", "packs/pack.ts"])
        assert.match((await refused(join(folder, "home/me", name))).message, /is outside of the folder/);
      await refused(join(folder, "home/me/pack.ts"), { folder: join(folder, "ws") });
      await bundlePack(join(folder, "home/me/alone.ts"));
    });
  });

  it("are not even those that a path in the source names without importing them, and nothing of a source map", async () => {
    const folder = lay({
      "ws/pack.ts": pack('console.log(new URL("../outside/notes.txt", import.meta.url));\n//# sourceMappingURL=../outside/map.json'),
      "ws/address.ts": pack('import x from "file://$ROOT/outside/config.json"; console.log(x);'),
      "ws/pipe.ts": pack('import x from "./pipe.txt"; console.log(x);'),
    });
    const { code, toolkit, sourceMap } = await bundlePack(join(folder, "ws/pack.ts"));
    assert.ok(!`${code}${toolkit}`.includes(CANARY));
    assert.equal((JSON.parse(sourceMap) as { sourcesContent?: unknown }).sourcesContent, undefined);
    assert.match((await refused(join(folder, "ws/address.ts"))).message, /Could not resolve/);
    if (process.platform === "win32") return;
    // A pipe of its own would hold the build for ever.
    assert.equal(spawnSync("mkfifo", [join(folder, "ws/pipe.txt")]).status, 0);
    assert.match((await refused(join(folder, "ws/pipe.ts"))).message, /^pipe\.ts:3 imports .*pipe\.txt, which is not a regular file\.$/);
  });

  it("are the only places that the map of a compiled source names", async () => {
    const compiled = (source: string): string =>
      `export const help = () => 1;\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(
        JSON.stringify({ version: 3, sources: [source], names: [], mappings: "AAAA" }),
      ).toString("base64")}\n`;
    const folder = lay({
      "ws/pack.ts": pack('import { help as a } from "./foreign.js"; import { help as b } from "./own.js"; console.log(a, b);'),
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

  for (const [name, files] of Object.entries<Files>({
    "a source map": { "ws/lib.js": "export default 1;\n//# sourceMappingURL=lib.js.map\n", "ws/lib.js.map": { link: "$ROOT/special" } },
    "a package.json beside a source": { "ws/lib/index.js": "export default 1;\n", "ws/lib/package.json": { link: "$ROOT/special" } },
    "what a tsconfig.json extends": {
      "ws/lib.ts": "export default 1;\n",
      "ws/tsconfig.json": '{ "extends": "./base.json" }',
      "ws/base.json": { link: "$ROOT/special" },
    },
  }))
    for (const special of name === "a source map" ? ["pipe", "/dev/zero"] : ["pipe"])
      it(`end a build that reads for ever (${name}: ${special}), and the next one is as ever`, async function () {
        if (process.platform === "win32") return this.skip();
        const folder = lay({ "ws/pack.ts": pack('import x from "./lib"; console.log(x);'), "fine/pack.ts": PACK, ...files });
        symlinkSync(TOOLKIT_MODULES, join(folder, "fine/node_modules"));
        if (special === "pipe") assert.equal(spawnSync("mkfifo", [join(folder, "special")]).status, 0);
        else symlinkSync(special, join(folder, "special"));
        const fine = await createBundler(join(folder, "fine/pack.ts"));
        await fine.build();
        const limits = special === "pipe" ? { buildTime: 3_000 } : { buildMemory: 400 * 1024 ** 2 };
        const error = await refused(join(folder, "ws/pack.ts"), limits);
        assert.match(error.message, special === "pipe" ? /cannot be built within 3 s/ : /takes more than 400 MB of memory/);
        assert.equal(fine.isCurrent(), false);
        await fine.dispose();
        await bundlePack(join(folder, "fine/pack.ts"));
      });

  it("are looked for through no package.json that is a pipe or a device", async function () {
    if (process.platform === "win32") return this.skip();
    const files = { "ws/pack.ts": PACK, "ws/node_modules/browserify/x": "" };
    // In a process of its own: a look that does not end would keep this one.
    for (const place of ["ws/node_modules/browserify/package.json", "ws/node_modules/@codahq/packs-sdk/package.json"]) {
      const folder = lay({ ...files, ...(place.includes("@codahq") ? { "ws/node_modules/@codahq/packs-sdk": { link: "sdk" } } : {}) });
      if (place.includes("@codahq")) {
        mkdirSync(join(folder, "ws/node_modules/@codahq/sdk"));
        assert.equal(spawnSync("mkfifo", [join(folder, "ws/node_modules/@codahq/sdk/package.json")]).status, 0);
      } else assert.equal(spawnSync("mkfifo", [join(folder, place)]).status, 0);
      const code = `import(${JSON.stringify(join(root, "platform/bundle/toolkit.ts"))}).then(({ findToolkit }) => { try { findToolkit(${JSON.stringify(join(folder, "ws/pack.ts"))}); } catch (error) { console.log(error.code); } })`;
      const { status, stdout } = spawnSync(process.execPath, ["--import", "tsx", "-e", code], {
        cwd: root,
        encoding: "utf8",
        timeout: 20_000,
      });
      assert.equal(status, 0, `${place}: still looking`);
      if (place.includes("@codahq")) assert.match(stdout, /toolkit-missing/);
    }
  });

  it("are found anew with each build: what becomes a link later is refused then", async () => {
    const folder = lay({ "ws/pack.ts": pack('import x from "./mine.json"; console.log(x);'), "ws/mine.json": "{}" });
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

  const FINE = "what is the workspace's own";
  const use = (path: string): string => pack(`import { text } from ${JSON.stringify(path)}; console.log(text);`);
  const library = `export const text: string = "${FINE}";\n`;
  const packageOf = (name: string, more: object = {}): string => JSON.stringify({ name, main: "index.js", ...more });
  const installed = `exports.text = "${FINE}";\n`;
  /** The layouts, each with its pack's path and the folder that is open in an editor, if any. */
  const LAYOUTS: Readonly<Record<string, { readonly files: Files; readonly entry?: string; readonly opened?: string }>> = {
    "a folder without a package.json": {
      entry: "lone/pack.ts",
      files: { "lone/pack.ts": use("./lib"), "lone/lib.ts": library, "lone/node_modules/@codahq/packs-sdk": { link: TOOLKIT } },
    },
    "folders below and above, to the package.json": {
      entry: "ws/src/deep/pack.ts",
      files: { "ws/src/deep/pack.ts": use("../../lib/x"), "ws/lib/x.ts": library },
    },
    "a link within the folder": { files: { "ws/pack.ts": use("./mine"), "ws/mine.ts": { link: "lib/x.ts" }, "ws/lib/x.ts": library } },
    "a folder that is reached by a link itself": {
      entry: "short/pack.ts",
      files: { short: { link: "ws" }, "ws/pack.ts": use("./lib"), "ws/lib.ts": library },
    },
    "paths of a tsconfig.json within the folder, which extends others": {
      files: {
        "ws/pack.ts": use("@lib/x"),
        "ws/lib/x.ts": library,
        "ws/tsconfig.json": JSON.stringify({ extends: ["./base", "strict/tsconfig.json", "byname"] }),
        "ws/base.json": JSON.stringify({ compilerOptions: { paths: { "@lib/*": ["./lib/*"] } } }),
        "ws/node_modules/strict/package.json": packageOf("strict"),
        "ws/node_modules/strict/tsconfig.json": "{}",
        "node_modules/byname/package.json": packageOf("byname", { tsconfig: "x.json" }),
        "node_modules/byname/x.json": "{}",
      },
    },
    "a tsconfig.json of the user's, above": {
      files: { "ws/pack.ts": use("./lib"), "ws/lib.ts": library, "tsconfig.json": JSON.stringify({ extends: "./outside/factory.json" }) },
    },
    "a package": {
      files: { "ws/pack.ts": use("lib"), "ws/node_modules/lib/package.json": packageOf("lib"), "ws/node_modules/lib/index.js": installed },
    },
    "a package above, by a name of the user's own, with a package of its own": {
      files: {
        "ws/pack.ts": use("alias"),
        "node_modules/alias/package.json": packageOf("lib"),
        "node_modules/alias/index.js": 'exports.text = require("@some/part").text;',
        "node_modules/@some/part/package.json": packageOf("@some/part"),
        "node_modules/@some/part/index.js": installed,
      },
    },
    "what a package goes without in browsers": {
      files: {
        "ws/pack.ts": use("lib"),
        "ws/node_modules/lib/package.json": packageOf("lib", { browser: { "./disk.js": false } }),
        "ws/node_modules/lib/index.js": `require("./disk.js"); ${installed}`,
        "ws/node_modules/lib/disk.js": "throw 1;",
      },
    },
    "npm workspaces: a sibling by its name and by its path": {
      entry: "mono/packs/crm/pack.ts",
      files: {
        "mono/package.json": JSON.stringify({ workspaces: ["./packs/*", "shared", "!packs/old"] }),
        "mono/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
        "mono/node_modules/shared": { link: "../shared" },
        "mono/packs/crm/package.json": packageOf("crm"),
        "mono/packs/crm/pack.ts": `${use("shared")}export { text } from "../../shared/index";`,
        "mono/shared/package.json": packageOf("shared", { main: "index.ts" }),
        "mono/shared/index.ts": library,
      },
    },
    "npm workspaces where a part of a member is open in the editor": {
      entry: "mono/packs/crm/src/pack.ts",
      opened: "mono/packs/crm/src",
      files: {
        "mono/package.json": JSON.stringify({ workspaces: ["packs/c*m"] }),
        "mono/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
        "mono/packs/crm/package.json": packageOf("crm"),
        "mono/packs/crm/src/pack.ts": use("../../../lib"),
        "mono/lib.ts": library,
      },
    },
    "workspaces as an object, as yarn has them": {
      entry: "mono/packs/crm/src/pack.ts",
      files: {
        "mono/package.json": JSON.stringify({ workspaces: { packages: ["packs/**"] } }),
        "mono/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
        "mono/packs/crm/package.json": packageOf("crm"),
        "mono/packs/crm/src/pack.ts": use("../../../lib"),
        "mono/lib.ts": library,
      },
    },
    "pnpm: a store of links, a sibling, a part of a package, an alias": {
      entry: "mono/packs/crm/pack.ts",
      files: {
        "mono/package.json": "{}",
        "mono/pnpm-workspace.yaml":
          "# what there is\npackages:\n  # packs\n  - 'packs/*' # all\n  - \"shared\"\nonlyBuiltDependencies:\n  - esbuild\n",
        "mono/node_modules/.pnpm/lib@1/node_modules/lib/package.json": packageOf("lib"),
        "mono/node_modules/.pnpm/lib@1/node_modules/lib/index.js": 'exports.text = require("part").text;',
        "mono/node_modules/.pnpm/lib@1/node_modules/part": { link: "../../part@2/node_modules/part" },
        "mono/node_modules/.pnpm/part@2/node_modules/part/package.json": packageOf("part"),
        "mono/node_modules/.pnpm/part@2/node_modules/part/index.js": installed,
        "mono/packs/crm/package.json": packageOf("crm"),
        "mono/packs/crm/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
        "mono/packs/crm/node_modules/lib": { link: "../../../node_modules/.pnpm/lib@1/node_modules/lib" },
        "mono/packs/crm/node_modules/alias": { link: "../../../node_modules/.pnpm/part@2/node_modules/part" },
        "mono/packs/crm/node_modules/shared": { link: "../../../shared" },
        "mono/packs/crm/pack.ts": `${use("lib")}export { text as a } from "alias"; export { text as b } from "shared"; export { text as c } from "../../shared/index";`,
        "mono/shared/package.json": packageOf("shared", { main: "index.ts" }),
        "mono/shared/index.ts": library,
      },
    },
    "pnpm with its list in one line": {
      entry: "mono/packs/crm/pack.ts",
      files: {
        "mono/pnpm-workspace.yaml": 'packages: ["packs/*", shared]\r\n',
        "mono/packs/crm/package.json": packageOf("crm"),
        "mono/packs/crm/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
        "mono/packs/crm/pack.ts": use("../../shared/index"),
        "mono/shared/index.ts": library,
      },
    },
    "pnpm's store for all projects, elsewhere on the machine": {
      files: {
        "ws/pack.ts": use("@some/lib"),
        "ws/node_modules/@some/lib": { link: "$ROOT/store/links/@some/lib/1/abc/node_modules/@some/lib" },
        "store/links/@some/lib/1/abc/node_modules/@some/lib/package.json": packageOf("@some/lib"),
        "store/links/@some/lib/1/abc/node_modules/@some/lib/index.js": 'exports.text = require("part").text;',
        "store/links/@some/lib/1/abc/node_modules/part": { link: "$ROOT/store/links/part/2/def/node_modules/part" },
        "store/links/part/2/def/node_modules/part/package.json": packageOf("part"),
        "store/links/part/2/def/node_modules/part/index.js": installed,
      },
    },
    "npm link: a package elsewhere of the name that the link has": {
      files: {
        "ws/pack.ts": use("private"),
        "ws/node_modules/private": { link: "$ROOT/global/node_modules/private" },
        "global/node_modules/private": { link: "../../mine/private" },
        "mine/private/package.json": packageOf("private"),
        "mine/private/index.js": 'exports.text = require("part").text;',
        "mine/private/node_modules/part/package.json": packageOf("part"),
        "mine/private/node_modules/part/index.js": installed,
      },
    },
    "node_modules of another place, linked as a whole": {
      entry: "other/pack.ts",
      files: {
        "other/pack.ts": use("lib"),
        "other/node_modules": { link: "../ws/node_modules" },
        "ws/node_modules/lib/package.json": packageOf("lib"),
        "ws/node_modules/lib/index.js": installed,
      },
    },
    "the folder that is open in the editor": {
      entry: "open/packs/crm/pack.ts",
      opened: "open",
      files: {
        "open/packs/crm/package.json": packageOf("crm"),
        "open/packs/crm/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
        "open/packs/crm/pack.ts": use("../../lib/x"),
        "open/lib/x.ts": library,
      },
    },
  };

  for (const [name, { files, entry = "ws/pack.ts", opened }] of Object.entries(LAYOUTS))
    it(`are taken as ever: ${name}`, async () => {
      const folder = lay(files);
      const { code } = await bundlePack(join(folder, entry), opened === undefined ? {} : { folder: join(folder, opened) });
      assert.ok(code.includes(FINE));
    });

  it("are of no workspace that the pack is no member of, and not of a folder that the editor has open elsewhere", async () => {
    const files: Files = {
      "mono/package.json": JSON.stringify({ workspaces: ["apps/*", "*", "packs/c*rmx", "packs/**/deeper", "**/crm", "!packs/*"] }),
      "mono/pnpm-workspace.yaml": "packages:\n  - apps/*\nother:\n  - packs/*\n",
      "mono/packs/crm/package.json": packageOf("crm"),
      "mono/packs/crm/node_modules/@codahq/packs-sdk": { link: TOOLKIT },
      "mono/packs/crm/pack.ts": use("../../lib/x"),
      "mono/lib/x.ts": library,
    };
    const folder = lay(files);
    const entry = join(folder, "mono/packs/crm/pack.ts");
    assert.match((await refused(entry)).message, /^pack\.ts:3 imports .*x\.ts, which is outside of the folder .*crm\.$/);
    assert.match((await refused(entry, { folder: join(folder, "mono/lib") })).message, /outside of the folder .*crm\.$/);
  });
});

async function atHome(home: string, work: () => Promise<void>): Promise<void> {
  const before = process.env.HOME;
  process.env.HOME = home;
  try {
    await work();
  } finally {
    process.env.HOME = before;
  }
}
