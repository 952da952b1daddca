// Names of the SDK in inserted text: as the file imports them, and the imports that the file lacks.
import { getOrInsert } from "../../../base/get-or-insert.ts";
import { ENUMS } from "../../../spec/fields.ts";
import type { FileFacts } from "../model/facts.ts";
import type { Fix, TextEdit } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import { eolOf } from "../text/edit.ts";

/** Returns the file's name for an SDK export: `coda.AuthenticationType`, `AuthenticationType`, or a local alias. */
export function toolkitName(pack: PackModel, file: string, name: string): string {
  const prefix = pack.toolkitPrefix(file);
  if (prefix !== "") return `${prefix}${name}`;
  const facts = factsOf(pack, file);
  return (
    (facts && [...facts.imports.values()].find((imported) => imported.name === name && isToolkit(pack, imported.module)))?.local ?? name
  );
}

/** Returns the edits that import the enums that the given edits use and their files lack; empty if nothing is missing. */
export function importsFor(pack: PackModel, edits: readonly TextEdit[]): readonly TextEdit[] {
  const namesByFile = new Map<string, Set<string>>();
  for (const { file, text } of edits)
    for (const [, name = ""] of text.matchAll(/(?<![\w$.])(\w+)\.\w/g)) {
      if (!Object.hasOwn(ENUMS, name)) continue;
      getOrInsert(namesByFile, file, () => new Set()).add(name);
    }
  return [...namesByFile].flatMap(([file, names]) => importNames(pack, file, [...names]));
}

/** Returns the edit that imports the SDK's exports that the file lacks; none if it has the SDK's namespace, or nothing is missing. */
export function importNames(pack: PackModel, file: string, names: readonly string[]): readonly TextEdit[] {
  const facts = factsOf(pack, file);
  const missing = names.filter(
    (name) => toolkitName(pack, file, name) === name && facts?.imports.has(name) === false && facts.declarations.get(name) === undefined,
  );
  return missing.length === 0 ? [] : [importEdit(pack, file, missing)];
}

/** Returns the fix with the imports that it needs. */
export function withImports(pack: PackModel, fix: Fix): Fix {
  const imports = importsFor(pack, fix.edits);
  return imports.length === 0 ? fix : { ...fix, edits: [...fix.edits, ...imports] };
}

const factsOf = (pack: PackModel, file: string): FileFacts | undefined => pack.facts.find((facts) => facts.file === file);

/** Exports of every SDK version that packs use. */
export const TOOLKIT_NAMES: ReadonlySet<string> = new Set<string>([
  ...Object.keys(ENUMS),
  "newPack",
  "ValueType",
  "ParameterType",
  "makeParameter",
]);

/** Whether a file of the pack imports one of the SDK's names from the module. */
function isToolkit(pack: PackModel, module: string): boolean {
  return pack.facts.some(({ imports }) =>
    [...imports.values()].some((imported) => imported.module === module && TOOLKIT_NAMES.has(imported.name)),
  );
}

function importEdit(pack: PackModel, file: string, names: readonly string[]): TextEdit {
  const source = pack.text(file);
  const imported = pack.facts.flatMap(({ file: from, imports }) =>
    [...imports.values()].map(({ module }) => module).filter((name) => pack.isToolkit(name, from)),
  );
  // A subpath of the package exports only some of the names.
  const module = (imported.find((name) => !name.includes("/dist/")) ?? imported[0] ?? "@codahq/packs-sdk").replace(/\/dist\/.*$/s, "");
  const quoted = `["']${module.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}["']`;
  // The names are inserted after the last one in an import or require of the SDK.
  const braces = new RegExp(
    `(?:import\\s*\\{([^{}]*)\\}\\s*from\\s*${quoted}|(?:const|let|var)\\s*\\{([^{}]*)\\}\\s*=\\s*require\\(\\s*${quoted})`,
  ).exec(source);
  const list = braces?.[1] ?? braces?.[2];
  if (braces !== null && list?.trim()) {
    const start = braces.index + braces[0].indexOf("{") + 1 + list.trimEnd().replace(/,$/, "").length;
    return { file, start, end: start, text: names.map((name) => `, ${name}`).join("") };
  }
  const isCommonJs = /\brequire\s*\(/.test(source) && !/^import\b/m.test(source);
  const text = `${isCommonJs ? `const { ${names.join(", ")} } = require("${module}");` : `import { ${names.join(", ")} } from "${module}";`}${eolOf(source)}`;
  const start = /^(?:\uFEFF)?(?:#![^\r\n]*\r?\n)?/.exec(source)?.[0].length ?? 0;
  return { file, start, end: start, text };
}
