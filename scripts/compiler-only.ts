// Of ts-morph the product uses its TypeScript alone, and of that the parser: the wrappers, the texts of TypeScript's libraries, its checker and
// its language service stay out of the bundles. TypeScript comes as one CommonJS file; as an ES module with the exports that are used, esbuild
// leaves out whatever these do not reach.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import type { ts } from "ts-morph";

const compiler = createRequire(createRequire(import.meta.url).resolve("ts-morph"))
  .resolve("@ts-morph/common")
  .replace(/[^/\\]+$/, "typescript.js");

export const compilerOnly: Plugin = {
  name: "compiler-only",
  setup(build) {
    build.onResolve({ filter: /^ts-morph$/ }, () => ({ path: "ts-morph", namespace: "compiler-only" }));
    build.onLoad({ filter: /.*/, namespace: "compiler-only" }, () => {
      const { text, exported } = asModule(readFileSync(compiler, "utf8"));
      const used = usedNames().filter((name) => exported.has(name));
      return { contents: `${text}\nexport const ts = { ${used.join(", ")} };\n`, resolveDir: join(compiler, "..") };
    });
  },
};

const GUARD = /\bts\.(is[A-Z]\w*)\(([\w.]+)\)/g;
const GUARDS_KIND = /^function \w+\(node\) \{\s*return node\.kind === (\d+)(?: \/\* \w+ \*\/)?;\s*\}$/;
const ENUM_ITSELF = /\b(?:SyntaxKind|NodeFlags)\s*(?:\[(?!\])|\?\.)|[=(,]\s*(?:ts\.)?(?:SyntaxKind|NodeFlags)\s*[;),]/;
const ENUM_MEMBER = /\b(?:ts\.)?(SyntaxKind|NodeFlags)\.([A-Z]\w*)/g;

/**
 * Members of TypeScript's large enums as the numbers that they are. An enum is a table of a thousand entries, and a look into it at each
 * comparison costs more than what is compared; a switch over numbers is one jump. Functions that compare a node's kind with one of them
 * become that comparison.
 */
export const constantKinds: Plugin = {
  name: "constant-kinds",
  setup({ onLoad }) {
    const whole = createRequire(compiler)(compiler) as typeof ts;
    const enums: Readonly<Record<string, Readonly<Record<string, number | string>>>> = {
      SyntaxKind: whole.SyntaxKind,
      NodeFlags: whole.NodeFlags,
    };
    onLoad({ filter: /[\\/]server[\\/]analysis[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readMembersOnly(path)
        .replace(ENUM_MEMBER, (written, name: string, member: string) => {
          const value = enums[name]?.[member];
          if (typeof value !== "number") throw new Error(`${path}: ${written} is no member of the enum.`);
          return String(value);
        })
        .replace(GUARD, (written, name: keyof typeof ts, node: string) => {
          const [, kind] = GUARDS_KIND.exec(String(whole[name])) ?? [];
          return kind === undefined ? written : `(${node}.kind === ${kind})`;
        }),
      loader: "ts",
    }));
  },
};

/** Throws where an enum is used as a table, which is not there in the bundles. */
function readMembersOnly(path: string): string {
  const text = readFileSync(path, "utf8");
  const [found] = ENUM_ITSELF.exec(text) ?? [];
  if (found !== undefined) throw new Error(`${path}: of TypeScript's enums the bundles have the members alone, and not "${found}".`);
  return text;
}

/** Every name behind `ts.` in our sources; those of types are no exports of the file. */
function usedNames(): readonly string[] {
  const root = join(import.meta.dirname, "..");
  const names = new Set<string>();
  for (const file of ["server", "cli"].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: "utf8" }).map((name) => join(root, room, name)),
  )) {
    const text = file.endsWith(".ts") ? readFileSync(file, "utf8") : "";
    if (!text.includes('from "ts-morph"')) continue;
    for (const [, name = ""] of text.matchAll(/\bts\.(\w+)/g)) names.add(name);
    for (const [, list = ""] of text.matchAll(/\{([^{}]*)\} = ts;/g)) for (const [name] of list.matchAll(/\w+/g)) names.add(name);
  }
  return [...names].sort();
}

/** Throws where the file is not built as it was when this was written. */
function asModule(source: string): { readonly text: string; readonly exported: ReadonlySet<string> } {
  const parts =
    /^([\s\S]*?)var ts = \{\}; \(\(module\) => \{\n"use strict";\n([\s\S]*?)var typescript_exports = \{\};\n__export\(typescript_exports, \{\n([\s\S]*?)\n\}\);\nmodule\.exports = __toCommonJS\(typescript_exports\);\n([\s\S]*)\n\/\/ Annotate the CommonJS export names[\s\S]*$/.exec(
      source,
    );
  const [, , before = "", list = "", body = ""] = parts ?? [];
  const exported = new Set([...list.matchAll(/^ {2}(\w+): \(\) => \1,?$/gm)].map(([, name = ""]) => name));
  if (!exported.has("createSourceFile") || body.includes("typescript_exports")) throw new Error(`${compiler} is built in another way now.`);
  return { text: before + linkable(body), exported };
}

/**
 * Statements of the top level that fill a variable, or a table of the language service, become parts of what they fill: esbuild keeps
 * them where that is used. Without a checker there are no symbols, types and signatures, whose classes reach most of the service.
 */
function linkable(text: string): string {
  const cut = text
    .slice(0, text.indexOf("\n// src/server/") + 1)
    .replace(/^(registerCodeFix|registerRefactor)\(/gm, "/* @__PURE__ */ $1(")
    .replace(
      /^var (\w+) = \{\};\n__export\(\1, (\{\n[\s\S]*?\n\})\);$/gm,
      "var $1 = /* @__PURE__ */ ((all) => { const to = {}; __export(to, all); return to; })($2);",
    )
    .replace(
      /^var (?!(?:Debug|tracingEnabled|BinaryExpressionState|Parser|IncrementalParser);)(\w+);\n(\(\((\w+)\) => \{\n[\s\S]*?\n)\}\)\(\1 \|\| \(\1 = \{\}\)\);$/gm,
      "var $1 = /* @__PURE__ */ $2  return $3;\n})({});",
    )
    .replace(/^ {4}get(?:Symbol|Type|Signature)Constructor: \(\) => (?:Symbol|Type|Signature)Object,\n/gm, "");
  return cut.replace(
    /^(var \w+ = )((?:or|and|getLocaleSpecificMessage|syntacticResult|createMultiMap|createScanner|getDefaultFormatCodeSettings|arrayToNumericMap|prepareConvertersForEnumLikeCompilerOptions|createBracketsMap)\()/gm,
    "$1/* @__PURE__ */ $2",
  );
}
