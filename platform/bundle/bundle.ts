// An entry file → one script that runs in a bare realm, the way the platform builds it: Node built-ins become the toolkit's own
// browser versions, free `process` and `Buffer` are filled, dynamic imports are gone. The toolkit itself is a script of its own, so
// that a change of the pack builds the pack only. The source map stays with the host.

import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import type * as Esbuild from "esbuild";
import { decodeText } from "../../base/decode-text.ts";
import type { SourceLocation } from "../../protocol/run.ts";
import { HTTP_CLIENTS } from "../../spec/http-clients.ts";
import { PackAuthError } from "../errors.ts";
import { canonicalPath, spelling } from "../files/file-names.ts";
import { readRegularFile } from "../files/regular-file.ts";
import { BUILTIN_CANDIDATES, builtinModules } from "./builtin-modules.ts";
import { type BundleFiles, openedFolder } from "./bundle-files.ts";
import { loadEsbuild, processOf, releaseEsbuild, withinLimits } from "./esbuild.ts";
import { BEGINNING, ForeignFile, foreignFile, inputFiles, ownFilesOnly, refuseForeign, refuseForeignSettings } from "./foreign-files.ts";
import { dependencyInstallation } from "./install-command.ts";
import {
  type BundleOptions,
  findToolkit,
  packFiles,
  placeOf,
  REALM_BUILD,
  TOOLKIT_GLOBAL,
  type Toolkit,
  toolkitScript,
} from "./toolkit.ts";

export type { BundleOptions };

export interface PackBundle {
  readonly entry: string;
  readonly code: string;
  /** Source map version 3, as esbuild wrote it. */
  readonly sourceMap: string;
  /** The file of one of the map's sources, as the author opened it; undefined where it is none of the pack's. */
  fileOf(source: string): string | undefined;
  /** Every source of the pack itself, absolute, as the author opened it: what to watch for changes. */
  readonly inputs: readonly string[];
  /** The script that must run before {@link code}. */
  readonly toolkit: string;
}

/** Builds one pack again and again. */
export interface Bundler {
  /** The pack as its files are now. Throws pack-not-found or pack-does-not-bundle. */
  build(): Promise<PackBundle>;
  /** False once another toolkit, or none, is installed, or its esbuild has ended: then this bundler's day is over. */
  isCurrent(): boolean;
  dispose(): Promise<void>;
}

/** The file name that the bundle has inside the pack process, in stacks. */
export const BUNDLE_FILENAME = "pack-bundle.js";

/** Throws pack-not-found, toolkit-missing, or pack-does-not-bundle where no esbuild starts. */
export async function createBundler(entry: string, options: BundleOptions = {}): Promise<Bundler> {
  const path = resolve(entry);
  /** esbuild follows links, and names files from here. */
  const realFolder = canonicalPath(dirname(path));
  const asOpened = spelling(path);
  const exists = (): void => {
    if (existsSync(path)) return;
    throw new PackAuthError("pack-not-found", `There is no file ${entry}.`, {
      hint: "Choose the file that builds the pack. It may have been moved or renamed.",
    });
  };
  exists();
  const toolkit = findToolkit(path, options.toolkitModules);
  const folder = openedFolder(path, options.folder);
  const files = (): BundleFiles => packFiles(folder, path, toolkit);
  let currentFiles = files();
  const esbuild = await loadEsbuild(options, toolkit.resolve);
  const script = toolkitScript(toolkit, esbuild, options, files).catch((error: unknown) => {
    throw bundleError(error, dirname(toolkit.manifest), asOpened);
  });
  const isRunning = processOf(esbuild);
  const timers = timerShim(path, toolkit);
  script.catch(() => {});
  const context = await esbuild.context({
    ...REALM_BUILD,
    // Handed over, not asked for: each question that esbuild asks back takes a millisecond in WebAssembly.
    stdin: {
      // By its name alone: in a whole path esbuild takes an asterisk for a pattern.
      contents: `import * as pack from ${JSON.stringify(`./${basename(path)}`)};\nglobalThis.__packAuthExports = pack;`,
      sourcefile: BEGINNING,
      resolveDir: realFolder,
      loader: "js",
    },
    // The free `process` of Node's code; the realm itself has a global Buffer. The toolkit's script is a name of this scope too: its
    // global is gone once the pack is loaded, and a module that is required in a function is evaluated later than that.
    banner: { js: `${REALM_BUILD.banner.js}((${TOOLKIT_GLOBAL},process)=>{` },
    footer: { js: `})(globalThis.${TOOLKIT_GLOBAL},globalThis.${TOOLKIT_GLOBAL}.process);` },
    absWorkingDir: realFolder,
    outfile: BUNDLE_FILENAME,
    metafile: true,
    sourcemap: "external",
    sourcesContent: false,
    inject: timers === undefined ? [] : [timers],
    plugins: [ownFilesOnly(() => currentFiles), realmPlugin(realFolder, toolkit)],
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
        return { ...bundleOf(path, realFolder, asOpened, result, own), toolkit: await script };
      } catch (error) {
        throw bundleError(error, realFolder, asOpened);
      }
    },
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

/** Builds what packs of the entry's toolkit share, ahead of the first of them. What goes wrong is left to that one. */
export async function prepareToolkit(entry: string, options: BundleOptions): Promise<void> {
  await createBundler(entry, options).then(
    (bundler) => bundler.dispose(),
    () => {},
  );
}

/**
 * The toolkit's own stand-in for timers where the pack's options ask for one (`packs setOption … timerStrategy fake`): its build puts it in
 * too. Undefined where they don't, and where the options cannot be read.
 */
function timerShim(entry: string, toolkit: Toolkit): string | undefined {
  try {
    const { options } = JSON.parse(readRegularFile(join(dirname(entry), ".coda-pack.json")) ?? "{}") as {
      options?: { timerStrategy?: unknown };
    };
    const name = { fake: "timers_shim.js", error: "timers_disabled_shim.js" }[String(options?.timerStrategy)];
    const shim = name === undefined ? undefined : join(dirname(toolkit.manifest), "dist/testing/injections", name);
    return shim !== undefined && existsSync(shim) ? shim : undefined;
  } catch {
    return undefined;
  }
}

function bundleOf(
  path: string,
  realFolder: string,
  asOpened: (file: string) => string,
  result: Esbuild.BuildResult,
  own: BundleFiles,
): Omit<PackBundle, "toolkit"> {
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
      // What builds the pack around its entry; the bundler may write it as a file of the entry's folder.
      if (/(?:^|\/)pack-auth:/.test(source)) return undefined;
      // Some versions of esbuild write the sources as URLs do.
      const sourcePath = inputPaths.get(source) ?? inputPaths.get(decodeText(source)) ?? resolve(dirname(path), source);
      // The map of a compiled source, which goes into the bundle's, may name any file.
      return own.has(sourcePath) ? sourcePath : undefined;
    },
    inputs: [...inputPaths.values()],
  };
}

function realmPlugin(resolveDir: string, toolkit: Toolkit): Esbuild.Plugin {
  const virtual = (contents: string): Esbuild.OnLoadResult => ({ contents, loader: "js", resolveDir });
  /** What the toolkit's script brought: the same objects for the pack as for the toolkit. */
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
      const builtins = builtinModules(toolkit.builtins);
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

/** `folder` is where esbuild counts from; places are told as the author opened the files. */
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
  // The mark at the beginning of UTF-16.
  if (/^Unexpected "\\xf[ef]"$/.test(first.text)) hint = "Save the file as UTF-8.";
  return new PackAuthError("pack-does-not-bundle", `The pack cannot be built: ${first.text}`, {
    hint,
    location: location && { ...location, path: asOpened(location.path) },
    cause: error,
  });
}

/** What to do about an import that is not found from the folder. */
function hintFor(specifier: string, folder: string): string | undefined {
  if (isBuiltin(specifier)) return "Do not use this Node module. The platform's runtime does not have it.";
  if (HTTP_CLIENTS.has(specifier)) return `Use context.fetcher.fetch. ${specifier} has no network in the platform's runtime.`;
  const install = dependencyInstallation(folder, specifier);
  return install === undefined ? undefined : `Install it: ${install}`;
}

/** Whether a source of the bundle changed since it was made. */
export async function isStale(bundle: PackBundle, builtAt: number): Promise<boolean> {
  const times = await Promise.all(
    bundle.inputs.map((input) =>
      stat(input).then(
        (stats) => stats.mtimeMs,
        () => Number.POSITIVE_INFINITY,
      ),
    ),
  );
  return times.some((time) => time > builtAt);
}
