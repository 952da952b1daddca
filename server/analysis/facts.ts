// One source file → plain facts. The syntax tree is owned by the caller, may be updated in place by the next edit, and is not kept.
import { ts } from "ts-morph";
import { find } from "./declarations.ts";
import { type EvaluateContext, evaluate } from "./evaluate.ts";
import type { CallFact, Declaration, FileFacts, ImportFact, Value } from "./model.ts";
import { noModuleFacts, readExportedValues, readModule } from "./module-facts.ts";
import { findPlaceholders } from "./placeholders.ts";
import { findSuppressions } from "./suppressions.ts";
import { walk } from "./walk.ts";

/** The tree of a source; undefined where it is too deep to be parsed. */
export function parse(file: string, text: string): ts.SourceFile | undefined {
  try {
    return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, scriptKind(file));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function scriptKind(file: string): ts.ScriptKind {
  if (/\.json$/i.test(file)) return ts.ScriptKind.JSON;
  if (/\.tsx$/i.test(file)) return ts.ScriptKind.TSX;
  if (/\.jsx$/i.test(file)) return ts.ScriptKind.JSX;
  return /\.[cm]?js$/i.test(file) ? ts.ScriptKind.JS : ts.ScriptKind.TS;
}

/** Facts of a source, or of one whose tree is unknown or too deep to be walked: then there are none. */
export function collectFacts(file: string, text: string, source: ts.SourceFile | undefined, toolkitModules: readonly string[]): FileFacts {
  try {
    if (source !== undefined) return collect(file, source, toolkitModules);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const none = {
    declarations: new Map(),
    calls: [],
    placeholders: [],
    suppressions: [],
    toolkitPrefix: "",
    importsToolkit: false,
    builds: 0,
    packGoesTo: [],
  };
  return { file, text, ...noModuleFacts(), ...none };
}

function collect(file: string, source: ts.SourceFile, toolkitModules: readonly string[]): FileFacts {
  const module = readModule(source, toolkitModules);
  const toolkitImports = new Map([...module.imports].filter(([, imported]) => toolkitModules.includes(imported.module)));
  const context: EvaluateContext = { file, source, toolkitImports };
  const walked = walk(source, context);
  const declarations = walked.declarations.finish();
  readExportedValues(module, context);

  const namespace = [...toolkitImports.values()].find((found) => found.name === "*" || found.name === "default");
  const isToken = (part: Value): boolean =>
    part.kind === "reference" &&
    (part.path.at(-1) === "invocationToken" || (part.path.length === 1 && walked.tokenAliases.has(part.path[0] ?? "")));
  const news = walked.calls.filter(
    (call) => call.method === "newPack" && toolkitImports.has((call.receiver || call.callee).split(".")[0] ?? ""),
  );
  return {
    file,
    text: source.text,
    modules: module.modules,
    imports: module.imports,
    exports: module.exports,
    starExports: module.starExports,
    declarations,
    calls: walked.calls.map(({ callee: _, ...call }) => call),
    placeholders: walked.texts.flatMap((text) => findPlaceholders(evaluate(text, context), source.text, isToken)),
    suppressions: findSuppressions(file, source),
    toolkitPrefix: namespace === undefined ? "" : `${namespace.local}.`,
    importsToolkit: toolkitImports.size > 0,
    builds: news.length || (toolkitImports.size > 0 && hasOldManifest(module.exports.keys(), declarations) ? 1 : 0),
    packGoesTo: walked.handedOver.flatMap(({ to, what }) => (isPack(what, walked.calls) ? moduleOf(to, module.imports) : [])),
  };
}

/** Packs from before newPack: an exported `manifest` object. */
function hasOldManifest(exported: Iterable<string>, declarations: ReadonlyMap<string, readonly Declaration[]>): boolean {
  return [...exported].some((name) => {
    const value = name === "manifest" || name === "pack" ? find(declarations.get(name), 0)?.value : undefined;
    return (
      value?.kind === "object" &&
      value.properties.some((property) => /^(defaultAuthentication|networkDomains|formulas|syncTables)$/.test(property.name))
    );
  });
}

/** A name on which a pack's methods are called, or that is called pack. */
function isPack(name: string, calls: readonly CallFact[]): boolean {
  return name === "pack" || calls.some((call) => call.receiver === name && call.method !== "fetch");
}

/** The module that a function is imported from; an empty name for a function that is computed, nothing for one of the file itself. */
function moduleOf(name: string | undefined, imports: ReadonlyMap<string, ImportFact>): readonly string[] {
  if (name === undefined) return [""];
  const imported = imports.get(name);
  return imported === undefined ? [] : [imported.module];
}
