// Builds one PackModel from the facts of all files of a pack.

import { isAuthTypeName } from "../../../spec/auth-types.ts";
import { ENUMS } from "../../../spec/fields.ts";
import { publishedRedirect } from "../../../spec/published-redirect.ts";
import { configFields, propertyOf } from "../configuration/config.ts";
import type { BuilderCall, CallFact, FileFacts, PlaceholderFact } from "../model/facts.ts";
import type { AdminAuthentication, AuthConfig, PackModel, PackSources, ToolkitFacts } from "../model/pack.ts";
import type { Expression, FileSpan, ObjectValue, Place, Resolve, Value } from "../model/values.ts";
import { joinPath, parent } from "../modules/paths.ts";
import { prefixByImport } from "../modules/reexported-toolkit.ts";
import type { InstalledToolkit } from "../modules/toolkit.ts";
import { builds, openPath } from "../syntax/expressions.ts";
import { isBuilderMethod, PACK_METHODS } from "../syntax/pack-methods.ts";
import { completenessOf, hasUnreadableDefinition, isUnreadCode } from "./completeness.ts";
import { domainsOf } from "./declared-domains.ts";
import {
  assignedDefinitions,
  definitionsOf,
  mayBePack,
  OLD_NAMES,
  runnablesOf,
  runnablesOfDefinition,
  serversOf,
  serversOfDefinition,
} from "./definitions.ts";
import { keyText } from "./look-up.ts";
import { loopItems } from "./loop-items.ts";
import { packsBuiltBy } from "./pack-index.ts";
import { createParameterBinding, type ParameterBinding, withHelpers } from "./parameter-binding.ts";
import type { Resolver } from "./resolve.ts";
import { createMemo } from "./resolvers.ts";

export function buildPack(
  entry: string,
  files: readonly string[],
  sources: PackSources,
  names: Resolver,
  toolkit: InstalledToolkit,
): PackModel {
  const { resolve, options } = names;
  const allFacts = withMethods(
    files.flatMap((file) => sources.facts(file) ?? []),
    names,
  );
  const vainCalls = new Map(allFacts.flatMap(({ calls }) => vainCallsIn(calls, allFacts, resolve)));
  const facts = allFacts.map((file) =>
    vainCalls.size === 0 ? file : { ...file, calls: file.calls.filter((call) => !vainCalls.has(call)) },
  );
  const calls = facts.flatMap((file) => file.calls);
  const newPacks = definitionsOf(calls, facts, resolve, sources);
  const assigned = assignedDefinitions(facts, calls, newPacks, resolve);
  const definitions = assigned.length === 0 ? newPacks : [...newPacks, ...assigned];
  const partial = isPartial(facts, sources, resolve);
  const mayHaveMore =
    partial ||
    [...vainCalls.values()].includes(undefined) ||
    allFacts.some(passesSetter) ||
    mayBeExtended(facts, calls, sources, names, toolkit.facts);
  const complete = completenessOf({ facts, calls, definitions, sources, mayHaveMore, resolve, options });
  const imported = toolkit.install === undefined ? undefined : toolkitImport(facts, sources);
  const bound = createParameterBinding(facts, names);
  const auths = [
    ...authsOfCalls(calls, names, bound, facts),
    ...definitions.flatMap((definition) => authsOfDefinition(definition, names, !assigned.includes(definition))),
  ];
  const runnables = [...runnablesOf(calls, resolve), ...definitions.flatMap((definition) => runnablesOfDefinition(definition, resolve))];
  /**
   * Returns the facts that this model was built from. A fix may be computed after the next edit, but applies to the text that was checked.
   */
  const factsOf = (file: string): FileFacts | undefined => facts.find((fileFacts) => fileFacts.file === file) ?? sources.facts(file);
  const pack: { -readonly [Key in keyof PackModel]: PackModel[Key] } = {
    entry,
    files,
    partial,
    auths,
    authsComplete: complete.auths,
    complete,
    adminAuthentications: adminsOf(calls, names),
    domains: domainsOf(calls, definitions, names, bound, mayHaveMore, facts),
    runnables,
    mcpServers: [...serversOf(calls, resolve, facts), ...definitions.flatMap((definition) => serversOfDefinition(definition, resolve))],
    placeholders: withHelpers(
      facts.flatMap(({ placeholders }) => placeholders).map((placeholder) => named(placeholder, resolve)),
      facts,
      resolve,
    ),
    facts,
    resolve,
    options,
    isToolkit: sources.isToolkit,
    resolveModule: sources.resolveModule,
    closestToolkit: sources.closestToolkit,
    publishedRedirect: () => publishedRedirect((name) => sources.read(joinPath(parent(entry), name))),
    evidence: sources.evidence(entry),
    text: (file) => factsOf(file)?.text ?? "",
    functionAt: (place) => factsOf(place.file)?.functionAt(place),
    toolkitPrefix: (file) => {
      const own = factsOf(file);
      return own === undefined ? "" : own.toolkitPrefix || prefixByImport(own, sources);
    },
    memo: createMemo(),
    resolverMemo: names.memo,
  };
  if (toolkit.facts !== undefined) pack.toolkit = toolkit.facts;
  if (imported !== undefined && toolkit.install !== undefined) pack.missingToolkit = { place: imported, install: toolkit.install };
  return pack;
}

/**
 * Returns the calls that set nothing: of the pack's own methods and functions that are named like a builder's, and those that never run.
 * Undefined for a call that may be one.
 */
function vainCallsIn(
  calls: readonly CallFact[],
  all: readonly FileFacts[],
  resolve: Resolve,
): readonly (readonly [CallFact, true | undefined])[] {
  // Few packs have such a name, so that few calls are resolved at a key.
  const ownNames = new Set(
    [...new Set(calls.map(({ callee }) => callee))].filter((name) =>
      all.some(({ uses, declarations }) => uses("defines", name) || declarations.get(name) !== undefined),
    ),
  );
  const isOwn = ({ callee, called, runs }: CallFact): boolean | undefined => {
    if (runs !== undefined && resolve(runs).kind === "undefined") return true;
    if (!ownNames.has(callee)) return false;
    const method = resolve(called);
    if (method.kind === "function") return true;
    // A method that code replaces may do anything.
    if (all.some(({ uses }) => uses("assigns", callee))) return undefined;
    if (called.kind === "reference" && called.path.length === 1) return openPath(method)?.length === 1 ? undefined : false;
    const receiver = receiverOf(called);
    const object = receiver && resolve(receiver);
    return object !== undefined && mayBePack(object) ? false : object?.kind === "instance" || undefined;
  };
  return calls.flatMap((call) => {
    const own = isOwn(call);
    return own === false ? [] : [[call, own] as const];
  });
}

/** Returns the facts with each call of a computed name as calls of the methods that the name may be. */
function withMethods(all: readonly FileFacts[], names: Resolver): readonly FileFacts[] {
  const bound = createParameterBinding(all, names);
  const named = (call: CallFact): readonly CallFact[] => {
    const methods = call.key && bound(call, call.key).map((key) => keyText(names.resolve(key)) ?? "");
    const called = methods?.filter((method) => PACK_METHODS.has(method)) ?? [];
    return methods === undefined ? [call] : [...new Set(called)].map((method) => ({ ...call, method, callee: method }));
  };
  return all.map((file) => (file.calls.some(({ key }) => key) ? { ...file, calls: file.calls.flatMap(named) } : file));
}

/** Whether code reads a setter without calling it there. Other code may call it. */
const passesSetter = ({ uses, calls }: FileFacts): boolean =>
  ["addNetworkDomain", ...SETTERS.keys()].some((name) => uses("reads", name) && !calls.some(({ method }) => method === name));

/** Returns the object whose method is called; for a chain of calls, that of the first. */
function receiverOf(called: Expression): Expression | undefined {
  if (called.kind === "reference") return called.path.length < 2 ? undefined : { ...called, path: called.path.slice(0, -1) };
  const object = called.kind === "lookUp" ? called.object : undefined;
  return (object?.kind === "call" ? receiverOf(object.callee) : undefined) ?? object;
}

/**
 * Whether the pack may be elsewhere, too. A pack that no file exports is a fragment, such as a snippet. With two packs, it is unknown which
 * has what.
 */
function isPartial(facts: readonly FileFacts[], sources: PackSources, resolve: Resolve): boolean {
  let built = 0;
  let isExported = false;
  for (const file of facts) {
    const count = packsBuiltBy(file, sources);
    built += count;
    if (
      count > 0 ? PACK_EXPORTS.some((name) => file.exports.has(name)) : PACK_EXPORTS.some((name) => isPack(exportOf(file, name), resolve))
    )
      isExported = true;
  }
  return built !== 1 || !isExported;
}

/** Whether other code may add to the pack: a function that receives it, an unread file, or a definition that could not be read. */
function mayBeExtended(
  facts: readonly FileFacts[],
  calls: readonly CallFact[],
  sources: PackSources,
  names: Resolver,
  toolkit: ToolkitFacts | undefined,
): boolean {
  return (
    hasUnreadableDefinition(calls, names.resolve) ||
    facts.some(isUnreadCode) ||
    facts.some(({ builderCalls }) => builderCalls.some((call) => isInventedMethod(call, toolkit, names.resolve))) ||
    facts.some((file) =>
      file.packGoesTo.some(
        ({ module, callee }) =>
          (module === "" || sources.resolveModule(file.file, module) === undefined) && !(callee && isOwnCode(callee, names)),
      ),
    )
  );
}

/**
 * Whether the call is a method that does not exist, such as `pack.setAuthentication(…)`. What the author meant to add by it is not reported
 * as missing.
 */
const isInventedMethod = ({ name, receiver, isTyped }: BuilderCall, toolkit: ToolkitFacts | undefined, resolve: Resolve): boolean =>
  /^(?:add|set)[A-Z]/.test(name) &&
  !isBuilderMethod(name) &&
  toolkit?.builder?.has(name) !== true &&
  (isTyped || isPack(receiver, resolve));

/** Whether the callee is a function or class of the pack's files, which are read themselves. */
function isOwnCode(callee: Expression, names: Resolver): boolean {
  return names.options(callee).every((one) => {
    const resolved = names.resolve(one);
    if (resolved.kind !== "item") return resolved.kind === "function" || resolved.kind === "object";
    const all = names.resolve(resolved.list);
    return all.kind === "array" && !all.open && all.items.every((item) => isOwnCode(item, names));
  });
}

/** Returns the place of the module's name in the first import of the SDK, without its quotes. */
function toolkitImport(facts: readonly FileFacts[], sources: PackSources): Place | undefined {
  for (const { file, text, modules } of facts) {
    // A module that a path mapping resolves is installed.
    const module = modules.find((name) => sources.isToolkit(name, file) && sources.resolveModule(file, name) === undefined) ?? "";
    for (let start = text.indexOf(module); module !== "" && start >= 0; start = text.indexOf(module, start + 1))
      if (/\b(?:from|import|require\s*\()\s*["']$/.test(text.slice(Math.max(0, start - 40), start)))
        return { file, start, end: start + module.length };
  }
  return undefined;
}

const PACK_EXPORTS = [...OLD_NAMES, "default"] as const;

/** Returns a reference to what the file exports by the name, including re-exports. It is resolved like `exports.name`. */
function exportOf({ file, exports }: FileFacts, name: string): Expression | undefined {
  const place: FileSpan = { file, start: 0, end: 0 };
  return exports.has(name) ? { kind: "reference", place, path: ["exports", name], nameSpan: place } : undefined;
}

/** Whether the value is a pack, including one that another file's function builds. */
function isPack(value: Expression | undefined, resolve: Resolve): boolean {
  return value !== undefined && builds(resolve(value), "pack");
}

/** Maps, since a property named `constructor` would be found in an object. */
type Scopes = ReadonlyMap<string, AuthConfig["scope"]>;
const SETTERS: Scopes = new Map([
  ["setUserAuthentication", "user"],
  ["setSystemAuthentication", "system"],
]);
const AUTH_PROPERTIES: Scopes = new Map([
  ["defaultAuthentication", "user"],
  ["systemConnectionAuthentication", "system"],
]);

const authsOfCalls = (
  calls: readonly CallFact[],
  names: Resolver,
  bound: ParameterBinding,
  facts: readonly FileFacts[],
): readonly AuthConfig[] =>
  calls.flatMap((call) => {
    const scope = SETTERS.get(call.method);
    const argument = firstArgument(call);
    if (scope === undefined || argument === undefined) return [];
    const values = call.conditional ? [argument] : names.options(argument).flatMap((one) => bound(call, one));
    const configs = values.flatMap((value) => loopItems(value, names.resolve, facts));
    return configs.flatMap((value) => configsOf(value, names)).map((config) => makeAuth(scope, call.nameSpan, config, names.resolve, call));
  });

/** Returns the first argument, which may be the first item of a spread list. */
export function firstArgument({ arguments: [argument] }: CallFact): Expression | undefined {
  if (argument?.kind !== "array" || !argument.open) return argument;
  const { place } = argument;
  return { kind: "lookUp", place, object: argument, key: { kind: "number", place, value: 0 } };
}

function adminsOf(calls: readonly CallFact[], names: Resolver): readonly AdminAuthentication[] {
  return calls.flatMap(({ method, arguments: [argument], nameSpan }) => {
    const definition = method === "addAdminAuthentication" && argument !== undefined ? names.resolve(argument) : undefined;
    if (definition?.kind !== "object") return [];
    const authentication = propertyOf(definition, "authentication");
    const configs = authentication === undefined ? [] : configsOf(authentication.value, names);
    const auths = configs.map((config) => ({
      ...makeAuth("user", authentication?.nameSpan ?? nameSpan, config, names.resolve),
      isAdmin: true,
    }));
    return [{ place: nameSpan, definition, auths }];
  });
}

/** Returns the configurations of a definition. An assigned part is not a whole definition, so fixes cannot add to it. */
function authsOfDefinition(definition: ObjectValue, names: Resolver, isWhole: boolean): readonly AuthConfig[] {
  return definition.properties.flatMap((property): AuthConfig[] => {
    const scope = AUTH_PROPERTIES.get(property.name);
    if (scope === undefined) return [];
    return configsOf(property.value, names).map((config) => ({
      ...makeAuth(scope, property.nameSpan, config, names.resolve),
      ...(isWhole ? { definition } : {}),
    }));
  });
}

/** Returns the configurations that a value may be, such as both options of a condition. */
const configsOf = (value: Expression, { resolve, options }: Resolver): readonly ObjectValue[] =>
  options(value).flatMap((option) => {
    const resolved = resolve(option);
    if (resolved.kind === "object") return [resolved];
    const copy: ObjectValue = { ...ofFields, place: option.place, spreads: [{ before: 0, value: resolved }] };
    const fields = resolved.kind === "instance" ? resolve(copy) : undefined;
    return fields?.kind === "object" && !fields.open ? [fields] : [];
  });

const ofFields = { kind: "object", properties: [], open: true, trailingComma: false } as const;

export function makeAuth(scope: AuthConfig["scope"], place: Place, config: ObjectValue, resolve: Resolve, call?: CallFact): AuthConfig {
  const typeProperty = propertyOf(config, "type");
  const type = typeProperty === undefined ? undefined : typeName(resolve(typeProperty.value));
  const auth: { -readonly [Key in keyof AuthConfig]: AuthConfig[Key] } = { scope, isAdmin: false, place, config };
  if (call !== undefined) auth.call = call;
  if (typeProperty !== undefined) auth.typeProperty = typeProperty;
  if (type !== undefined) auth.type = type;
  if (type !== undefined && isAuthTypeName(type)) auth.fields = configFields(type, scope, config);
  return auth;
}

/** Returns the type's name for an enum member or its string value; an unknown name is returned as it is. */
export function typeName(value: Value): string | undefined {
  if (value.kind === "member" && value.enum === "AuthenticationType") return value.name;
  if (value.kind !== "string") return undefined;
  const member = Object.entries(ENUMS.AuthenticationType).find(([, text]) => text === value.value)?.[0];
  return member !== undefined && isAuthTypeName(member) ? member : value.value;
}

/** Returns the placeholder with its name joined from constants. */
function named(placeholder: PlaceholderFact, resolve: Resolve): PlaceholderFact {
  const parts = placeholder.parts?.map(resolve);
  if (parts === undefined || !parts.every((part) => part.kind === "string")) return placeholder;
  return { ...placeholder, name: parts.map((part) => part.value).join("") };
}
