// Bundles an entry file into one script for a bare realm, as the platform does. Node built-ins become the Packs SDK's browser versions,
// free `process` and `Buffer` are defined, and dynamic imports are compiled away. The SDK is a separate script, so that a change of the
// pack rebuilds only the pack. The source map stays with the host.

import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import type * as Esbuild from "esbuild";
import { decodeText } from "../../base/decode-text.ts";
import type { SourceLocation } from "../../protocol/run.ts";
import { HTTP_CLIENTS } from "../../spec/http-clients.ts";
import { PACK_FILE, parsePackFile } from "../../spec/pack-file.ts";
import { PackAuthError } from "../errors.ts";
import { canonicalPath, spelling } from "../files/file-names.ts";
import { readRegularFile } from "../files/regular-file.ts";
import { BUILTIN_CANDIDATES, builtinModules } from "./builtin-modules.ts";
import { type BundleFiles, type ManifestReader, manifestReader, openedFolder } from "./bundle-files.ts";
import { loadEsbuild, processOf, releaseEsbuild, withinLimits } from "./esbuild.ts";
import { BEGINNING, ForeignFile, foreignFile, inputFiles, ownFilesOnly, refuseForeign, refuseForeignSettings } from "./foreign-files.ts";
import { dependencyInstallation } from "./install-command.ts";
import {
  type BundleOptions,
  findToolkit,
  incompleteToolkit,
  packFiles,
  placeOf,
  REALM_BUILD,
  type ScriptBuild,
  TOOLKIT_GLOBAL,
  type Toolkit,
  toolkitScript,
  validatorScript,
} from "./toolkit.ts";

export type { BundleOptions };

export interface PackBundle {
  readonly entry: string;
  readonly code: string;
  /** The source map (version 3) from esbuild. */
  readonly sourceMap: string;
  /** Returns the file of one of the map's sources, as the author opened it; undefined if the source is not the pack's. */
  fileOf(source: string): string | undefined;
  /** The absolute paths of the pack's own sources, as the author opened them; these are the files to watch. */
  readonly inputs: readonly string[];
  /** The script that must run before {@link code}. */
  readonly toolkit: string;
  /** Undefined if the SDK has no semantic version. */
  readonly toolkitVersion: string | undefined;
}

/** What a process needs to validate a pack. */
export interface ValidatorScripts {
  readonly toolkit: string;
  readonly toolkitVersion: string | undefined;
  /** Undefined if the SDK has no upload validator; pack-does-not-bundle if that cannot be built. */
  readonly validator: string | PackAuthError | undefined;
}

/** Builds one pack repeatedly. */
export interface Bundler {
  /** Bundles the pack's current files. Throws pack-not-found or pack-does-not-bundle. */
  build(): Promise<PackBundle>;
  /** Returns the scripts that validate a pack as the installed Packs SDK does. Throws pack-does-not-bundle if the SDK cannot be built. */
  validator(): Promise<ValidatorScripts>;
  /** Returns false if another Packs SDK, or none, is installed now, or if esbuild has ended. The bundler cannot be used any more then. */
  isCurrent(): boolean;
  dispose(): Promise<void>;
}

/** The file name of the bundle in stacks of the pack process. */
export const BUNDLE_FILENAME = "pack-bundle.js";

/** Creates a bundler. Throws pack-not-found, toolkit-missing, or pack-does-not-bundle if no esbuild starts. */
export async function createBundler(entry: string, options: BundleOptions = {}): Promise<Bundler> {
  const path = resolve(entry);
  /** The real folder of the entry: esbuild follows links, and names files relative to it. */
  const realFolder = canonicalPath(dirname(path));
  const asOpened = spelling(path);
  const isUnwritten = (): boolean => options.texts?.has(canonicalPath(path)) === true && !existsSync(path);
  const exists = (): void => {
    if (existsSync(path) || isUnwritten()) return;
    throw new PackAuthError("pack-not-found", `There is no file ${entry}.`, {
      hint: "Choose the file that builds the pack. It may have been moved or renamed.",
    });
  };
  exists();
  /** The first build shares its reader with the opening, which it follows at once. The author may change manifests before each later one. */
  let reader = manifestReader();
  const read: ManifestReader = (manifestFolder) => reader(manifestFolder);
  const forgetManifests = (): void => {
    reader = manifestReader();
  };
  const toolkit = findToolkit(path, options.toolkitModules, read);
  const folder = openedFolder(path, options.folder, read, options.boundary);
  const files = (): BundleFiles => packFiles(folder, path, toolkit, read, options);
  let currentFiles = files();
  const esbuild = await loadEsbuild(options, toolkit.resolve);
  const scriptBuild: ScriptBuild = { toolkit, esbuild, limits: options, files, read };
  const scriptError = (error: unknown): PackAuthError =>
    /Could not resolve "/.test(String(error))
      ? incompleteToolkit(toolkit.name, dirname(path), "one of its files is missing.", error)
      : bundleError(error, dirname(toolkit.manifest), asOpened);
  const script = toolkitScript(scriptBuild).catch((error: unknown) => {
    throw scriptError(error);
  });
  const isRunning = processOf(esbuild);
  const timers = timerShim(path, toolkit);
  script.catch(() => {});
  const context = await esbuild.context({
    ...REALM_BUILD,
    // The entry is passed as text, because each plugin callback takes a millisecond in WebAssembly.
    stdin: {
      // The entry's name alone: esbuild reads an asterisk in a whole path as a pattern.
      contents: `import * as pack from ${JSON.stringify(`./${basename(path)}`)};\nglobalThis.__packAuthExports = pack;`,
      sourcefile: BEGINNING,
      resolveDir: realFolder,
      loader: "js",
    },
    // Defines the free `process` of Node code; the realm itself has a global Buffer. The SDK is a local name too, because its global is
    // removed after the pack is loaded. A module required inside a function is evaluated later.
    banner: { js: `${REALM_BUILD.banner.js}((${TOOLKIT_GLOBAL},process)=>{` },
    footer: { js: `})(globalThis.${TOOLKIT_GLOBAL},globalThis.${TOOLKIT_GLOBAL}.process);` },
    absWorkingDir: realFolder,
    outfile: BUNDLE_FILENAME,
    metafile: true,
    sourcemap: "external",
    sourcesContent: false,
    inject: timers === undefined ? [] : [timers],
    plugins: [
      ownFilesOnly(() => currentFiles, options.texts),
      ...(isUnwritten() ? [unwrittenEntry(canonicalPath(path))] : []),
      realmPlugin(realFolder, toolkit, read),
    ],
  });
  return {
    async build() {
      exists();
      try {
        currentFiles = files();
        refuseForeignSettings(currentFiles, asOpened);
        const result = await withinLimits(esbuild, options, () => context.rebuild());
        const own = files();
        refuseForeign(result.metafile, realFolder, own, asOpened);
        return { ...bundleOf(path, realFolder, asOpened, result, own), toolkit: await script, toolkitVersion: toolkit.version };
      } catch (error) {
        throw bundleError(error, realFolder, asOpened);
      } finally {
        forgetManifests();
      }
    },
    validator: async () => ({
      toolkit: await script,
      toolkitVersion: toolkit.version,
      validator: await validatorScript(scriptBuild).catch(scriptError).finally(forgetManifests),
    }),
    isCurrent() {
      if (!isRunning()) return false;
      try {
        const now = findToolkit(path, options.toolkitModules);
        return now.manifest === toolkit.manifest && now.version === toolkit.version && timerShim(path, now) === timers;
      } catch {
        return false;
      }
    },
    async dispose() {
      await script.catch(() => {});
      await context.dispose();
      releaseEsbuild(esbuild);
    },
  };
}

/** Builds the shared script of the entry's Packs SDK in advance. Errors are left to the first pack's own build. */
export async function prepareToolkit(entry: string, options: BundleOptions): Promise<void> {
  await createBundler(entry, options).then(
    (bundler) => bundler.dispose(),
    () => {},
  );
}

/**
 * Returns the Packs SDK's replacement for timers if the pack's options request it (`packs setOption … timerStrategy fake`). The SDK's build
 * uses it too.
 * Returns undefined if the options do not request it or cannot be read.
 */
function timerShim(entry: string, toolkit: Toolkit): string | undefined {
  const { options } = parsePackFile(readRegularFile(join(dirname(entry), PACK_FILE)));
  const name = new Map<unknown, string>([
    ["fake", "timers_shim.js"],
    ["error", "timers_disabled_shim.js"],
  ]).get(options?.timerStrategy);
  const shim = name === undefined ? undefined : join(dirname(toolkit.manifest), "dist/testing/injections", name);
  return shim !== undefined && existsSync(shim) ? shim : undefined;
}

function bundleOf(
  path: string,
  realFolder: string,
  asOpened: (file: string) => string,
  result: Esbuild.BuildResult,
  own: BundleFiles,
): Omit<PackBundle, "toolkit" | "toolkitVersion"> {
  const file = (suffix: string): string => result.outputFiles?.find((output) => output.path.endsWith(suffix))?.text ?? "";
  const inputPaths = new Map(
    Object.keys(result.metafile?.inputs ?? {})
      .filter((input) => !input.startsWith("pack-auth:") && !input.includes("node_modules") && !input.startsWith("("))
      .map((input) => [input, asOpened(inputFiles(input, realFolder)[0])]),
  );
  return {
    entry: path,
    code: file(".js"),
    sourceMap: file(".js.map"),
    fileOf(source) {
      // The wrapper around the entry; the bundler may list it as a file of the entry's folder.
      if (/(?:^|\/)pack-auth:/.test(source)) return undefined;
      // Some versions of esbuild encode the sources as in URLs.
      const sourcePath = inputPaths.get(source) ?? inputPaths.get(decodeText(source)) ?? resolve(dirname(path), source);
      // The map of a compiled source becomes part of the bundle's map, and may name any file.
      return own.has(sourcePath) ? sourcePath : undefined;
    },
    inputs: [...inputPaths.values()],
  };
}

/** Finds an entry that is not on disk. */
const unwrittenEntry = (path: string): Esbuild.Plugin => ({
  name: "pack-auth-unwritten-entry",
  setup(build) {
    const own = `./${basename(path)}`;
    build.onResolve({ filter: /^\.\// }, ({ path: imported }) => (imported === own ? { path } : undefined));
  },
});

function realmPlugin(resolveDir: string, toolkit: Toolkit, read: ManifestReader): Esbuild.Plugin {
  const virtual = (contents: string): Esbuild.OnLoadResult => ({ contents, loader: "js", resolveDir });
  /** Modules that the SDK's script provides, so that the pack and the SDK share the same objects. */
  const shared = new Map([
    [toolkit.name, "toolkit"],
    ["buffer", "buffer"],
    ["process", "process"],
  ]);
  return {
    name: "pack-auth-realm",
    setup(build) {
      build.onLoad({ filter: /^pack-auth:shared:/, namespace: "pack-auth" }, ({ path }) =>
        virtual(`module.exports = ${TOOLKIT_GLOBAL}.${path.slice("pack-auth:shared:".length)};`),
      );
      const builtins = builtinModules(toolkit.builtins, read);
      build.onLoad({ filter: /^pack-auth:nothing$/, namespace: "pack-auth" }, () => virtual("module.exports = {};"));
      build.onResolve({ filter: BUILTIN_CANDIDATES }, ({ path, kind, importer }) => {
        if (kind === "entry-point") return undefined;
        const common = shared.get(path.replace(/^node:/, "").replace(/\/$/, ""));
        if (common !== undefined) return { path: `pack-auth:shared:${common}`, namespace: "pack-auth" };
        return placeOf(builtins.resolve(path, importer));
      });
    },
  };
}

/** Converts an error of esbuild. `folder` is the base of esbuild's paths; locations are reported as the author opened the files. */
function bundleError(error: unknown, folder: string, asOpened: (file: string) => string): PackAuthError {
  if (error instanceof PackAuthError) return error;
  const errors = (error as { errors?: Esbuild.Message[] }).errors;
  const first = errors?.find(({ detail }) => detail instanceof ForeignFile) ?? errors?.[0];
  if (!first) return new PackAuthError("pack-does-not-bundle", "The pack cannot be built.", { cause: error });
  const missing = /Could not resolve "([^"]+)"/.exec(first.text)?.[1];
  const location: SourceLocation | undefined = first.location
    ? { path: resolve(folder, first.location.file), line: first.location.line - 1, character: first.location.column }
    : undefined;
  if (first.detail instanceof ForeignFile) return foreignFile(first.detail, location, { asOpened });
  let hint = missing === undefined || missing.startsWith(".") ? undefined : hintFor(missing, location ? dirname(location.path) : folder);
  // The error that esbuild reports for the byte order mark of UTF-16.
  if (/^Unexpected "\\xf[ef]"$/.test(first.text)) hint = "Save the file as UTF-8.";
  return new PackAuthError("pack-does-not-bundle", `The pack cannot be built: ${first.text}`, {
    hint,
    location: location && { ...location, path: asOpened(location.path) },
    cause: error,
  });
}

/** Returns what to do about an import that does not resolve from the folder. */
function hintFor(specifier: string, folder: string): string | undefined {
  if (isBuiltin(specifier)) return "Do not use this Node module. The platform's runtime does not have it.";
  if (HTTP_CLIENTS.has(specifier)) return `Use context.fetcher.fetch. ${specifier} has no network in the platform's runtime.`;
  const install = dependencyInstallation(folder, specifier);
  return install === undefined ? undefined : `Install it: ${install}`;
}

/** Milliseconds by which the time of a file may be behind the clock: the kernel writes that of its last tick. */
const TICK = 10;

/** Returns whether a source of the bundle changed after it was built, or may have. */
export async function isStale(bundle: PackBundle, builtAt: number): Promise<boolean> {
  const times = await Promise.all(
    bundle.inputs.map((input) =>
      stat(input).then(
        (stats) => stats.mtimeMs,
        () => Number.POSITIVE_INFINITY,
      ),
    ),
  );
  return times.some((time) => time > builtAt - TICK);
}
