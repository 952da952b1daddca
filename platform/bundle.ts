// An entry file → one script that runs in a bare realm, the way the platform builds it: Node built-ins become the toolkit's own
// browser versions, free `process` and `Buffer` are filled, dynamic imports are gone. The source map stays with the host.
import { existsSync, realpathSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type * as Esbuild from "esbuild";
import type { SourceLocation } from "../protocol/run.ts";
import { PackAuthError } from "./errors.ts";

export const DEFAULT_TOOLKIT = "@codahq/packs-sdk";

export interface PackBundle {
  readonly entry: string;
  readonly code: string;
  /** Source map version 3, sources relative to {@link sourceRoot}. */
  readonly sourceMap: string;
  readonly sourceRoot: string;
  /** Every source of the pack itself, absolute: what to watch for changes. */
  readonly inputs: readonly string[];
  readonly toolkitVersion?: string;
}

export interface BundleOptions {
  /** The module specifiers that count as the toolkit; the first that resolves is taken. */
  readonly toolkitModules?: readonly string[];
  /** Where the esbuild-wasm that comes with the product lies, for packs whose toolkit has none that runs. */
  readonly esbuildWasm?: string;
}

/** The file name that the bundle has inside the pack process, in stacks. */
export const BUNDLE_FILENAME = "pack-bundle.js";

const ENTRY = "pack-auth:entry";
const SHIMS = "pack-auth:shims";

/** Bundles a pack. Throws pack-not-found, toolkit-missing or pack-does-not-bundle. */
export async function bundlePack(entry: string, options: BundleOptions = {}): Promise<PackBundle> {
  const path = resolve(entry);
  if (!existsSync(path))
    throw new PackAuthError("pack-not-found", `There is no file ${entry}.`, { hint: "Give the file that builds the pack." });
  const toolkit = findToolkit(path, options.toolkitModules ?? [DEFAULT_TOOLKIT]);
  const esbuild = await loadEsbuild(toolkit, options);
  let result: Esbuild.BuildResult & { outputFiles: Esbuild.OutputFile[]; metafile: Esbuild.Metafile };
  try {
    result = await esbuild.build({
      entryPoints: [ENTRY],
      absWorkingDir: dirname(path),
      outfile: BUNDLE_FILENAME,
      write: false,
      metafile: true,
      bundle: true,
      format: "iife",
      platform: "browser",
      target: "es2022",
      mainFields: ["module", "main"],
      banner: { js: '"use strict";' },
      sourcemap: "external",
      sourcesContent: false,
      keepNames: true,
      supported: { "dynamic-import": false },
      define: { "process.env.IN_ISOLATED_VM_OR_BROWSER": "true", global: "globalThis" },
      inject: [SHIMS],
      logLevel: "silent",
      plugins: [realmPlugin(path, toolkit)],
    });
  } catch (error) {
    throw bundleError(error, dirname(path));
  }
  const file = (suffix: string): string => result.outputFiles.find((output) => output.path.endsWith(suffix))?.text ?? "";
  return {
    entry: path,
    code: file(".js"),
    sourceMap: file(".js.map"),
    sourceRoot: dirname(path),
    inputs: Object.keys(result.metafile.inputs)
      .filter((input) => !input.startsWith("pack-auth:") && !input.includes("node_modules") && !input.startsWith("("))
      .map((input) => resolve(dirname(path), input)),
    ...(toolkit.version === undefined ? {} : { toolkitVersion: toolkit.version }),
  };
}

interface Toolkit {
  readonly name: string;
  /** The toolkit's package.json. */
  readonly manifest: string;
  readonly version?: string;
}

function findToolkit(entry: string, names: readonly string[]): Toolkit {
  for (const name of names) {
    for (let folder = dirname(entry); ; folder = dirname(folder)) {
      const found = join(folder, "node_modules", name, "package.json");
      if (existsSync(found)) {
        // A linked toolkit (pnpm, a monorepo) finds its own dependencies from where it really lies.
        const manifest = realpathSync(found);
        const version: unknown = (createRequire(manifest)("./package.json") as { version?: unknown }).version;
        return { name, manifest, ...(typeof version === "string" ? { version } : {}) };
      }
      if (folder === dirname(folder)) break;
    }
  }
  throw new PackAuthError("toolkit-missing", `The toolkit ${names.join(" or ")} is not installed where the pack can find it.`, {
    hint: `Run: npm install ${names[0] ?? DEFAULT_TOOLKIT}`,
  });
}

/** The pack's own esbuild, which its toolkit brings, else the one in WebAssembly that comes with the product. */
async function loadEsbuild(toolkit: Toolkit, options: BundleOptions): Promise<typeof Esbuild> {
  try {
    const esbuild = createRequire(toolkit.manifest)("esbuild") as typeof Esbuild;
    await esbuild.transform("", { loader: "ts" });
    return esbuild;
  } catch (native) {
    try {
      const wasm = options.esbuildWasm === undefined ? "esbuild-wasm" : resolve(options.esbuildWasm);
      return createRequire(toolkit.manifest)(wasm) as typeof Esbuild;
    } catch (cause) {
      throw new PackAuthError("pack-does-not-bundle", "esbuild, which builds packs, does not start here.", {
        hint: "Install the pack's dependencies again: npm install",
        cause: new AggregateError([native, cause]),
      });
    }
  }
}

function realmPlugin(entry: string, toolkit: Toolkit): Esbuild.Plugin {
  const fromToolkit = createRequire(toolkit.manifest);
  const builtins = loadBuiltins(fromToolkit);
  const virtual = (contents: string): Esbuild.OnLoadResult => ({ contents, loader: "js", resolveDir: dirname(entry) });
  return {
    name: "pack-auth-realm",
    setup(build) {
      build.onResolve({ filter: /^pack-auth:/ }, ({ path }) => ({ path, namespace: "pack-auth" }));
      build.onLoad({ filter: /^pack-auth:entry$/, namespace: "pack-auth" }, () =>
        virtual(`import * as pack from ${JSON.stringify(entry)};
import * as toolkit from ${JSON.stringify(toolkit.name)};
import { Buffer } from "buffer";
globalThis.__packAuthExports = { pack, toolkit, Buffer };`),
      );
      build.onLoad({ filter: /^pack-auth:shims$/, namespace: "pack-auth" }, () =>
        virtual(`export { Buffer } from "buffer";
import process from "process";
export { process };`),
      );
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === "entry-point") return undefined;
        const name = path.replace(/^node:/, "").replace(/\/$/, "");
        const builtin = builtins.get(name);
        if (builtin !== undefined) return { path: builtin };
        if (path.startsWith("node:")) return { path: fromToolkit.resolve("browserify/lib/_empty.js") };
        return undefined;
      });
    },
  };
}

/** Node's built-in modules → the browser versions that the toolkit's own build uses. */
function loadBuiltins(fromToolkit: NodeJS.Require): ReadonlyMap<string, string> {
  const map = fromToolkit("browserify/lib/builtins.js") as Record<string, string>;
  // The toolkit's build leaves `vm` out: its browser version holds an eval.
  return new Map(Object.entries({ ...map, process: map._process ?? "", vm: fromToolkit.resolve("browserify/lib/_empty.js") }));
}

function bundleError(error: unknown, folder: string): PackAuthError {
  const first = (error as { errors?: Esbuild.Message[] }).errors?.[0];
  if (!first) return new PackAuthError("pack-does-not-bundle", "The pack cannot be built.", { cause: error });
  const missing = /Could not resolve "([^"]+)"/.exec(first.text)?.[1];
  const location: SourceLocation | undefined = first.location
    ? { path: resolve(folder, first.location.file), line: first.location.line - 1, character: first.location.column }
    : undefined;
  return new PackAuthError("pack-does-not-bundle", `The pack cannot be built: ${first.text}`, {
    ...(missing !== undefined && !missing.startsWith(".") ? { hint: `Install it: npm install ${missing}` } : {}),
    ...(location ? { location } : {}),
    cause: error,
  });
}

/** Whether a source of the bundle changed since it was made. */
export async function isStale(bundle: PackBundle, builtAt: number): Promise<boolean> {
  const times = await Promise.all(
    bundle.inputs.map((input) =>
      stat(input).then(
        (found) => found.mtimeMs,
        () => Number.POSITIVE_INFINITY,
      ),
    ),
  );
  return times.some((time) => time > builtAt);
}
