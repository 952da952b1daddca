// The Packs SDK that is installed beside the pack: its version, the browser versions of Node's built-ins, and its code as one shared
// script. The SDK is code of the workspace, so none of it runs in this process.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type * as Esbuild from "esbuild";
import { createOnce } from "../../base/create-once.ts";
import { usesPlugAndPlay } from "../../spec/package-managers.ts";
import { DEFAULT_TOOLKIT } from "../../spec/toolkit.ts";
import { PackAuthError } from "../errors.ts";
import { canonicalPath } from "../files/file-names.ts";
import { resolveFrom } from "../files/resolve-from.ts";
import { BUILTIN_CANDIDATES, builtinModules, NOTHING } from "./builtin-modules.ts";
import { type BundleFiles, bundleFiles, type ManifestReader, manifestIn } from "./bundle-files.ts";
import { type BuildLimits, type EsbuildChoice, withinLimits } from "./esbuild.ts";
import { BEGINNING, ForeignFile, foreignFile, ownFilesOnly, refuseForeign } from "./foreign-files.ts";
import { packageManager, toolkitInstallation } from "./install-command.ts";

export interface BundleOptions extends EsbuildChoice, BuildLimits {
  /** The module specifiers of the Packs SDK; the first that resolves is used. */
  readonly toolkitModules?: readonly string[];
  /** The open folder that contains the pack; if absent, the nearest one with a package.json. */
  readonly folder?: string;
  /** The real path of a folder to which the pack is confined, with its installed packages, whatever is above it. For an agent's runs. */
  readonly boundary?: string;
  /** By canonical path: texts in place of those on disk, where the files need not exist. For a source that is not written yet. */
  readonly texts?: ReadonlyMap<string, string>;
}

export interface Toolkit {
  readonly name: string;
  /** The path of the SDK's package.json. */
  readonly manifest: string;
  /** Undefined if package.json has no semantic version. */
  readonly version?: string;
  /** Resolves a module as the SDK itself does. */
  resolve(module: string): string;
  /** The path of Browserify's list of the browser versions of Node's built-ins. */
  readonly builtins: string;
}

/** The file name of the SDK's script in the pack process. */
export const TOOLKIT_FILENAME = "pack-toolkit.js";
/** The global that passes the SDK from its script to the pack's while the pack is loaded. */
export const TOOLKIT_GLOBAL = "__packAuthToolkit";
/** The file name of the SDK's upload validator in the pack process. */
export const VALIDATOR_FILENAME = "pack-validator.js";
/** The global that passes the validator's functions from its script to the realm. */
const VALIDATOR_GLOBAL = "__packAuthValidator";
/** The global that the realm puts in place of Node's URL while it validates (platform/runner/realm/validation.ts). */
const VALIDATOR_URL = "__packAuthURL";
/** The SDK's files whose functions its own `validate` command calls. */
const VALIDATION_FILE = "upload_validation.js";
const VALIDATOR_FILES = [`dist/testing/${VALIDATION_FILE}`, "dist/helpers/metadata.js"];

/** Browserify's version of util lacks a function by which the validator compares parts of the metadata, which is data. */
const UTIL_OF_VALIDATOR = `
const isDeepStrictEqual = (a, b) => {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isDeepStrictEqual(a[name], b[name]));
};
module.exports = { isDeepStrictEqual, ...require("util") };
`;

/** A semantic version. Messages repeat it, and the validator's rules depend on it. */
const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+][\w.+-]{1,100})?$/;

/** Returns the Packs SDK that the entry would import. Throws toolkit-missing. */
export function findToolkit(entry: string, names: readonly string[] = [DEFAULT_TOOLKIT], read: ManifestReader = manifestIn): Toolkit {
  for (const name of names) {
    for (let folder = dirname(entry); ; folder = dirname(folder)) {
      const manifestPath = join(folder, "node_modules", name, "package.json");
      if (existsSync(manifestPath)) {
        // A linked SDK (pnpm, a monorepo) resolves its dependencies from its real folder.
        const manifest = canonicalPath(manifestPath);
        const resolve = (module: string): string => resolveFrom(manifest, module);
        const version = read(dirname(manifest))?.version;
        return {
          name,
          manifest,
          resolve,
          builtins: builtinsOf(name, resolve, folder),
          ...(typeof version === "string" && VERSION.test(version) ? { version } : {}),
        };
      }
      if (folder === dirname(folder)) break;
    }
  }
  const isMissing = `The Packs SDK ${names.join(" or ")} is not installed where the pack can find it.`;
  if (isInArchives(dirname(entry)))
    throw new PackAuthError("toolkit-missing", isMissing, {
      hint: "Write nodeLinker: node-modules into the file .yarnrc.yml, and run: yarn install. Yarn's Plug'n'Play keeps packages in archives, which Pack Auth does not read.",
    });
  const install = toolkitInstallation(dirname(entry), names)?.join(" ");
  throw new PackAuthError("toolkit-missing", isMissing, {
    hint: install && `Run: ${install}`,
    remedies: install === undefined ? undefined : [{ kind: "installToolkit", label: "Install in terminal" }],
  });
}

function isInArchives(folder: string): boolean {
  if (usesPlugAndPlay((name) => (existsSync(join(folder, name)) ? "" : undefined))) return true;
  return dirname(folder) !== folder && isInArchives(dirname(folder));
}

function builtinsOf(name: string, resolve: Toolkit["resolve"], folder: string): string {
  try {
    return resolve("browserify/lib/builtins.js");
  } catch (cause) {
    throw incompleteToolkit(name, folder, "its browserify is missing.", cause);
  }
}

/** Returns the error of an installed Packs SDK that lacks a part. It tells nothing about the pack. */
export const incompleteToolkit = (name: string, folder: string, problem: string, cause: unknown): PackAuthError =>
  new PackAuthError("toolkit-missing", `The Packs SDK ${name} is incomplete: ${problem}`, {
    hint: `Install the pack's dependencies again: ${packageManager(folder)} install`,
    cause,
  });

/** The esbuild options of every script for a realm. */
export const REALM_BUILD = {
  write: false,
  bundle: true,
  format: "iife",
  platform: "browser",
  target: "es2022",
  mainFields: ["module", "main"],
  banner: { js: '"use strict";' },
  keepNames: true,
  supported: { "dynamic-import": false },
  define: { "process.env.IN_ISOLATED_VM_OR_BROWSER": "true", global: "globalThis" },
  logLevel: "silent",
} as const satisfies Esbuild.BuildOptions;

/** Returns esbuild's result for a resolution, or undefined to let esbuild resolve the import. */
export const placeOf = (resolution: string | typeof NOTHING | undefined): Esbuild.OnResolveResult | undefined =>
  resolution === undefined
    ? undefined
    : resolution === NOTHING
      ? { path: "pack-auth:nothing", namespace: "pack-auth" }
      : { path: resolution };

const scripts = new Map<string, Promise<string>>();

/** Returns the files that a pack may contain, its SDK included. Throws pack-does-not-bundle if the entry or the SDK is foreign. */
export function packFiles(
  folder: string,
  entry: string,
  toolkit: Toolkit,
  read: ManifestReader,
  { texts, boundary }: Pick<BundleOptions, "texts" | "boundary"> = {},
): BundleFiles {
  const onDisk = bundleFiles(folder, entry, toolkit.name, read, boundary);
  // A text that is not on disk cannot be a foreign file.
  const isUnwritten = (file: string): boolean => texts?.has(canonicalPath(file)) === true && !existsSync(file);
  const files: BundleFiles = { ...onDisk, has: (file) => onDisk.has(file) || isUnwritten(file) };
  for (const part of [entry, toolkit.manifest, toolkit.builtins]) if (!files.has(part)) throw foreignFile(new ForeignFile(part, folder));
  return files;
}

/** What a script of the SDK is built from. */
export interface ScriptBuild {
  readonly toolkit: Toolkit;
  readonly esbuild: typeof Esbuild;
  readonly limits: BuildLimits;
  readonly files: () => BundleFiles;
  readonly read: ManifestReader;
}

/** Returns a script that puts the SDK, `buffer` and `process` into {@link TOOLKIT_GLOBAL}. It is built once per installed SDK. */
export const toolkitScript = (build: ScriptBuild): Promise<string> =>
  scriptOf(
    build,
    TOOLKIT_FILENAME,
    `globalThis.${TOOLKIT_GLOBAL} = { toolkit: require(${JSON.stringify(dirname(build.toolkit.manifest))}), buffer: require("buffer"), process: require("process") };`,
  );

/**
 * Returns a script that puts the exports of the SDK's upload validator into {@link VALIDATOR_GLOBAL}. It is built once per installed SDK.
 * Returns undefined if the SDK has no such files.
 */
export async function validatorScript(build: ScriptBuild): Promise<string | undefined> {
  const paths = VALIDATOR_FILES.map((name) => join(dirname(build.toolkit.manifest), name));
  if (!paths.every((path) => existsSync(path))) return undefined;
  const [validation, metadata] = paths.map((path) => JSON.stringify(path));
  return scriptOf(build, VALIDATOR_FILENAME, `globalThis.${VALIDATOR_GLOBAL} = { ...require(${validation}), ...require(${metadata}) };`);
}

function scriptOf(build: ScriptBuild, filename: string, contents: string): Promise<string> {
  const currentFiles = build.files();
  const { manifest, version = "" } = build.toolkit;
  const key = `${filename} ${currentFiles.folder} ${manifest} ${version}`;
  return createOnce(scripts, key, () => buildScript(build, currentFiles, filename, contents));
}

async function buildScript(
  { toolkit, esbuild, limits, files, read }: ScriptBuild,
  currentFiles: BundleFiles,
  filename: string,
  contents: string,
): Promise<string> {
  const builtins = builtinModules(toolkit.builtins, read);
  const { outputFiles, metafile } = await withinLimits(esbuild, limits, () =>
    esbuild.build({
      ...REALM_BUILD,
      define: filename === VALIDATOR_FILENAME ? { ...REALM_BUILD.define, URL: VALIDATOR_URL } : REALM_BUILD.define,
      stdin: { contents, sourcefile: BEGINNING, resolveDir: dirname(toolkit.manifest), loader: "js" },
      absWorkingDir: dirname(toolkit.manifest),
      outfile: filename,
      metafile: true,
      // These define the free `process` and `Buffer` of the SDK's code.
      inject: ["pack-auth:shims"],
      plugins: [
        ownFilesOnly(() => currentFiles),
        {
          name: "pack-auth-toolkit",
          setup(build) {
            build.onResolve({ filter: /^pack-auth:/ }, ({ path }) => ({ path, namespace: "pack-auth" }));
            build.onLoad({ filter: /^pack-auth:shims$/, namespace: "pack-auth" }, () => ({
              contents: `export { Buffer } from "buffer";\nimport process from "process";\nexport { process };`,
              loader: "js",
              resolveDir: dirname(toolkit.manifest),
            }));
            build.onResolve({ filter: /^util$/ }, ({ importer }) =>
              importer.endsWith(VALIDATION_FILE) ? { path: "pack-auth:util", namespace: "pack-auth" } : undefined,
            );
            build.onLoad({ filter: /^pack-auth:util$/, namespace: "pack-auth" }, () => ({
              contents: UTIL_OF_VALIDATOR,
              loader: "js",
              resolveDir: dirname(toolkit.manifest),
            }));
            build.onResolve({ filter: BUILTIN_CANDIDATES }, ({ path, importer }) => placeOf(builtins.resolve(path, importer)));
            build.onLoad({ filter: /^pack-auth:nothing$/, namespace: "pack-auth" }, () => ({ contents: "module.exports = {};" }));
          },
        },
      ],
    }),
  );
  refuseForeign(metafile, dirname(toolkit.manifest), files());
  return outputFiles[0]?.text ?? "";
}
