import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { validateBundle } from "../../../platform/process/validate-bundle.ts";
import { buildWithToolkit, type ToolkitBuildOptions } from "../../../platform/upload/toolkit-build.ts";
import { runner } from "../../support/open-packs.ts";
import { installToolkit, root } from "../../support/packs.ts";

const program = join(root, "dist/toolkit-build.cjs");

/** The pack's code as text: loaded anywhere but in the pack process, it would write the file. */
const marking = (file: string): string => `
import * as coda from "@codahq/packs-sdk";
import { greet } from "./lib/greet";
export const pack = coda.newPack();
try { new Function("return process")().getBuiltinModule("fs").writeFileSync(${JSON.stringify(file)}, "ran"); } catch {}
pack.addFormula({ name: "Hello", description: "Says hello.", parameters: [], resultType: coda.ValueType.String, execute: async () => greet("World") });
`;

/** A pack that does not import the SDK: minifying the SDK takes most of a build's time. */
const PLAIN = "export const pack = {};\n";

describe("a build with the Packs SDK's own function", function () {
  this.timeout(300_000);
  let folder: string;
  let entry: string;
  /** A temporary folder of this suite's own, in which no other process builds. */
  let temporary: string;
  const { TMPDIR, TEMP } = process.env;
  const temporaryFolders = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("pack-auth-upload-"));
  const build = (options: Partial<ToolkitBuildOptions> = {}) => buildWithToolkit(entry, { program, ...options });

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "built-pack-")));
    temporary = mkdtempSync(join(tmpdir(), "temporary-"));
    process.env.TMPDIR = process.env.TEMP = temporary;
    installToolkit(folder);
    entry = join(folder, "pack.ts");
    mkdirSync(join(folder, "lib"));
    writeFileSync(join(folder, "lib/greet.ts"), "export const greet = (name: string): string => `Hello ${name}!`;\n");
    writeFileSync(entry, PLAIN);
  });
  afterEach(() => {
    for (const [name, value] of Object.entries({ TMPDIR, TEMP }))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    for (const each of [folder, temporary]) rmSync(each, { recursive: true });
  });

  it("the build equals that of the SDK's own upload, runs no code of the pack, and loads in the pack process, which validates it and adds no version", async () => {
    writeFileSync(entry, marking(join(folder, "ran")));
    const before = temporaryFolders();
    const built = await build();
    assert.equal(existsSync(join(folder, "ran")), false);
    assert.deepEqual(temporaryFolders(), before);
    assert.deepEqual(readdirSync(folder).sort(), ["lib", "node_modules", "pack.ts"]);
    /** Builds as the SDK's own upload does. esbuild writes the folder's path into the bundle, and its letters change how names are minified. */
    const buildAlone = (output: string): void => {
      const script = `
        require("@codahq/packs-sdk/dist/cli/helpers.js");
        const { compilePackBundle } = require("@codahq/packs-sdk/dist/testing/compile.js");
        const output = ${JSON.stringify(output)};
        compilePackBundle({ manifestPath: "pack.ts", outputDirectory: output, intermediateOutputDirectory: output });`;
      const { status, stderr } = spawnSync(process.execPath, ["-e", script], { cwd: folder, encoding: "utf8" });
      assert.equal(status, 0, stderr);
      assert.ok(existsSync(join(folder, "ran")), "the SDK's own build loads the pack");
    };
    const withoutComment = (code = ""): string => code.replace(/^\/\/# sourceMappingURL=.*/m, "");
    const buildFolder = resolve(folder, /"([^"]*)\/browserify-bundle\.js"/.exec(built?.bundle ?? "")?.[1] ?? "");
    const read = (name: string): string => readFileSync(join(buildFolder, name), "utf8");
    type SourceMap = { readonly sources: readonly string[]; readonly sourcesContent: readonly string[] };
    const { sources, ...map } = JSON.parse(built?.sourceMap ?? "") as SourceMap;
    mkdirSync(buildFolder, { recursive: true });
    try {
      buildAlone(buildFolder);
      // A comparison in one word keeps the bundles out of a failure's text.
      assert.equal(withoutComment(built?.bundle) === withoutComment(read("bundle.js")), true, "the bundles differ");
      const { sources: _, ...mapAlone } = JSON.parse(read("bundle.js.map")) as SourceMap;
      assert.equal(JSON.stringify(map) === JSON.stringify(mapAlone), true, "the maps differ");
    } finally {
      rmSync(buildFolder.replace(/(pack-auth-upload-\w+).*/, "$1"), { recursive: true });
    }
    // Alone, the SDK names a source by a path from the temporary folder.
    const fileOf = (source: string): string => readFileSync(resolve(folder, "_upload_build", source), "utf8");
    assert.deepEqual(
      sources.filter((source, index) => fileOf(source) !== map.sourcesContent[index]),
      [],
    );
    assert.ok(sources.includes("../lib/greet.ts"));
    assert.equal(built?.sourceMap.includes("pack-auth-upload-"), false);
    const validation = await validateBundle(entry, built?.bundle ?? "", { process: { runner, node: process.execPath } });
    assert.ok(validation.isChecked);
    assert.deepEqual(validation.errors, []);
    assert.equal((JSON.parse(validation.metadata) as { version?: string }).version, undefined);
  });

  describe("with files of another project", () => {
    /** A folder for temporary files, beside which the other project is. */
    let outside: string;
    const lay = (files: Readonly<Record<string, string>>): void => {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(join(folder, name, ".."), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
    };
    const pack = (body: string): string => `${PLAIN}export const load = ${body}`;
    const CANARY = "canary-of-another-project";

    beforeEach(() => {
      outside = realpathSync(mkdtempSync(join(tmpdir(), "outside-")));
      for (const name of ["temporary", "node_modules/private"]) mkdirSync(join(outside, name), { recursive: true });
      for (const name of [".coda-credentials.json", "private.json", "node_modules/private/index.json"])
        writeFileSync(join(outside, name), JSON.stringify({ secret: CANARY }));
      writeFileSync(join(outside, "private.js"), `module.exports = "${CANARY}";\n`);
      writeFileSync(join(outside, "node_modules/private/package.json"), '{"name":"private","main":"index.json"}');
      process.env.TMPDIR = process.env.TEMP = join(outside, "temporary");
    });
    afterEach(() => rmSync(outside, { recursive: true }));

    /** What a source may write in place of an import that the pack's own bundle would refuse. */
    const forms: Readonly<Record<string, (path: string) => string>> = {
      "a require in try": (path) => `() => { try { return require("${path}"); } catch {} };`,
      "an import in try": (path) => `async () => { try { return await import("${path}"); } catch {} };`,
      "an import with a catch": (path) => `() => import("${path}").catch(() => {});`,
    };

    it("no path from the temporary folder leads to a file, and the build names the path", async () => {
      const paths = ["..", "../..", "../../.."].flatMap((up) =>
        [".coda-credentials.json", "private.json", "private.js"].map((file) => `${up}/${file}`),
      );
      for (const form of Object.values(forms)) {
        writeFileSync(entry, pack(`[${paths.map((path) => form(path).slice(0, -1)).join(",\n")}];`));
        await build().then(
          (built) => assert.doesNotMatch(`${built?.bundle}${built?.sourceMap}`, new RegExp(CANARY)),
          // The builder names the path that it looks for first, whichever that is.
          (error: unknown) =>
            assert.match(String(error), /Cannot find module '\.\.\/[^']*(?:\.coda-credentials\.json|private\.js(?:on)?)'/),
        );
      }
    });

    for (const [form, source] of Object.entries(forms))
      it(`${form} of a package above the temporary folder is refused, and the file is named`, async () => {
        writeFileSync(entry, pack(source("private")));
        await assert.rejects(build(), { code: "pack-does-not-bundle", message: /node_modules\/private\/index\.json.*Nothing was sent/ });
      });

    it("a dependency that does the same is refused", async () => {
      lay({
        "package.json": '{"dependencies":{"helper":"*"}}',
        "node_modules/helper/package.json": '{"name":"helper"}',
        "node_modules/helper/index.js": 'try { exports.x = require("private"); } catch {}\n',
        "pack.ts": pack('require("helper");'),
      });
      await assert.rejects(build(), { code: "pack-does-not-bundle", message: /node_modules\/private\/index\.json/ });
    });

    it("a file that only the SDK's build finds from the source is refused", async () => {
      symlinkSync(outside, join(folder, "inside"));
      writeFileSync(entry, pack('require("./inside/private.json");'));
      await assert.rejects(build(), { code: "pack-does-not-bundle", message: /private\.json, which is outside of the folder/ });
    });

    it("a source map outside of the pack is refused, and one that names files outside adds none of them", async () => {
      const map = (source: string, contents?: string): string =>
        JSON.stringify({ version: 3, sources: [source], sourcesContent: contents && [contents], names: [], mappings: "AAAA" });
      writeFileSync(join(outside, "lib.js.map"), map("private.js", CANARY));
      const inline = `data:application/json;base64,${Buffer.from(map(join(outside, "private.js"))).toString("base64")}`;
      const up = relative(folder, outside);
      for (const comment of [`//# sourceMappingURL=${up}/lib.js.map`, `//@ sourceMappingURL=${up}/lib%2ejs.map`]) {
        writeFileSync(entry, `${pack("1;")}\n${comment}\n`);
        await assert.rejects(build(), { code: "pack-does-not-bundle", message: /lib\.js\.map, which is outside of the folder/ });
      }
      lay({
        "lib/a.js": `export const a = "sourceMappingURL=x";\n//# sourceMappingURL=${inline}`,
        "lib/b.js": "export const b = 2;\n/*# sourceMappingURL=b.js.map */",
        "lib/b.js.map": map(join(outside, "private.js")),
        "pack.ts": pack('1; import { a } from "./lib/a.js"; import { b } from "./lib/b.js"; Object.assign(pack, { a, b });'),
      });
      const built = await build();
      const { sources, sourcesContent } = JSON.parse(built?.sourceMap ?? "") as { sources: string[]; sourcesContent: string[] };
      assert.doesNotMatch(`${built?.bundle}${built?.sourceMap}`, new RegExp(`${CANARY}|private\\.js`));
      assert.ok(sources.includes("../lib/b.js"));
      assert.equal(sourcesContent[sources.indexOf("../lib/a.js")], readFileSync(join(folder, "lib/a.js"), "utf8"));
    });
  });

  it("each source in the map of a pack in a subfolder is a file", async () => {
    const below = join(folder, "packs/one");
    mkdirSync(below, { recursive: true });
    writeFileSync(join(below, "pack.ts"), PLAIN);
    const built = await buildWithToolkit(join(below, "pack.ts"), { program });
    const { sources } = JSON.parse(built?.sourceMap ?? "") as { readonly sources: readonly string[] };
    assert.ok(sources.includes("../pack.ts"));
    assert.deepEqual(
      sources.filter((source) => !existsSync(resolve(below, "_upload_build", source))),
      [],
    );
  });

  it("each source in the map is a file, also where the temporary folder is beside the SDK", async () => {
    const beside = mkdtempSync(join(root, "node_modules/.cache/temporary-"));
    process.env.TMPDIR = beside;
    try {
      const built = await build();
      const { sources } = JSON.parse(built?.sourceMap ?? "") as { readonly sources: readonly string[] };
      assert.deepEqual(
        sources.filter((source) => !existsSync(resolve(folder, "_upload_build", source))),
        [],
      );
    } finally {
      rmSync(beside, { recursive: true });
    }
  });

  it("the options of the pack choose what replaces timers", async () => {
    writeFileSync(entry, `${PLAIN}setTimeout(() => {}, 1);\n`);
    const plain = await build();
    writeFileSync(join(folder, ".coda-pack.json"), '{"packId":1,"options":{"timerStrategy":"error"}}');
    const shimmed = await build();
    assert.notEqual(shimmed?.bundle, plain?.bundle);
    assert.match(shimmed?.sourceMap ?? "", /timers_disabled_shim/);
  });

  it("a pack that does not build is reported with the builder's words", async () => {
    writeFileSync(entry, 'import "./missing";\n');
    await assert.rejects(build(), { code: "toolkit-build-failed", message: /Could not resolve "\.\/missing"/ });
  });

  for (const name of ["PACK_AUTH_API_TOKEN", "PACK_AUTH_PASSPHRASE", "PACK_AUTH_SERVICE_TOKEN"])
    it(`code of the workspace does not run with ${name} in the environment`, async () => {
      process.env[name] = "secret-canary";
      try {
        await assert.rejects(build(), {
          code: "toolkit-build-failed",
          message: new RegExp(name),
          nextStep: { do: "unsetVariable", variable: name },
        });
      } finally {
        delete process.env[name];
      }
    });

  describe("with another version of the SDK", () => {
    /** An SDK whose files are given; they note the environment in which they run. */
    const install = (files: Readonly<Record<string, string>>): void => {
      const toolkit = join(folder, "node_modules/@codahq/packs-sdk");
      rmSync(toolkit);
      mkdirSync(join(toolkit, "node_modules/browserify/lib"), { recursive: true });
      const all = {
        "package.json": '{"name":"@codahq/packs-sdk","version":"9.9.9"}',
        "node_modules/browserify/lib/builtins.js": "",
        "node_modules/browserify/index.js":
          'module.exports = (file) => { const reader = new (require("events"))(); setImmediate(() => reader.emit("file", file)); return reader; };',
        "node_modules/esbuild/index.js":
          "exports.build = ({ entryPoints: [path], plugins }) => plugins.forEach(({ setup }) => setup({ onLoad: (_, load) => load({ path }) }));",
        "dist/cli/helpers.js": "exports.importManifest = async (file) => require(file);",
        "dist/testing/ivm_wrapper.js": "exports.tryGetIvm = () => null;",
        ...files,
      };
      for (const [name, text] of Object.entries(all)) {
        mkdirSync(join(toolkit, name, ".."), { recursive: true });
        writeFileSync(join(toolkit, name), text);
      }
    };
    const passes = `await require("esbuild").build({ entryPoints: [manifestPath] });
      await new Promise((done) => require("browserify")(manifestPath).on("file", done));`;
    const compiling = (body: string, building = passes): string =>
      `const { writeFileSync } = require("fs"); const helpers = require("../cli/helpers.js");
       exports.compilePackBundle = async ({ manifestPath, outputDirectory }) => { const out = outputDirectory + "/bundle.js"; ${building}
         writeFileSync(out, 'require("fs").writeFileSync(${JSON.stringify(join("FOLDER", "ran"))}, "")'.replace("FOLDER", ${JSON.stringify(folder)}));
         writeFileSync(out + ".map", '{"version":3,"sources":[],"mappings":""}');
         ${body} };`;

    it("an SDK that writes no file for debugging, and only tries isolated-vm, builds", async () => {
      install({ "dist/testing/compile.js": compiling('require("./ivm_wrapper.js").tryGetIvm();') });
      assert.equal((await build())?.toolkitVersion, "9.9.9");
      install2("dist/testing/compile.js", compiling(""));
      await assert.rejects(build(), {
        code: "toolkit-build-failed",
        message: /neither importManifest nor tryGetIvm/,
        hint: /another version/,
      });
    });

    it("an SDK whose build reads files in a way that is not seen is refused", async () => {
      const compile = "dist/testing/compile.js";
      install({ [compile]: compiling("await helpers.importManifest(out);", "") });
      await assert.rejects(build(), { code: "toolkit-build-failed", message: /uses esbuild or browserify in another way/ });
      install2(compile, compiling("await helpers.importManifest(out);", passes.slice(0, passes.indexOf("\n"))));
      await assert.rejects(build(), { code: "toolkit-build-failed", message: /uses esbuild or browserify in another way/ });
    });

    it("a file that the SDK lacks is named, without the words of Node's loader", async () => {
      install({ "dist/testing/compile.js": compiling("") });
      rmSync(join(folder, "node_modules/@codahq/packs-sdk/dist/testing/ivm_wrapper.js"));
      await assert.rejects(build(), {
        code: "toolkit-build-failed",
        message: "The Packs SDK 9.9.9 builds in a way that Pack Auth does not know: its file dist/testing/ivm_wrapper.js is missing.",
      });
    });

    it("a missing file or function ends the build before anything is built", async () => {
      install({ "dist/cli/helpers.js": "", "dist/testing/compile.js": compiling("") });
      await assert.rejects(build(), {
        code: "toolkit-build-failed",
        message: /SDK 9\.9\.9 .*importManifest is missing/,
        hint: /another version/,
      });
      install2("dist/testing/compile.js", "");
      await assert.rejects(build(), { code: "toolkit-build-failed" });
    });

    const install2 = (name: string, text: string): void => writeFileSync(join(folder, "node_modules/@codahq/packs-sdk", name), text);

    it("an SDK that loads the built pack in another way is stopped before the pack's code runs", async () => {
      install({ "dist/testing/compile.js": compiling("require(out);") });
      await assert.rejects(build(), { code: "toolkit-build-failed", message: /loads the built pack/ });
      assert.equal(existsSync(join(folder, "ran")), false);
    });

    it("an export that cannot be replaced ends the build", async () => {
      install({
        "dist/cli/helpers.js": 'Object.defineProperty(exports, "importManifest", { value: async (file) => require(file) });',
        "dist/testing/compile.js": compiling("await helpers.importManifest(out);"),
      });
      await assert.rejects(build(), { code: "toolkit-build-failed", message: /cannot be replaced/ });
    });

    it("the SDK's code sees only the variables that every process of ours gets", async () => {
      process.env.SOME_TOKEN = "env-canary";
      try {
        install({
          "dist/testing/compile.js": compiling(
            `await helpers.importManifest(out); writeFileSync(${JSON.stringify(join("F", "env"))}.replace("F", ${JSON.stringify(folder)}), JSON.stringify([process.env, process.argv]));`,
          ),
        });
        await build();
        const [environment, argv] = JSON.parse(readFileSync(join(folder, "env"), "utf8")) as [Record<string, string>, string[]];
        assert.deepEqual(Object.keys(environment), ["TZ"]);
        assert.deepEqual(argv.slice(1), [program]);
      } finally {
        delete process.env.SOME_TOKEN;
      }
    });

    it("results of another shape are a build that failed", async () => {
      const map = (text: string): string => `await helpers.importManifest(out); writeFileSync(out + ".map", ${JSON.stringify(text)});`;
      for (const [body, message] of [
        [map("no JSON"), /wrote no source map/],
        [map('{"version":3}'), /wrote no source map/],
        [map('{"sources":[1]}'), /wrote no source map/],
        [
          "const end = process.exit; process.exit = () => { writeFileSync(outputDirectory + '/outcome.json', '[]'); end(0); };",
          /no result/,
        ],
        ["const end = process.exit; process.exit = () => { writeFileSync(outputDirectory + '/outcome.json', '{'); end(0); };", /no result/],
      ] as const) {
        install({ "dist/testing/compile.js": compiling(body) });
        await assert.rejects(build(), { code: "toolkit-build-failed", message });
        rmSync(join(folder, "node_modules/@codahq/packs-sdk"), { recursive: true });
        installToolkit(folder);
      }
    });

    const isRunning = (pid: number): boolean => {
      try {
        process.kill(pid, 0);
        // A process that ended and whose parent did not ask for its exit code yet.
        return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
      } catch {
        return false;
      }
    };
    const pidIn = (name: string): number => Number(readFileSync(join(folder, name), "utf8"));
    const noting = (name: string, expression: string): string =>
      `writeFileSync(${JSON.stringify("F/")}.replace("F", ${JSON.stringify(folder)}) + ${JSON.stringify(name)}, String(${expression}));`;
    /** Waits for a condition; the machine may be busy. */
    const until = async (condition: () => boolean): Promise<void> => {
      for (let count = 0; count < 600 && !condition(); count++) await delay(100);
      assert.ok(condition());
    };

    for (const detached of [false, true])
      it(`a ${detached ? "detached " : ""}process that the SDK leaves behind does not keep the build from ending`, async function () {
        if (process.platform === "win32") this.skip();
        install({
          "dist/testing/compile.js": compiling(`await helpers.importManifest(out);
            const child = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"],
              { stdio: ["ignore", "ignore", "inherit"], detached: ${detached} });
            ${noting("pid", "child.pid")}`),
        });
        try {
          assert.equal((await build({ buildTime: 60_000 }))?.toolkitVersion, "9.9.9");
          if (!detached) await until(() => !isRunning(pidIn("pid")));
        } finally {
          if (isRunning(pidIn("pid"))) process.kill(pidIn("pid"), "SIGKILL");
        }
      });

    it("a build whose host is killed ends, and its temporary folder is removed", async () => {
      install({
        "dist/testing/compile.js":
          compiling(`const child = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
          ${noting("child", "child.pid")} ${noting("pid", "process.pid")} await new Promise(() => setInterval(() => {}, 1e6));`),
      });
      const before = temporaryFolders();
      const host = spawn(
        process.execPath,
        [
          "--import=tsx",
          "--input-type=module",
          "-e",
          `import { buildWithToolkit } from ${JSON.stringify(join(root, "platform/upload/toolkit-build.ts"))};
           await buildWithToolkit(${JSON.stringify(entry)}, { program: ${JSON.stringify(program)} });`,
        ],
        { cwd: root, stdio: "ignore" },
      );
      await until(() => existsSync(join(folder, "pid")) && pidIn("pid") > 0);
      host.kill("SIGKILL");
      await until(() => !isRunning(pidIn("pid")) && !isRunning(pidIn("child")) && temporaryFolders().length === before.length);
    });

    it("a build that never ends is stopped by its time limit, and by a cancel", async () => {
      install({ "dist/testing/compile.js": compiling("await new Promise(() => setInterval(() => {}, 1e6));") });
      const before = temporaryFolders();
      await assert.rejects(build({ buildTime: 1_500 }), { code: "toolkit-build-failed", message: /more than 1\.5 s/ });
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 500);
      assert.equal(await build({ signal: stop.signal }), undefined);
      assert.deepEqual(temporaryFolders(), before);
    });
  });
});
