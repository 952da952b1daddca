// The facts of one statement, and how the facts of all statements combine into the facts of the file. Only `source.ts` keeps a tree.
import type { ts } from "ts-morph";
import { defined } from "../../../base/defined.ts";
import type { FileFacts, ImportFact, PlaceholderFact, Unread } from "../model/facts.ts";
import type { Expression } from "../model/values.ts";
import { joinContextFacts } from "../syntax/context-facts.ts";
import type { EvaluateContext } from "../syntax/evaluate.ts";
import {
  addExportedValues,
  type ExportedValue,
  joinModuleParts,
  type ModuleFacts,
  type ModulePart,
  noModuleFacts,
  readExportedValues,
} from "../syntax/module-facts.ts";
import { type DeclarationPart, haveSameEffects } from "../syntax/names/declarations.ts";
import { declaredNames } from "../syntax/names/declared-names.ts";
import { findPlaceholders } from "../syntax/placeholders.ts";
import { isToolkitModule } from "../syntax/toolkit-names.ts";
import type { Walked } from "../syntax/walk/walked.ts";
import { walk } from "../syntax/walk.ts";
import { Involved } from "../text/involved.ts";
import { countPacks, packCalls, packEscapes, packNames, withAdditions, withAliasCalls } from "./packs.ts";

/** The statements that an edit removed and those that replaced them. The others may have moved. */
interface Renewal {
  readonly removedStatements: readonly StatementFacts[];
  readonly come: readonly StatementFacts[];
}

interface Statements extends Pick<FileFacts, "suppressions" | "functionAt" | "classAt" | "callsOf" | "calledPaths" | "mistake"> {
  readonly text: string;
  readonly statements: readonly StatementFacts[];
  /** The combined module facts of the statements, if they were already computed; they are modified. */
  readonly joined: ModuleFacts | undefined;
  readonly toolkitModules: readonly string[];
  /** Absent if all statements are new. */
  readonly renewal: Renewal | undefined;
}

const declarationsOf = ({ walked }: StatementFacts): DeclarationPart => walked.declarations;

const saysOfModules = ({ module, exported }: StatementFacts): boolean => module !== undefined || exported.length > 0;

/**
 * Returns a function that combines the facts of one file's statements after each edit. Most edits touch one statement, and leave modules
 * and names unchanged.
 */
export function createFileFacts(file: string): (statements: Statements) => FileFacts {
  let module = noModuleFacts();
  let fileScope = {};
  let toolkitImports: ReadonlyMap<string, ImportFact> = new Map();

  return ({ text, statements, joined, toolkitModules, renewal, suppressions, mistake, functionAt, classAt, callsOf, calledPaths }) => {
    const areModulesNew = renewal === undefined || [...renewal.removedStatements, ...renewal.come].some(saysOfModules);
    if (areModulesNew) {
      const parts = statements.map((statement) => statement.module);
      module = joined ?? joinModuleParts(parts, toolkitModules);
      toolkitImports = ofToolkit(module.imports, toolkitModules);
      for (const { exported } of statements) addExportedValues(module, exported);
    }
    // Most statements have no fact of a kind, so their lists are not iterated over.
    const all = <Fact>(factsOf: (walked: Walked) => readonly Fact[]): Fact[] => {
      const facts: Fact[] = [];
      for (let index = 0; index < statements.length; index++) {
        const own = factsOf((statements[index] as StatementFacts).walked);
        if (own.length > 0) for (const fact of own) facts.push(fact);
      }
      return facts;
    };
    if (areModulesNew || !haveSameEffects(renewal.removedStatements.map(declarationsOf), renewal.come.map(declarationsOf))) fileScope = {};
    const required = all((walked) => walked.required);
    const modules = required.length === 0 ? module.modules : [...new Set([...module.modules, ...required])];
    const braced = all((walked) => walked.texts);
    const sourceCalls = all((walked) => walked.calls);
    const { contextCalls, functions, endpointUses, secrets } = joinContextFacts(statements.map(({ walked }) => walked.context));
    assertLimits({ calls: sourceCalls, braced, modules, contextCalls, endpointUses });
    const parts = statements.map(declarationsOf);
    const declarations = declaredNames(parts);
    const { imports, exports, starExports } = module;
    const aliases = all((walked) => walked.methodAliases);
    const own = packCalls(aliases.length === 0 ? sourceCalls : withAliasCalls(sourceCalls, aliases, callsOf, declarations), declarations);
    const escapes = all((walked) => walked.escapes);
    const packs = escapes.length === 0 ? new Set<string>() : packNames(parts, own, imports, toolkitModules);
    const calls = withAdditions(own, escapes, packs, declarations);
    const isToken = tokenTest(new Set(statements.flatMap(({ walked }) => [...walked.tokenAliases])));
    const { builds, buildsBy, importsToolkit } = countPacks({ imports, exports, calls, declarations }, toolkitImports, toolkitModules);
    return {
      file,
      text,
      functionAt,
      classAt,
      callsOf,
      calledPaths,
      modules,
      imports,
      exports,
      starExports,
      fileScope,
      declarations,
      calls,
      contextCalls,
      functions,
      endpointUses,
      secrets,
      braced,
      placeholders: withoutRepeated(braced.flatMap((template) => findPlaceholders(template, text, isToken))),
      suppressions,
      ...defined({ mistake }),
      toolkitPrefix: prefixOf(toolkitImports),
      importsToolkit,
      builds,
      buildsBy,
      contextMembers: all((walked) => walked.contextMembers),
      definitions: all((walked) => walked.definitions),
      toolkitUses: all((walked) => walked.toolkitUses),
      builderCalls: all((walked) => walked.builderCalls),
      awaits: all((walked) => walked.awaits),
      bracedTexts: all((walked) => walked.bracedTexts),
      globalUses: all((walked) => walked.globalUses),
      requirements: all((walked) => walked.requirements),
      uses: (how, name) => statements.some(({ walked }) => walked.names[how].has(name)),
      packGoesTo: packEscapes(escapes, packs, { imports, modules, declarations }, toolkitModules),
    };
  };
}

const NO_STATEMENTS = {
  statements: [],
  joined: undefined,
  toolkitModules: [],
  renewal: undefined,
  suppressions: [],
  functionAt: () => undefined,
  classAt: () => undefined,
  callsOf: () => [],
  calledPaths: () => [],
};

/** Returns the facts of a file that was not analysed. */
export const noFacts = (file: string, text: string, unread: Unread): FileFacts => ({
  ...createFileFacts(file)({ ...NO_STATEMENTS, text }),
  unread,
});

/** Returns a test for whether a part of a string is the invocation token, by its own name or by an alias. */
const tokenTest =
  (aliases: ReadonlySet<string>) =>
  (part: Expression): boolean =>
    part.kind === "reference" && (part.path.at(-1) === "invocationToken" || (part.path.length === 1 && aliases.has(part.path[0] ?? "")));

function prefixOf(toolkitImports: ReadonlyMap<string, ImportFact>): string {
  const namespace = [...toolkitImports.values()].find(({ name }) => name === "*" || name === "default");
  return namespace === undefined ? "" : `${namespace.local}.`;
}

/** Removes repeated placeholders: a string that is part of another is read in both. */
function withoutRepeated(placeholders: readonly PlaceholderFact[]): readonly PlaceholderFact[] {
  const starts = new Set<number>();
  return placeholders.filter(({ place: { start } }) => !starts.has(start) && starts.add(start) !== undefined);
}

/** The facts of one top-level statement. Their meaning depends on the other statements of the file. */
export interface StatementFacts {
  readonly module: ModulePart | undefined;
  readonly walked: Walked;
  readonly exported: readonly ExportedValue[];
}

export function readStatement(statement: ts.Statement, module: ModulePart | undefined, context: EvaluateContext): StatementFacts {
  return { module, walked: walk(statement, context), exported: readExportedValues(statement, context) };
}

/** Returns the imports of the SDK by their local names. */
export function ofToolkit(imports: ReadonlyMap<string, ImportFact>, toolkitModules: readonly string[]): Map<string, ImportFact> {
  const byLocalName = new Map<string, ImportFact>();
  for (const imported of imports.values()) if (isToolkitModule(imported.module, toolkitModules)) byLocalName.set(imported.local, imported);
  return byLocalName;
}

/** Limits that no handwritten source exceeds. */
const LIMITS = { calls: 2_000, braced: 2_000, modules: 500, contextCalls: 2_000, endpointUses: 2_000 } as const;

type Limited = keyof typeof LIMITS;

/** Throws {@link Involved} if a source exceeds a limit. */
function assertLimits(facts: Pick<FileFacts, Limited>): void {
  for (const [name, most] of Object.entries(LIMITS)) if (facts[name as Limited].length > most) throw new Involved();
}
