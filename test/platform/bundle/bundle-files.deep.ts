// A bundle is made of the workspace: no file of the machine comes into it, whatever way a pack names it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs, { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { z } from "zod";
import { createBundler } from "../../../platform/bundle/bundle.ts";
import { bundleFiles, openedFolder } from "../../../platform/bundle/bundle-files.ts";
import { refuseForeign } from "../../../platform/bundle/foreign-files.ts";
import { debuggable, mapStack } from "../../../platform/bundle/source-map.ts";
import {
  bundleRefusal,
  CANARY,
  type Files,
  filesOfCase,
  lay,
  PACK,
  packWith,
  removeFolders,
  TOOLKIT,
} from "../../support/bundle-folders.ts";
import { bundlePack } from "../../support/bundle-pack.ts";
import { eachCase } from "../../support/json-cases.ts";

/** Packs that name files of the machine, by how they do it. */
const ATTACKS: Record<string, Files> = {};
eachCase("bundle/cases/foreign-files.json", z.strictObject({ title: z.string(), files: filesOfCase }), ({ title, files }) => {
  ATTACKS[title] = files;
});

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
