// The facts of all files of a pack → one PackModel: what the whole pack says, whichever file says it.
import { isAuthTypeName } from "../../spec/auth-types.ts";
import { ENUMS } from "../../spec/fields.ts";
import { unknownAt } from "./changes.ts";
import { Completeness, hasUnreadableDefinition, isUnreadCode } from "./completeness.ts";
import { find, TOP_LEVEL } from "./declarations.ts";
import { createHandedValues, type HandedValues } from "./handed-values.ts";
import type { AuthConfig, CallFact, FileFacts, ObjectValue, PackModel, Place, PlaceholderFact, RunnableFact, Value } from "./model.ts";
import { packsBuiltBy, prefixByImport } from "./reexported-toolkit.ts";
import { createResolver, type PackSources } from "./resolve.ts";
import type { InstalledToolkit } from "./toolkit.ts";

/** The entry and everything of one's own that it imports. */
export function filesOf(entry: string, sources: PackSources): readonly string[] {
  const files = new Set<string>();
  const queue = [entry];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    const facts = files.has(file) ? undefined : sources.facts(file);
    if (facts === undefined) continue;
    files.add(file);
    for (const module of facts.modules) {
      const next = sources.isToolkit(module, file) ? undefined : sources.resolveModule(file, module);
      if (next !== undefined) queue.push(next);
    }
  }
  return [...files];
}

export function buildPack(entry: string, files: readonly string[], sources: PackSources, toolkit: InstalledToolkit): PackModel {
  const facts = files.flatMap((file) => sources.facts(file) ?? []);
  const resolve = createResolver(sources, files);
  const calls = facts.flatMap((file) => file.calls);
  const definitions = definitionsOf(facts, resolve);
  // A pack that no file exports is a fragment, such as a snippet: what it lacks may stand elsewhere. Of two packs, which has what is unknown.
  const builders = facts.map((file) => ({ file, count: packsBuiltBy(file, sources) })).filter(({ count }) => count > 0);
  const partial =
    builders.reduce((sum, { count }) => sum + count, 0) !== 1 ||
    !builders.some(({ file }) => ["pack", "manifest", "default"].some((name) => file.exports.has(name)));
  // Something else may add to it: what it is handed to, or a file that could not be looked at.
  const mayHaveMore =
    partial ||
    facts.some((file) => isUnreadCode(file)) ||
    facts.some((file) => file.packGoesTo.some((module) => module === "" || sources.resolveModule(file.file, module) === undefined));
  const complete = new Completeness({ facts, definitions, resolve, sources, mayHaveMore }, calls);
  const imported = toolkit.install === undefined ? undefined : toolkitImport(facts, sources);
  return {
    entry,
    files,
    partial,
    auths: [
      ...authsOfCalls(calls, resolve, createHandedValues(facts, resolve)),
      ...definitions.flatMap((definition) => authsOfDefinition(definition, resolve)),
    ],
    authsComplete: complete.auths,
    complete,
    domains: domainsOf(calls, definitions, resolve, mayHaveMore, facts),
    runnables: [...runnablesOf(calls, resolve), ...definitions.flatMap((definition) => runnablesOfDefinition(definition, resolve))],
    placeholders: facts.flatMap((file) => file.placeholders.map((placeholder) => named(placeholder, resolve))),
    facts,
    ...(toolkit.facts === undefined ? {} : { toolkit: toolkit.facts }),
    ...(imported === undefined || toolkit.install === undefined ? {} : { missingToolkit: { place: imported, install: toolkit.install } }),
    resolve,
    isToolkit: sources.isToolkit,
    // Of this model's own files: a fix may be made after the next edit, and belongs to the text that was looked at.
    text: (file) => (facts.find((known) => known.file === file) ?? sources.facts(file))?.text ?? "",
    toolkitPrefix: (file) => {
      const own = facts.find((known) => known.file === file) ?? sources.facts(file);
      return own === undefined ? "" : own.toolkitPrefix || prefixByImport(own, sources);
    },
  };
}

/** The first import of the toolkit: the module's name, without its quotes. */
function toolkitImport(facts: readonly FileFacts[], sources: PackSources): Place | undefined {
  for (const { file, text, modules } of facts) {
    // One that a path mapping leads to is there, wherever that is.
    const module = modules.find((name) => sources.isToolkit(name, file) && sources.resolveModule(file, name) === undefined) ?? "";
    for (let start = text.indexOf(module); module !== "" && start >= 0; start = text.indexOf(module, start + 1))
      if (/\b(?:from|import|require\s*\()\s*["']$/.test(text.slice(Math.max(0, start - 40), start)))
        return { file, start, end: start + module.length };
  }
  return undefined;
}

/** newPack({…}), and manifests from before it. */
function definitionsOf(facts: readonly FileFacts[], resolve: (value: Value) => Value): readonly ObjectValue[] {
  const given = facts.flatMap((file) =>
    file.calls.filter((call) => call.method === "newPack").flatMap((call) => call.arguments.slice(0, 1)),
  );
  const manifests = facts
    .filter((file) => file.importsToolkit)
    .flatMap((file) =>
      ["manifest", "pack"].flatMap((name) => (file.exports.has(name) ? (find(file.declarations.get(name), TOP_LEVEL)?.value ?? []) : [])),
    );
  return [...given, ...manifests].map(resolve).filter((value): value is ObjectValue => value.kind === "object");
}

function authsOfCalls(calls: readonly CallFact[], resolve: (value: Value) => Value, handed: HandedValues): readonly AuthConfig[] {
  return calls.flatMap((call): AuthConfig[] => {
    if (call.method !== "setUserAuthentication" && call.method !== "setSystemAuthentication") return [];
    const [argument] = call.arguments;
    const scope = call.method === "setUserAuthentication" ? "user" : "system";
    const place = { file: call.file, ...call.nameSpan };
    if (argument === undefined) return [];
    const own = configsOf(argument, resolve);
    const configs = own.length > 0 || call.conditional ? own : handed(call, argument).flatMap((value) => configsOf(value, resolve));
    return configs.map((config) => makeAuth(scope, place, config, resolve, call));
  });
}

function authsOfDefinition(definition: ObjectValue, resolve: (value: Value) => Value): readonly AuthConfig[] {
  return definition.properties.flatMap((property): AuthConfig[] => {
    const scope = AUTH_PROPERTIES[property.name];
    if (scope === undefined) return [];
    const place = { file: property.value.file, ...property.nameSpan };
    return configsOf(property.value, resolve).map((config) => ({ ...makeAuth(scope, place, config, resolve), definition }));
  });
}

const AUTH_PROPERTIES: Readonly<Record<string, AuthConfig["scope"] | undefined>> = {
  defaultAuthentication: "user",
  systemConnectionAuthentication: "system",
};

/** The configurations that a value may be: both of a condition. */
function configsOf(value: Value, resolve: (value: Value) => Value): readonly ObjectValue[] {
  if (value.kind === "choice") return value.options.flatMap((option) => configsOf(option, resolve));
  const resolved = resolve(value);
  return resolved.kind === "object" ? [resolved] : [];
}

function makeAuth(
  scope: AuthConfig["scope"],
  place: Place,
  config: ObjectValue,
  resolve: (value: Value) => Value,
  call?: CallFact,
): AuthConfig {
  const typeProperty = config.properties.findLast((property) => property.name === "type");
  const type = typeProperty === undefined ? undefined : typeName(resolve(typeProperty.value));
  return {
    scope,
    place,
    config,
    ...(call === undefined ? {} : { call }),
    ...(typeProperty === undefined ? {} : { typeProperty }),
    ...(type === undefined ? {} : { type }),
  };
}

/** The type's name by an enum member or by its value; also of a name that no type has. */
export function typeName(value: Value): string | undefined {
  if (value.kind === "member" && value.enum === "AuthenticationType") return value.name;
  if (value.kind !== "string") return undefined;
  const member = Object.entries(ENUMS.AuthenticationType).find(([, text]) => text === value.value)?.[0];
  return member !== undefined && isAuthTypeName(member) ? member : value.value;
}

function domainsOf(
  calls: readonly CallFact[],
  definitions: readonly ObjectValue[],
  resolve: (value: Value) => Value,
  mayHaveMore: boolean,
  facts: readonly FileFacts[],
): PackModel["domains"] {
  let complete = !mayHaveMore;
  const declared: { value: string; place: Value; conditional: boolean }[] = [];
  const add = (value: Value | undefined, conditional: boolean): void => {
    if (value?.kind === "choice") {
      for (const option of value.options) add(option, true);
      return;
    }
    const resolved = value === undefined ? undefined : resolve(value);
    const items = resolved?.kind === "unknown" && resolved.each !== undefined ? resolve(resolved.each) : undefined;
    if (value !== undefined && items !== undefined)
      add(items.kind === "array" && isTakenAsItIs(value, facts) ? items : unknownAt(items), true);
    else if (value !== undefined && resolved?.kind === "string") declared.push({ value: resolved.value, place: value, conditional });
    else if (resolved?.kind === "array") {
      if (resolved.open) complete = false;
      for (const item of resolved.items) add(item, conditional);
    } else complete = false;
  };
  for (const call of calls) {
    if (call.method !== "addNetworkDomain") continue;
    if (call.arguments.length === 0) complete = false;
    for (const argument of call.arguments) add(argument, call.conditional);
  }
  for (const definition of definitions) {
    const property = definition.properties.findLast((candidate) => candidate.name === "networkDomains");
    if (property !== undefined) add(property.value, false);
    else if (definition.open) complete = false;
  }
  // A pack whose definition is not readable (newPack(base)) may have domains in it.
  if (hasUnreadableDefinition(calls, resolve)) complete = false;
  return { declared, complete, any: declared.length > 0 || !complete };
}

/** Whether nothing is done with the name of a list's items but to hand it on once: a look at it may leave some of them out. */
function isTakenAsItIs(value: Value, facts: readonly FileFacts[]): boolean {
  const file = facts.find((known) => known.file === value.file);
  if (value.kind !== "reference" || value.path.length !== 1 || file === undefined) return false;
  const [name = ""] = value.path;
  const scope = find(file.declarations.get(name), value.start);
  const uses =
    scope === undefined
      ? []
      : file.text.slice(scope.start, scope.end).matchAll(new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$])`, "g"));
  return [...uses].length === 2;
}

function runnablesOf(calls: readonly CallFact[], resolve: (value: Value) => Value): readonly RunnableFact[] {
  return calls.flatMap((call): readonly RunnableFact[] => {
    const kind = RUNNABLES[call.method];
    const argument = call.arguments[0];
    if (kind === undefined || argument === undefined) return [];
    return runnable(kind, argument, { file: call.file, start: call.start, end: call.nameSpan.end }, resolve);
  });
}

const RUNNABLES: Readonly<Record<string, RunnableFact["kind"] | undefined>> = {
  addFormula: "formula",
  addSyncTable: "syncTable",
  addDynamicSyncTable: "syncTable",
  formulas: "formula",
  syncTables: "syncTable",
};

/** Those that newPack is given. */
function runnablesOfDefinition(definition: ObjectValue, resolve: (value: Value) => Value): readonly RunnableFact[] {
  return definition.properties.flatMap(({ name, value }): readonly RunnableFact[] => {
    const kind = RUNNABLES[name];
    const list = kind === undefined ? undefined : resolve(value);
    if (kind === undefined || list?.kind !== "array") return [];
    return list.items.flatMap((item) => runnable(kind, item, item, resolve));
  });
}

function runnable(kind: RunnableFact["kind"], given: Value, place: Place, resolve: (value: Value) => Value): readonly RunnableFact[] {
  const definition = resolve(given);
  if (definition.kind !== "object") return [];
  const name = definition.properties.find((property) => property.name === "name");
  const text = name === undefined ? undefined : resolve(name.value);
  const { file, start, end } = place;
  return [{ kind, place: { file, start, end }, definition, ...(text?.kind === "string" ? { name: text.value } : {}) }];
}

/** With a name that is put together from constants. */
function named(placeholder: PlaceholderFact, resolve: (value: Value) => Value): PlaceholderFact {
  const parts = placeholder.parts?.map(resolve);
  if (parts === undefined || !parts.every((part) => part.kind === "string")) return placeholder;
  return { ...placeholder, name: parts.map((part) => part.value).join("") };
}
