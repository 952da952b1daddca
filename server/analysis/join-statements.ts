// The facts of a file's statements → the facts of the file. Most edits touch one statement, and what the others say of modules and names
// stays as it was: that is kept from one edit to the next.
import { type ContextFacts, joinContextFacts, NO_CONTEXT } from "./context-facts.ts";
import { createNames, type DeclarationPart, declaredNames, TOP_LEVEL } from "./declarations.ts";
import { ofToolkit, type StatementFacts } from "./facts.ts";
import { find } from "./find-declaration.ts";
import { Involved } from "./involved.ts";
import { isToolkitModule } from "./is-toolkit-module.ts";
import type {
  BuilderCall,
  CallFact,
  ContextMember,
  DeclaredNames,
  FileFacts,
  GivenDefinition,
  HandedCall,
  ImportFact,
  PlaceholderFact,
  ToolkitUse,
  Unread,
  Value,
} from "./model.ts";
import { addExportedValues, joinModuleParts, type ModuleFacts, noModuleFacts } from "./module-facts.ts";
import { isOwnModule } from "./modules.ts";
import { findPlaceholders } from "./placeholders.ts";
import { REQUIRED } from "./required-name.ts";
import { findSuppressions } from "./suppressions.ts";
import type { HandedOver } from "./walk/walked.ts";

/** The statements that an edit took away, and those that came for them; the others may have moved. */
export interface Renewal {
  readonly gone: readonly StatementFacts[];
  readonly come: readonly StatementFacts[];
}

export interface Joiner {
  /** The facts of the file, from those of its statements in order. Without a renewal they are all new. */
  join(
    text: string,
    statements: readonly StatementFacts[],
    /** What the statements say of modules, where that was put together for them; it is changed. */
    joined: ModuleFacts | undefined,
    toolkitModules: readonly string[],
    renewal: Renewal | undefined,
    /** Whether comments in the text may silence rules. */
    maySuppress: boolean,
  ): FileFacts;
}

/** More of them than anybody writes into one source: rules that hold each against each would take seconds. */
const MOST_CALLS = 500;
const MOST_CONTEXT_CALLS = 2_000;
const MOST_TEXTS = 2_000;
const MOST_MODULES = 500;

const declarationsOf = ({ walked }: StatementFacts): DeclarationPart => walked.declarations;

const saysOfModules = ({ module, exported }: StatementFacts): boolean => module !== undefined || exported.length > 0;

/** Until the statements are joined. */
const NOT_YET = noModuleFacts();

export function createJoiner(file: string): Joiner {
  let module = NOT_YET;
  let toolkitImports: ReadonlyMap<string, ImportFact> = new Map();
  const names = createNames();

  function joinModules(statements: readonly StatementFacts[], joined: ModuleFacts | undefined, toolkitModules: readonly string[]): void {
    module =
      joined ??
      joinModuleParts(
        statements.map((statement) => statement.module),
        toolkitModules,
      );
    toolkitImports = ofToolkit(module.imports, toolkitModules);
    for (let index = 0; index < statements.length; index++) {
      const { exported } = statements[index] as StatementFacts;
      if (exported.length > 0) addExportedValues(module, exported);
    }
  }

  return {
    join(text, statements, joined, toolkitModules, renewal, maySuppress) {
      if (renewal === undefined || renewal.gone.some(saysOfModules) || renewal.come.some(saysOfModules))
        joinModules(statements, joined, toolkitModules);
      const declared: DeclarationPart[] = [];
      const contexts: ContextFacts[] = [];
      const made: CallFact[] = [];
      const handedCalls: HandedCall[] = [];
      const braced: Value[] = [];
      const handedOver: HandedOver[] = [];
      const required = new Set<string>();
      const contextMembers: ContextMember[] = [];
      const definitions: GivenDefinition[] = [];
      const toolkitUses: ToolkitUse[] = [];
      const builderCalls: BuilderCall[] = [];
      const tokenAliases = new Set<string>();
      for (let index = 0; index < statements.length; index++) {
        const { walked } = statements[index] as StatementFacts;
        declared.push(walked.declarations);
        if (walked.context !== NO_CONTEXT) contexts.push(walked.context);
        // Nearly all of these lists are empty.
        for (let at = 0; at < walked.calls.length; at++) made.push(walked.calls[at] as CallFact);
        if (walked.handedCalls.length > 0) for (const call of walked.handedCalls) handedCalls.push(call);
        if (walked.texts.length > 0) for (const text of walked.texts) braced.push(text);
        for (let at = 0; at < walked.handedOver.length; at++) handedOver.push(walked.handedOver[at] as HandedOver);
        for (const name of walked.required) required.add(name);
        for (const member of walked.contextMembers) contextMembers.push(member);
        if (walked.definitions.length > 0) definitions.push(...walked.definitions);
        if (walked.toolkitUses.length > 0) for (const use of walked.toolkitUses) toolkitUses.push(use);
        if (walked.builderCalls.length > 0) for (const call of walked.builderCalls) builderCalls.push(call);
        if (walked.tokenAliases.size > 0) for (const alias of walked.tokenAliases) tokenAliases.add(alias);
      }
      const modules = required.size === 0 ? module.modules : [...new Set([...module.modules, ...required])];
      if (made.length > MOST_CALLS || handedCalls.length > MOST_CALLS || braced.length > MOST_TEXTS || modules.length > MOST_MODULES)
        throw new Involved();
      const declarations = names.of(declared, renewal && [...renewal.gone, ...renewal.come].map(declarationsOf));
      const direct = made.length === 0 ? made : made.filter((call) => !isOfAnObject(call, declarations));
      const isAdding = handedOver.some(({ adds }) => adds !== undefined);
      const calls = isAdding
        ? withAdditions(direct, handedOver, packNames(declared, direct, module, toolkitModules), declarations)
        : direct;
      const isToken = (part: Value): boolean =>
        part.kind === "reference" &&
        (part.path.at(-1) === "invocationToken" || (part.path.length === 1 && tokenAliases.has(part.path[0] ?? "")));
      let news = 0;
      const buildsBy: string[][] = [];
      for (let index = 0; index < calls.length; index++) {
        const { method, receiver, callee } = calls[index] as CallFact;
        if (method !== "newPack") continue;
        const root = receiver === "" ? callee : rootOf(receiver);
        if (toolkitImports.has(root) || isToolkitModule(REQUIRED_THERE.exec(receiver)?.[1] ?? "", toolkitModules)) news++;
        else if (module.imports.has(root)) buildsBy.push(receiver === "" ? [callee] : [...receiver.split("."), method]);
      }
      const { contextCalls, functions, endpointUses, secrets } = joinContextFacts(contexts);
      if (contextCalls.length > MOST_CONTEXT_CALLS || endpointUses.length > MOST_CONTEXT_CALLS) throw new Involved();
      return {
        file,
        text,
        modules,
        imports: module.imports,
        exports: module.exports,
        starExports: module.starExports,
        declarations,
        calls,
        // By name: what is spread into the middle of a literal is put there by V8's slow path.
        contextCalls,
        functions,
        endpointUses,
        secrets,
        braced,
        placeholders: braced.length === 0 ? [] : once(braced.flatMap((found) => findPlaceholders(found, text, isToken))),
        suppressions: maySuppress ? findSuppressions(file, text) : [],
        toolkitPrefix: prefixOf(toolkitImports),
        importsToolkit: toolkitImports.size > 0 || news > 0,
        builds: news || (toolkitImports.size > 0 && hasOldManifest(module.exports.keys(), declarations) ? 1 : 0),
        buildsBy,
        handedCalls,
        contextMembers,
        definitions,
        toolkitUses,
        builderCalls,
        packGoesTo: packGoesTo(handedOver, declared, calls, { imports: module.imports, modules }, declarations, toolkitModules),
      };
    },
  };
}

/** The facts of a file whose source cannot be looked at. */
export function noFacts(file: string, text: string, unread: Unread): FileFacts {
  const none = {
    calls: [],
    placeholders: [],
    braced: [],
    suppressions: [],
    toolkitPrefix: "",
    importsToolkit: false,
    builds: 0,
    buildsBy: [],
    handedCalls: [],
    contextMembers: [],
    definitions: [],
    toolkitUses: [],
    builderCalls: [],
    packGoesTo: [],
    ...joinContextFacts([]),
  };
  return { file, text, unread, ...noModuleFacts(), declarations: declaredNames([]), ...none };
}

/** `require("m").newPack()`. */
const REQUIRED_THERE = /^require\(\s*["'`]([^"'`]+)["'`]\s*\)$/;

/** The first name of `app.packs.pack`. */
function rootOf(receiver: string): string {
  const end = receiver.indexOf(".");
  return end < 0 ? receiver : receiver.slice(0, end);
}

function prefixOf(toolkitImports: ReadonlyMap<string, ImportFact>): string {
  for (const { name, local } of toolkitImports.values()) if (name === "*" || name === "default") return `${local}.`;
  return "";
}

/** A method of an object that is written out, and so is no pack. */
function isOfAnObject({ receiver, start }: CallFact, declarations: DeclaredNames): boolean {
  const value = receiver === "" ? undefined : find(declarations.get(receiver), start)?.value;
  return value?.kind === "object" && !value.open;
}

const OF_MANIFESTS: ReadonlySet<string> = new Set(["defaultAuthentication", "networkDomains", "formulas", "syncTables"]);

/** Packs from before newPack: an exported `manifest` object. */
function hasOldManifest(exported: Iterable<string>, declarations: DeclaredNames): boolean {
  for (const name of exported) {
    const value = name === "manifest" || name === "pack" ? find(declarations.get(name), TOP_LEVEL)?.value : undefined;
    if (value?.kind === "object" && value.properties.some((property) => OF_MANIFESTS.has(property.name))) return true;
  }
  return false;
}

/** With what is put into the lists of packs: `pack.formulas.push(formula)`. */
function withAdditions(
  calls: readonly CallFact[],
  handedOver: readonly HandedOver[],
  packs: ReadonlySet<string>,
  declarations: DeclaredNames,
): readonly CallFact[] {
  const added = handedOver.flatMap(({ what, adds }) =>
    adds !== undefined && packs.has(what) && !isOfAnObject(adds, declarations) ? [adds] : [],
  );
  return [...calls, ...added].sort((a, b) => a.start - b.start);
}

/** Who has these of CommonJS does what importers do. */
const OF_MODULE: ReadonlySet<string> = new Set(["module", "exports"]);

/** What the pack is handed to. */
function packGoesTo(
  handedOver: readonly HandedOver[],
  declared: readonly DeclarationPart[],
  calls: readonly CallFact[],
  module: Pick<ModuleFacts, "imports" | "modules">,
  declarations: DeclaredNames,
  toolkitModules: readonly string[],
): FileFacts["packGoesTo"] {
  if (handedOver.length === 0) return [];
  const packs = packNames(declared, calls, module, toolkitModules);
  return handedOver.flatMap(({ to, what, callee, adds }) => {
    if (adds !== undefined || !packs.has(what)) return [];
    return moduleOf(to, module, declarations, toolkitModules).map((name) =>
      callee === undefined ? { module: name } : { module: name, callee },
    );
  });
}

/** Names on which a pack's methods are called, or that are called pack; and what holds a pack, or hands it out. */
function packNames(
  declared: readonly DeclarationPart[],
  calls: readonly CallFact[],
  module: Pick<ModuleFacts, "imports">,
  toolkitModules: readonly string[],
): ReadonlySet<string> {
  const packs = new Set(["pack"]);
  for (let index = 0; index < calls.length; index++) {
    const { method, receiver } = calls[index] as CallFact;
    // What newPack is called on is the toolkit.
    if (method === "newPack" || packs.has(receiver)) continue;
    const root = rootOf(receiver);
    if (!isToolkitModule(module.imports.get(root)?.module ?? "", toolkitModules)) packs.add(receiver).add(root);
  }
  const named = [...packs];
  for (let index = 0; index < declared.length; index++) {
    const { aliases } = declared[index] as DeclarationPart;
    if (aliases.size > 0)
      for (const name of named) for (const alias of aliases.get(name) ?? []) if (!OF_MODULE.has(alias.name)) packs.add(alias.name);
  }
  return packs;
}

/**
 * The module that a function is imported from; an empty name for a function that is computed, or is a method of something that a package
 * may have made; nothing for one of the file itself.
 */
function moduleOf(
  name: string | undefined,
  module: Pick<ModuleFacts, "imports" | "modules">,
  declarations: DeclaredNames,
  toolkitModules: readonly string[],
): readonly string[] {
  if (name?.startsWith(REQUIRED)) return [name.slice(REQUIRED.length)];
  if (name === undefined || name === "Object" || name === "Reflect") return [""];
  const imported = module.imports.get(name);
  if (imported !== undefined) return [imported.module];
  const isOwn = name === "this" || find(declarations.get(name), TOP_LEVEL)?.value?.kind === "function";
  return isOwn || module.modules.every((other) => isOwnModule(other) || isToolkitModule(other, toolkitModules)) ? [] : [""];
}

/** A text that is a part of another one is read in both. */
function once(placeholders: readonly PlaceholderFact[]): readonly PlaceholderFact[] {
  const starts = new Set<number>();
  return placeholders.filter(({ start }) => !starts.has(start) && starts.add(start) !== undefined);
}
