// Of ts-morph the product uses its TypeScript alone: the wrappers, and the texts of TypeScript's libraries, stay out of the bundles.
import { createRequire } from "node:module";
import type { Plugin } from "esbuild";

const compiler = createRequire(createRequire(import.meta.url).resolve("ts-morph")).resolve("@ts-morph/common");

export const compilerOnly: Plugin = {
  name: "compiler-only",
  setup(build) {
    build.onResolve({ filter: /^ts-morph$/ }, () => ({ path: "ts-morph", namespace: "compiler-only" }));
    build.onLoad({ filter: /.*/, namespace: "compiler-only" }, () => ({
      contents: `export const ts = require(${JSON.stringify(compiler.replace(/[^/\\]+$/, "typescript.js"))});`,
      resolveDir: import.meta.dirname,
    }));
  },
};
