// The program of the process that builds a pack with the Packs SDK's own function; see toolkit-build.ts. The SDK loads the built bundle, to
// write a file for debugging and to try isolated-vm. Pack code runs nowhere but in the pack process, so both functions are replaced first.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import type * as Esbuild from "esbuild";
import { errorMessage } from "../../base/error-message.ts";
import { mayNameMaps, NO_MAP, namedMaps } from "../bundle/named-maps.ts";
import { BUNDLE_NAME, type BuildOrder, type BuildOutcome, OUTCOME_NAME } from "./build-order.ts";

type Exports = Record<string, unknown>;

/** The SDK's file or function is not what this program knows. */
class Unsupported extends Error {}

async function build({ toolkit, entry, folder, timerStrategy }: BuildOrder): Promise<BuildOutcome> {
  try {
    const require = createRequire(toolkit);
    const load = (file: string): Exports => {
      const path = join(dirname(toolkit), "dist", file);
      if (!existsSync(path)) throw new Unsupported(`its file dist/${file} is missing`);
      try {
        return require(path) as Exports;
      } catch (error) {
        throw new Unsupported(errorMessage(error));
      }
    };
    refuseBuiltCode(folder);
    const inputs = inputsOfBuilders(createRequire(join(dirname(toolkit), "dist/testing/compile.js")), folder);
    let isReplacementUsed = false;
    replace(load("cli/helpers.js"), "importManifest", async () => {
      isReplacementUsed = true;
      return {};
    });
    // Versions before 1.5 write no file for debugging, so this is the only use.
    replace(load("testing/ivm_wrapper.js"), "tryGetIvm", () => {
      isReplacementUsed = true;
      return undefined;
    });
    const compile = functionOf(load("testing/compile.js"), "compilePackBundle");
    await compile({
      manifestPath: entry,
      outputDirectory: folder,
      intermediateOutputDirectory: folder,
      bundleFilename: BUNDLE_NAME,
      timerStrategy,
    });
    if (!isReplacementUsed) throw new Unsupported("compilePackBundle called neither importManifest nor tryGetIvm");
    return { inputs: inputs() };
  } catch (error) {
    return { error: errorMessage(error), isUnsupported: error instanceof Unsupported };
  }
}

/** Returns the inputs of both builders of the SDK, which must have been used, after the build. Call it before the SDK is loaded. */
function inputsOfBuilders(require: NodeJS.Require, folder: string): () => readonly string[] {
  const read = new Set<string>();
  const resolved = new Set<string>();
  replaceModule<typeof Esbuild>(require, "esbuild", (esbuild) => ({
    ...esbuild,
    build: (options: Esbuild.BuildOptions) => esbuild.build({ ...options, plugins: [...(options.plugins ?? []), readingOf(read, folder)] }),
  }));
  type Browserify = (...parameters: unknown[]) => NodeJS.EventEmitter;
  replaceModule<Browserify>(require, "browserify", (browserify) =>
    Object.assign((...parameters: unknown[]) => browserify(...parameters).on("file", (file: string) => resolved.add(file)), browserify),
  );
  return () => {
    if (read.size === 0 || resolved.size === 0) throw new Unsupported("compilePackBundle uses esbuild or browserify in another way");
    return [...read, ...resolved];
  };
}

function replaceModule<T>(require: NodeJS.Require, name: string, replacement: (original: T) => unknown): void {
  try {
    const original = require(name) as T;
    const module = require.cache[require.resolve(name)];
    if (module !== undefined) module.exports = replacement(original);
  } catch (error) {
    throw new Unsupported(errorMessage(error));
  }
}

/** Adds each file that esbuild reads, and keeps esbuild from following its source map, which may lead out of the pack. */
const readingOf = (read: Set<string>, folder: string): Esbuild.Plugin => ({
  name: "pack-auth-inputs",
  setup(build) {
    build.onLoad({ filter: /.*/, namespace: "file" }, ({ path }) => {
      read.add(path);
      if (path.startsWith(folder + sep) || !mayNameMaps(path)) return undefined;
      const source = readFileSync(path);
      const maps = namedMaps(source, path);
      if (maps.length === 0) return undefined;
      for (const map of maps) if (map !== undefined) read.add(map);
      return { contents: Buffer.concat([source, Buffer.from(NO_MAP)]), loader: "default" };
    });
  },
});

function functionOf(exports: Exports, name: string): (...args: unknown[]) => Promise<unknown> {
  const value = exports[name];
  if (typeof value !== "function") throw new Unsupported(`${name} is missing`);
  return value as (...args: unknown[]) => Promise<unknown>;
}

function replace(exports: Exports, name: string, replacement: () => unknown): void {
  functionOf(exports, name);
  Reflect.set(exports, name, replacement);
  if (exports[name] !== replacement) throw new Unsupported(`${name} cannot be replaced`);
}

/** Refuses to load what was built, in case an SDK loads it in another way. */
function refuseBuiltCode(folder: string): void {
  const extensions = (Module as unknown as { _extensions: Record<string, (module: unknown, file: string) => void> })._extensions;
  const load = extensions[".js"];
  extensions[".js"] = (module, file) => {
    if (file.startsWith(folder + sep)) throw new Unsupported("this version loads the built pack");
    load?.(module, file);
  };
}

let input = "";
let order: BuildOrder | undefined;
process.stdin.setEncoding("utf8").on("data", async (part: string) => {
  input += part;
  if (order !== undefined || !input.endsWith("\n")) return;
  order = JSON.parse(input) as BuildOrder;
  writeFileSync(join(order.folder, OUTCOME_NAME), JSON.stringify(await build(order)));
  // The open input, and whatever the SDK started, would keep this process alive.
  process.exit(0);
});
// The host has ended without its clean-up, or it would have ended this process first.
process.stdin.on("end", () => {
  if (order !== undefined) rmSync(order.temporary, { recursive: true, force: true });
  // This process leads a group, so that processes which the SDK started end too.
  if (process.platform !== "win32") process.kill(-process.pid, "SIGKILL");
  process.exit(1);
});
