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

/** What stands in a bundle of its own where `syntaxOnly` is used: the parser, the scanner, and what needs them. */
const PARSING = ["createSourceFile", "createScanner", "getLeadingCommentRanges", "getTrailingCommentRanges", "parseConfigFileTextToJson"];

/**
 * For a program that seldom parses with TypeScript: of `ts` its enums and what looks at nodes, and the rest as calls that load the bundle
 * beside it.
 */
export const syntaxOnly: Plugin = {
  name: "syntax-only",
  setup(build) {
    build.onResolve({ filter: /^ts-morph$/ }, () => ({ path: "ts-morph", namespace: "syntax-only" }));
    build.onResolve({ filter: /^\.\/typescript\.cjs$/ }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /.*/, namespace: "syntax-only" }, () => {
      const source = readFileSync(compiler, "utf8");
      const { exported } = asModule(source);
      const whole = createRequire(compiler)(compiler) as Readonly<Record<string, unknown>>;
      const used = usedNames().filter((name) => exported.has(name));
      // Those whose members are written as numbers by {@link constantKinds} are never looked into; they are the largest by far.
      const enums = used.filter((name) => typeof whole[name] === "object");
      const functions = used.filter((name) => typeof whole[name] === "function" && !PARSING.includes(name));
      return {
        contents: `${declarationsOf(functions, source)}
let parsing;
const load = () => (parsing ??= require("./typescript.cjs"));
export const ts = {
  ${enums.map((name) => `${name}: ${AS_NUMBERS.includes(name) ? "undefined" : JSON.stringify(whole[name])}`).join(",\n  ")},
  ${functions.join(", ")},
  ${PARSING.map((name) => `${name}: (...given) => load().${name}(...given)`).join(",\n  ")},
};
`,
        resolveDir: join(compiler, ".."),
      };
    });
  },
};

/** The entry of the bundle beside it. */
export const PARSING_ENTRY = "the-parsing-part-of-typescript";

/** The functions of the file's top level by these names, and whatever of it they name. Throws where that is more than looks at nodes. */
function declarationsOf(names: readonly string[], source: string): string {
  const all = new Map<string, string>();
  for (const part of source.split(/^(?=(?:var|let|const|function|class|async function) )/m)) {
    const [, name] = /^(?:async )?\w+ (\w+)/.exec(part) ?? [];
    if (name !== undefined) all.set(name, (all.get(name) ?? "") + part.replace(/^\/\/.*$/gm, ""));
  }
  const found = new Map<string, string>();
  const queue = [...names];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const text = found.has(name) ? undefined : all.get(name);
    if (text === undefined) continue;
    found.set(name, text);
    for (const [word] of text.matchAll(/(?<![.\w$])[A-Za-z_$][\w$]*(?!\s*:)/g)) if (all.has(word)) queue.push(word);
  }
  // For a list, a loop by its indexes: an iterator is made anew for each list of each node.
  const text = [...found.values()]
    .join("")
    .replace(
      /for \(const node of nodes\) \{\n/g,
      "for (let index = 0; index < nodes.length; index++) {\n      const node = nodes[index];\n",
    );
  if (text.length > 100_000) throw new Error(`What looks at nodes has become large: ${[...found.keys()].join(", ").slice(0, 500)}`);
  return text;
}

export const compilerOnly: Plugin = {
  name: "compiler-only",
  setup(build) {
    build.onResolve({ filter: /^ts-morph$/ }, () => ({ path: "ts-morph", namespace: "compiler-only" }));
    build.onResolve({ filter: new RegExp(`^${PARSING_ENTRY}$`) }, ({ path }) => ({ path, namespace: "parsing" }));
    build.onLoad({ filter: /.*/, namespace: "parsing" }, () => ({
      contents: `import { ts } from "ts-morph";\nexport const { ${PARSING.join(", ")} } = ts;\n`,
    }));
    build.onLoad({ filter: /.*/, namespace: "compiler-only" }, () => {
      const { text, exported } = asModule(readFileSync(compiler, "utf8"));
      const used = usedNames().filter((name) => exported.has(name));
      return { contents: `${text}\nexport const ts = { ${used.join(", ")} };\n`, resolveDir: join(compiler, "..") };
    });
  },
};

const GUARD = /\bts\.(is[A-Z]\w*)\(([\w.]+)\)/g;
const GUARDS_KIND = /^function \w+\(node\) \{\s*return node\.kind === (\d+)(?: \/\* \w+ \*\/)?;\s*\}$/;
/** Enums that are numbers wherever one of their members is named, and are named nowhere else. */
const AS_NUMBERS: readonly string[] = ["SyntaxKind", "NodeFlags"];
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
