// A source's statements → the plain facts of the file. Trees are read here and in what this names, and none is kept.
import { ts } from "ts-morph";
import { joinContextFacts } from "./context-facts.ts";
import { declaredNames, find, TOP_LEVEL } from "./declarations.ts";
import type { EvaluateContext } from "./evaluate.ts";
import type { CallFact, DeclaredNames, FileFacts, ImportFact, PlaceholderFact, Value } from "./model.ts";
import {
  addExportedValues,
  type ExportedValue,
  joinModuleParts,
  type ModuleFacts,
  type ModulePart,
  noModuleFacts,
  readExportedValues,
} from "./module-facts.ts";
import { isOwnModule } from "./modules.ts";
import { findPlaceholders } from "./placeholders.ts";
import { findSuppressions, mentionsSuppression } from "./suppressions.ts";
import { type Walked, walk } from "./walk.ts";

/** What one statement of the top level says; what it means is known when all of the file's statements are there. */
export interface StatementFacts {
  readonly module: ModulePart | undefined;
  readonly walked: Walked;
  readonly exported: readonly ExportedValue[];
}

/** Throws RangeError where the source is too deep to be parsed. */
export function parse(file: string, text: string): ts.SourceFile {
  const options: ts.CreateSourceFileOptions = {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
    // Modules would be parsed twice where `await` stands at their top level; this way it is known by what follows it, wherever it is.
    setExternalModuleIndicator: () => {},
  };
  return ts.createSourceFile(file, text, options, true, scriptKind(file));
}

function scriptKind(file: string): ts.ScriptKind {
  if (/\.json$/i.test(file)) return ts.ScriptKind.JSON;
  if (/\.tsx$/i.test(file)) return ts.ScriptKind.TSX;
  if (/\.jsx$/i.test(file)) return ts.ScriptKind.JSX;
  return /\.[cm]?js$/i.test(file) ? ts.ScriptKind.JS : ts.ScriptKind.TS;
}

export function readStatement(statement: ts.Statement, module: ModulePart | undefined, context: EvaluateContext): StatementFacts {
  return { module, walked: walk(statement, context), exported: readExportedValues(statement, context) };
}

/** What a file imports from the toolkit, by its local name. */
export function toolkitImportsOf(parts: Iterable<ModulePart | undefined>, toolkitModules: readonly string[]): Map<string, ImportFact> {
  const { imports } = joinModuleParts(parts, toolkitModules);
  return new Map([...imports].filter(([, imported]) => toolkitModules.includes(imported.module)));
}

/** The facts of a file whose source is too deep to be looked at. */
export function noFacts(file: string, text: string): FileFacts {
  const none = {
    calls: [],
    placeholders: [],
    braced: [],
    suppressions: [],
    toolkitPrefix: "",
    importsToolkit: false,
    builds: 0,
    packGoesTo: [],
    ...joinContextFacts([]),
  };
  return { file, text, ...noModuleFacts(), declarations: declaredNames([]), ...none };
}

/** The facts of a file, from those of its statements in order. */
export function joinStatements(
  file: string,
  text: string,
  statements: readonly StatementFacts[],
  toolkitModules: readonly string[],
): FileFacts {
  const module = joinModuleParts(
    statements.map((statement) => statement.module),
    toolkitModules,
  );
  const toolkitImports = new Map([...module.imports].filter(([, imported]) => toolkitModules.includes(imported.module)));
  addExportedValues(
    module,
    statements.flatMap((statement) => statement.exported),
  );
  const declarations = declaredNames(statements.map(({ walked }) => walked.declarations));
  const calls = statements.flatMap(({ walked }) => walked.calls);
  const tokenAliases = new Set(statements.flatMap(({ walked }) => [...walked.tokenAliases]));

  const namespace = [...toolkitImports.values()].find((found) => found.name === "*" || found.name === "default");
  const isToken = (part: Value): boolean =>
    part.kind === "reference" &&
    (part.path.at(-1) === "invocationToken" || (part.path.length === 1 && tokenAliases.has(part.path[0] ?? "")));
  const news = calls.filter((call) => call.method === "newPack" && toolkitImports.has((call.receiver || call.callee).split(".")[0] ?? ""));
  return {
    file,
    text,
    modules: module.modules,
    imports: module.imports,
    exports: module.exports,
    starExports: module.starExports,
    declarations,
    calls,
    ...joinContextFacts(statements.map(({ walked }) => walked.context)),
    braced: statements.flatMap(({ walked }) => walked.texts),
    placeholders: once(statements.flatMap(({ walked }) => walked.texts.flatMap((found) => findPlaceholders(found, text, isToken)))),
    suppressions: mentionsSuppression(text) ? findSuppressions(file, parse(file, text)) : [],
    toolkitPrefix: namespace === undefined ? "" : `${namespace.local}.`,
    importsToolkit: toolkitImports.size > 0,
    builds: news.length || (toolkitImports.size > 0 && hasOldManifest(module.exports.keys(), declarations) ? 1 : 0),
    packGoesTo: statements.flatMap(({ walked }) =>
      walked.handedOver.flatMap(({ to, what }) => (isPack(what, calls) ? moduleOf(to, module, declarations, toolkitModules) : [])),
    ),
  };
}

/** Packs from before newPack: an exported `manifest` object. */
function hasOldManifest(exported: Iterable<string>, declarations: DeclaredNames): boolean {
  return [...exported].some((name) => {
    const value = name === "manifest" || name === "pack" ? find(declarations.get(name), TOP_LEVEL)?.value : undefined;
    return (
      value?.kind === "object" &&
      value.properties.some((property) => /^(defaultAuthentication|networkDomains|formulas|syncTables)$/.test(property.name))
    );
  });
}

/** A name on which a pack's methods are called, or that is called pack. */
function isPack(name: string, calls: readonly CallFact[]): boolean {
  return name === "pack" || calls.some((call) => call.receiver === name);
}

/**
 * The module that a function is imported from; an empty name for a function that is computed, or is a method of something that a package
 * may have made; nothing for one of the file itself.
 */
function moduleOf(
  name: string | undefined,
  module: ModuleFacts,
  declarations: DeclaredNames,
  toolkitModules: readonly string[],
): readonly string[] {
  if (name === undefined || name === "Object" || name === "Reflect") return [""];
  const imported = module.imports.get(name);
  if (imported !== undefined) return [imported.module];
  const isOwn = name === "this" || find(declarations.get(name), TOP_LEVEL)?.value?.kind === "function";
  return isOwn || module.modules.every((other) => isOwnModule(other) || toolkitModules.includes(other)) ? [] : [""];
}

/** A text that is a part of another one is read in both. */
function once(placeholders: readonly PlaceholderFact[]): readonly PlaceholderFact[] {
  const starts = new Set<number>();
  return placeholders.filter(({ start }) => !starts.has(start) && starts.add(start) !== undefined);
}
