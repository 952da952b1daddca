// Builds all bundles into dist/: CommonJS for Node, an ES module for the panel. `--watch` rebuilds them on changes.
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, context, type Plugin } from "esbuild";

const node: BuildOptions = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  outdir: "dist",
  sourcemap: "linked",
  minify: true,
  keepNames: true,
  legalComments: "none",
  logLevel: "warning",
};

// Libraries written as ES modules read import.meta.url; in a CommonJS bundle it is the URL of the bundle.
const whereAmI = 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;';
const located: BuildOptions = { ...node, define: { "import.meta.url": "importMetaUrl" }, banner: { js: whereAmI } };
/** Puts a large, rarely used library into its own bundle, which is loaded on first use. */
const apart = (library: "undici" | "zod"): Plugin => ({
  name: `${library}-apart`,
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`^${library}$`) }, ({ kind }) =>
      kind === "entry-point" ? undefined : { path: `./${library}.cjs`, external: true },
    ),
});

/** Splits the client: the part that every window loads at its start, and the rest, which is loaded on first use. */
const mainApart: Plugin = {
  name: "main-apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/extension\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./client-main.cjs", external: true } : undefined,
    ),
};

/** Puts rarely used verbs of the command line into their own bundles. */
const verbsApart: Plugin = {
  name: "verbs-apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\/(?:other-verbs|agents|(?:sources\/)?analysis)\.ts$/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path: path.replace(/^.*\/(.*)ts$/, "./$1cjs"), external: true } : undefined,
    ),
};

/** The bundles that run in the editor's own process. */
export const extension: BuildOptions = {
  ...located,
  keepNames: false,
  plugins: [apart("undici"), apart("zod"), mainApart],
  supported: { "dynamic-import": false },
  external: ["vscode"],
};

/**
 * Escapes characters beyond Latin-1, which esbuild keeps in tagged templates. A single one makes V8 store a source with two bytes for each
 * character, and filling that memory slows each start. The project's tags that read raw text contain no such characters.
 */
const narrow: Plugin = {
  name: "narrow",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
      loader: "ts",
    })),
};

/**
 * Removes `crypto` from TypeScript, which uses it for hashes but has a fallback. Nothing here needs hashes, and loading the module takes
 * milliseconds at each start.
 */
const withoutCrypto: Plugin = {
  name: "without-crypto",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^crypto$/ }, ({ importer }) =>
      /typescript\.js$/.test(importer) ? { path: "crypto", namespace: "none" } : undefined,
    );
    onLoad({ filter: /^/, namespace: "none" }, () => ({ contents: "module.exports = undefined;" }));
  },
};

/** The bundles that a {@link launcher} starts. */
const program: BuildOptions = {
  ...located,
  plugins: [narrow],
  // A script that starts from compiled code has no import(), so external modules are required.
  supported: { "dynamic-import": false },
  // Keeping names would define thousands of properties at each start.
  keepNames: false,
};
const launcher: BuildOptions = { ...node, banner: { js: "#!/usr/bin/env node" } };

export const targets: readonly BuildOptions[] = [
  { ...node, entryPoints: { undici: "undici", zod: "zod" } },
  { ...extension, entryPoints: { client: "client/activation.ts", "client-main": "client/extension.ts" } },
  { ...launcher, entryPoints: { cli: "launch/cli.ts", server: "launch/server.ts" } },
  { ...program, entryPoints: { "server-main": "server/main.ts" } },
  { ...node, entryPoints: { runner: "platform/runner/main.ts" } },
  { ...node, entryPoints: { "toolkit-build": "platform/upload/build-program.ts" } },
  { ...located, entryPoints: { sandbox: "platform/sandbox/main.ts" } },
  // The `workerd` condition selects the library's validator that does not generate code.
  { ...node, keepNames: false, entryPoints: { "mcp-thread": "platform/mcp/thread.ts" }, conditions: ["workerd"] },
  { ...node, entryPoints: { "xml-worker": "platform/bodies/xml-worker.ts" } },
  { ...node, entryPoints: { "openapi-worker": "platform/setup/openapi/description-worker.ts" } },
  {
    ...program,
    // The wrappers of ts-morph are unused here and would slow each start.
    alias: { "ts-morph": "./scripts/typescript-alone.ts" },
    plugins: [narrow, apart("undici"), verbsApart, withoutCrypto],
    entryPoints: {
      "cli-main": "cli/main.ts",
      "other-verbs": "cli/other-verbs.ts",
      agents: "cli/agents.ts",
      analysis: "cli/sources/analysis.ts",
    },
    external: ["@napi-rs/keyring"],
  },
  {
    bundle: true,
    platform: "browser",
    target: "chrome130",
    format: "esm",
    outdir: "dist",
    entryPoints: { webview: "client/webview/main.ts", preflight: "client/webview/preflight/main.ts" },
    sourcemap: "linked",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    tsconfig: "client/webview/tsconfig.json",
  },
];

/**
 * Copies esbuild in WebAssembly, for packs whose own esbuild does not start. The copy is complete, because esbuild finds its files beside
 * itself.
 */
function copyEsbuildWasm(): void {
  for (const file of ["package.json", "lib/main.js", "bin/esbuild", "esbuild.wasm", "wasm_exec.js", "wasm_exec_node.js"]) {
    cpSync(join("node_modules/esbuild-wasm", file), join("dist/esbuild-wasm", file));
  }
}

/** Builds once, or keeps building. Resolves when the first build of every bundle is done. */
export async function build(options: { readonly watch: boolean }): Promise<void> {
  copyEsbuildWasm();
  await Promise.all(
    targets.map(async (target) => {
      const bundle = await context(target);
      if (options.watch) return bundle.watch();
      await bundle.rebuild();
      await bundle.dispose();
    }),
  );
}

if (process.argv[1]?.endsWith("build.ts")) {
  const watch = process.argv.includes("--watch");
  await build({ watch });
  const names = targets.flatMap(({ entryPoints = {} }) => Object.keys(entryPoints));
  console.log(`Built ${names.length} bundles into dist/: ${names.join(", ")}.${watch ? " Waiting for changes. Ctrl-C ends it." : ""}`);
}
