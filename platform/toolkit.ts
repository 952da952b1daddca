// The toolkit that a pack is written for, as it is installed beside the pack: its version, the esbuild that it brings, the browser
// versions of Node's built-ins that its own build uses, and itself as one script that every version of the pack shares.
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type * as Esbuild from "esbuild";
import { ASKED, builtinModules, NOTHING } from "./builtin-modules.ts";
import { PackAuthError } from "./errors.ts";
import { readRegularFile } from "./regular-file.ts";

export const DEFAULT_TOOLKIT = "@codahq/packs-sdk";

export interface BundleOptions {
  /** The module specifiers that count as the toolkit; the first that resolves is taken. */
  readonly toolkitModules?: readonly string[];
  /** Where the esbuild-wasm that comes with the product lies, for packs whose toolkit has none that runs. */
  readonly esbuildWasm?: string;
  /** Goes without the pack's own esbuild; for tests and figures of the other. */
  readonly withoutNativeEsbuild?: boolean;
}

export interface Toolkit {
  readonly name: string;
  /** The toolkit's package.json. */
  readonly manifest: string;
  readonly version?: string;
  /** Resolves and loads as the toolkit itself does. */
  readonly own: NodeJS.Require;
}

/** The name that the toolkit's script has inside the pack process. */
export const TOOLKIT_FILENAME = "pack-toolkit.js";
/** The global that hands the toolkit from its script to the pack's, while the pack is loaded. */
export const TOOLKIT_GLOBAL = "__packAuthToolkit";

/** Throws toolkit-missing. */
export function findToolkit(entry: string, names: readonly string[] = [DEFAULT_TOOLKIT]): Toolkit {
  for (const name of names) {
    for (let folder = dirname(entry); ; folder = dirname(folder)) {
      const found = join(folder, "node_modules", name, "package.json");
      if (existsSync(found)) {
        // A linked toolkit (pnpm, a monorepo) finds its own dependencies from where it really lies.
        const manifest = realpathSync(found);
        const own = createRequire(manifest);
        const { version } = JSON.parse(readRegularFile(manifest) ?? "{}") as { version?: unknown };
        return { name, manifest, own, ...(typeof version === "string" ? { version } : {}) };
      }
      if (folder === dirname(folder)) break;
    }
  }
  throw new PackAuthError("toolkit-missing", `The toolkit ${names.join(" or ")} is not installed where the pack can find it.`, {
    hint: `Run: npm install ${names[0] ?? DEFAULT_TOOLKIT}`,
  });
}

/** How many use an esbuild: it is a process of its own, and stops a while after the last of them. */
const users = new Map<typeof Esbuild, number>();
const ESBUILD_LINGERS = 10_000;

function use(esbuild: typeof Esbuild, count: 1 | -1): void {
  const left = (users.get(esbuild) ?? 0) + count;
  users.set(esbuild, left);
  if (left > 0) return;
  setTimeout(() => {
    if (users.get(esbuild) === 0) void esbuild.stop();
  }, ESBUILD_LINGERS).unref();
}

/** The pack's esbuild is not needed any more by one of those that loaded it. */
export const releaseEsbuild = (esbuild: typeof Esbuild): void => use(esbuild, -1);

/**
 * The pack's own esbuild, which its toolkit brings, else the one in WebAssembly that comes with the product. Whoever loads it calls
 * {@link releaseEsbuild} once.
 */
export async function loadEsbuild(toolkit: Toolkit, options: BundleOptions): Promise<typeof Esbuild> {
  let tried: typeof Esbuild | undefined;
  try {
    if (options.withoutNativeEsbuild === true) throw new Error("not wanted");
    tried = toolkit.own("esbuild") as typeof Esbuild;
    use(tried, 1);
    await tried.transform("", { loader: "ts" });
    return tried;
  } catch (native) {
    if (tried !== undefined) use(tried, -1);
    try {
      const wasm = toolkit.own(options.esbuildWasm === undefined ? "esbuild-wasm" : resolve(options.esbuildWasm)) as typeof Esbuild;
      use(wasm, 1);
      return wasm;
    } catch (cause) {
      throw new PackAuthError("pack-does-not-bundle", "esbuild, which builds packs, does not start here.", {
        hint: "Install the pack's dependencies again: npm install",
        cause: new AggregateError([native, cause]),
      });
    }
  }
}

/** How every script for a realm is built. */
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

/** What esbuild is told of a place that was found, or of none. */
export const placeOf = (found: string | typeof NOTHING | undefined): Esbuild.OnResolveResult | undefined =>
  found === undefined ? undefined : found === NOTHING ? { path: "pack-auth:nothing", namespace: "pack-auth" } : { path: found };

const scripts = new Map<string, Promise<string>>();

/** The toolkit, `buffer` and `process` as one script that leaves them in {@link TOOLKIT_GLOBAL}; built once per installed toolkit. */
export function toolkitScript(toolkit: Toolkit, esbuild: typeof Esbuild): Promise<string> {
  const key = `${toolkit.manifest} ${toolkit.version ?? ""}`;
  let script = scripts.get(key);
  if (script === undefined) {
    script = buildToolkit(toolkit, esbuild);
    scripts.set(key, script);
    script.catch(() => scripts.delete(key));
  }
  return script;
}

async function buildToolkit(toolkit: Toolkit, esbuild: typeof Esbuild): Promise<string> {
  const builtins = builtinModules(toolkit.own);
  const { outputFiles } = await esbuild.build({
    ...REALM_BUILD,
    stdin: {
      contents: `globalThis.${TOOLKIT_GLOBAL} = { toolkit: require(${JSON.stringify(dirname(toolkit.manifest))}), buffer: require("buffer"), process: require("process") };`,
      resolveDir: dirname(toolkit.manifest),
      loader: "js",
    },
    outfile: TOOLKIT_FILENAME,
    // What the toolkit itself calls `process` and `Buffer` are these two.
    inject: ["pack-auth:shims"],
    plugins: [
      {
        name: "pack-auth-toolkit",
        setup(build) {
          build.onResolve({ filter: /^pack-auth:/ }, ({ path }) => ({ path, namespace: "pack-auth" }));
          build.onLoad({ filter: /^pack-auth:shims$/, namespace: "pack-auth" }, () => ({
            contents: `export { Buffer } from "buffer";\nimport process from "process";\nexport { process };`,
            loader: "js",
            resolveDir: dirname(toolkit.manifest),
          }));
          build.onResolve({ filter: ASKED }, ({ path, importer }) => placeOf(builtins.resolve(path, importer)));
          build.onLoad({ filter: /^pack-auth:nothing$/, namespace: "pack-auth" }, () => ({ contents: "module.exports = {};" }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? "";
}
