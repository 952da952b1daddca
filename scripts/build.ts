// Bundles everything that runs into dist/: Node bundles as CommonJS, the panel's as an ES module. `--watch` keeps them fresh.
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

// Libraries written as ES modules ask where they are; in a CommonJS bundle that is the bundle's own file.
const whereAmI = 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;';
const located: BuildOptions = { ...node, define: { "import.meta.url": "importMetaUrl" }, banner: { js: whereAmI } };
/** A large library that few need is a bundle of its own, loaded by those who do. */
const apart: Plugin = {
  name: "apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^undici$/ }, ({ kind }) => (kind === "entry-point" ? undefined : { path: "./undici.cjs", external: true })),
};

/** What the editor loads with each window loads the rest of the client when it is needed. */
const mainApart: Plugin = {
  name: "main-apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/extension\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./client-main.cjs", external: true } : undefined,
    ),
};

/** What few runs of the command line need is loaded by those that do. */
const verbsApart: Plugin = {
  name: "verbs-apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\/(?:other-verbs|analysis)\.ts$/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path: path.replace(/^.*\/(.*)ts$/, "./$1cjs"), external: true } : undefined,
    ),
};

/** What runs in the editor's own process. */
export const extension: BuildOptions = {
  ...located,
  keepNames: false,
  plugins: [apart, mainApart],
  supported: { "dynamic-import": false },
  external: ["vscode"],
};

/**
 * Only in tagged templates does esbuild leave characters outside of ASCII. One of them that is beyond Latin-1 makes two bytes of each character
 * of a source, and to fill that memory takes time at each start. So they are escaped before: our tags that read a text as it is written have none.
 */
const narrow: Plugin = {
  name: "narrow",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
      loader: "ts",
    })),
};

/** TypeScript makes hashes with it, and has a way without. Nothing here asks for one, and to load it takes milliseconds of each start. */
const withoutCrypto: Plugin = {
  name: "without-crypto",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^crypto$/ }, ({ importer }) =>
      /typescript\.js$/.test(importer) ? { path: "crypto", namespace: "none" } : undefined,
    );
    onLoad({ filter: /^/, namespace: "none" }, () => ({ contents: "module.exports = undefined;" }));
  },
};

/** What {@link launcher} starts. */
const program: BuildOptions = {
  ...located,
  plugins: [narrow],
  // A script that starts from compiled code has no import(): what stays outside of the bundle is required.
  supported: { "dynamic-import": false },
  // Thousands of names would be set at each start.
  keepNames: false,
};
const launcher: BuildOptions = { ...node, banner: { js: "#!/usr/bin/env node" } };

export const targets: readonly BuildOptions[] = [
  { ...node, entryPoints: { undici: "undici" } },
  { ...extension, entryPoints: { client: "client/activation.ts", "client-main": "client/extension.ts" } },
  { ...launcher, entryPoints: { cli: "launch/cli.ts", server: "launch/server.ts" } },
  { ...program, entryPoints: { "server-main": "server/main.ts" } },
  { ...node, entryPoints: { runner: "platform/runner/main.ts" } },
  { ...located, entryPoints: { sandbox: "platform/sandbox/main.ts" } },
  // Of the library's parts those without a validator that makes code.
  { ...node, keepNames: false, entryPoints: { "mcp-thread": "platform/mcp/thread.ts" }, conditions: ["workerd"] },
  { ...node, entryPoints: { "xml-worker": "platform/bodies/xml-worker.ts" } },
  {
    ...program,
    // The wrappers would be loaded at each start, and nothing here uses them.
    alias: { "ts-morph": "./scripts/typescript-alone.ts" },
    plugins: [narrow, apart, verbsApart, withoutCrypto],
    entryPoints: { "cli-main": "cli/main.ts", "other-verbs": "cli/other-verbs.ts", analysis: "cli/analysis.ts" },
    external: ["@napi-rs/keyring"],
  },
  {
    bundle: true,
    platform: "browser",
    target: "chrome130",
    format: "esm",
    outdir: "dist",
    entryPoints: { webview: "client/webview/main.ts" },
    sourcemap: "linked",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    tsconfig: "client/webview/tsconfig.json",
  },
];

/** For packs whose own esbuild does not start: copied whole, since it finds its parts beside itself. */
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
