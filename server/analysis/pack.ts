// The facts of all files of a pack → one PackModel: what the whole pack says, whichever file says it.
import { isAuthTypeName } from "../../spec/auth-types.ts";
import { ENUMS } from "../../spec/fields.ts";
import type { AuthConfig, CallFact, FileFacts, ObjectValue, PackModel, Place, RunnableFact, ToolkitFacts, Value } from "./model.ts";

export interface PackSources {
  /** Facts of a file; undefined where it cannot be read. */
  facts(file: string): FileFacts | undefined;
  /** A relative import → a file. */
  resolveModule(from: string, module: string): string | undefined;
}

/** The entry and everything it imports by relative path. */
export function filesOf(entry: string, sources: PackSources): readonly string[] {
  const files = new Set<string>();
  const queue = [entry];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    const facts = files.has(file) ? undefined : sources.facts(file);
    if (facts === undefined) continue;
    files.add(file);
    for (const module of facts.modules) {
      const next = module.startsWith(".") ? sources.resolveModule(file, module) : undefined;
      if (next !== undefined) queue.push(next);
    }
  }
  return [...files];
}

export function buildPack(entry: string, sources: PackSources, toolkit: ToolkitFacts | undefined): PackModel {
  const files = filesOf(entry, sources);
  const facts = files.flatMap((file) => sources.facts(file) ?? []);
  const resolve = (value: Value): Value => resolveValue(value, sources, 0);
  const calls = facts.flatMap((file) => file.calls);
  const definitions = definitionsOf(facts, resolve);
  // A pack that no file exports is a fragment, such as a snippet: what it lacks may stand elsewhere.
  const partial = !facts.some((file) => file.buildsPack && ["pack", "manifest", "default"].some((name) => file.exports.has(name)));
  return {
    entry,
    files,
    partial,
    auths: [...authsOfCalls(calls, resolve), ...definitions.flatMap((definition) => authsOfDefinition(definition, resolve))],
    domains: domainsOf(calls, definitions, resolve, partial),
    runnables: runnablesOf(calls, resolve),
    placeholders: facts.flatMap((file) => file.placeholders),
    fetchedHosts: fetchedHosts(calls, resolve),
    ...(toolkit === undefined ? {} : { toolkit }),
    resolve,
    text: (file) => sources.facts(file)?.text ?? "",
    toolkitPrefix: (file) => sources.facts(file)?.toolkitPrefix ?? "",
  };
}

/** Follows a name through constants, imports and exports of the pack's files; what cannot be followed is unknown. */
function resolveValue(value: Value, sources: PackSources, depth: number): Value {
  if (depth > 20) return unknown(value);
  if (value.kind === "template") return joinTemplate(value, sources, depth);
  if (value.kind !== "reference") return value;
  const [head = "", ...rest] = value.path;
  const facts = sources.facts(value.file);
  if (facts === undefined) return unknown(value);
  const constant = facts.constants.get(head);
  if (constant !== undefined) return member(resolveValue(constant, sources, depth + 1), rest, sources, depth);
  const imported = facts.imports.get(head);
  if (imported === undefined) return unknown(value);
  const file = imported.module.startsWith(".") ? sources.resolveModule(value.file, imported.module) : undefined;
  if (file === undefined) return unknown(value);
  if (imported.name === "*") {
    const [name, ...more] = rest;
    return name === undefined ? unknown(value) : member(exported(file, name, value, sources, depth + 1), more, sources, depth);
  }
  return member(exported(file, imported.name, value, sources, depth + 1), rest, sources, depth);
}

function exported(file: string, name: string, at: Value, sources: PackSources, depth: number): Value {
  const facts = sources.facts(file);
  if (facts === undefined || depth > 20) return unknown(at);
  const found = facts.exports.get(name);
  if (found !== undefined) {
    if ("value" in found) return resolveValue(found.value, sources, depth + 1);
    if ("local" in found) return resolveValue({ kind: "reference", path: [found.local], file, start: 0, end: 0 }, sources, depth + 1);
    const next = sources.resolveModule(file, found.module);
    return next === undefined ? unknown(at) : exported(next, found.name, at, sources, depth + 1);
  }
  for (const module of facts.starExports) {
    const next = module.startsWith(".") ? sources.resolveModule(file, module) : undefined;
    const value = next === undefined ? undefined : exported(next, name, at, sources, depth + 1);
    if (value !== undefined && value.kind !== "unknown") return value;
  }
  return unknown(at);
}

function member(value: Value, path: readonly string[], sources: PackSources, depth: number): Value {
  let current = value;
  for (const name of path) {
    if (current.kind !== "object") return unknown(value);
    const property = current.properties.findLast((candidate) => candidate.name === name);
    if (property === undefined) return unknown(value);
    current = resolveValue(property.value, sources, depth + 1);
  }
  return current;
}

function joinTemplate(value: Value & { kind: "template" }, sources: PackSources, depth: number): Value {
  const parts = value.parts.map((part) => resolveValue(part, sources, depth + 1));
  if (!parts.every((part) => part.kind === "string" || part.kind === "number")) return { ...value, parts };
  return { kind: "string", file: value.file, start: value.start, end: value.end, value: parts.map((part) => part.value).join("") };
}

const unknown = (at: Place): Value => ({ kind: "unknown", file: at.file, start: at.start, end: at.end });

/** newPack({…}), and manifests from before it. */
function definitionsOf(facts: readonly FileFacts[], resolve: (value: Value) => Value): readonly ObjectValue[] {
  const given = facts.flatMap((file) =>
    file.calls.filter((call) => call.method === "newPack").flatMap((call) => call.arguments.slice(0, 1)),
  );
  const manifests = facts
    .filter((file) => file.importsToolkit)
    .flatMap((file) => ["manifest", "pack"].flatMap((name) => (file.exports.has(name) ? (file.constants.get(name) ?? []) : [])));
  return [...given, ...manifests].map(resolve).filter((value): value is ObjectValue => value.kind === "object");
}

function authsOfCalls(calls: readonly CallFact[], resolve: (value: Value) => Value): readonly AuthConfig[] {
  return calls.flatMap((call): AuthConfig[] => {
    if (call.method !== "setUserAuthentication" && call.method !== "setSystemAuthentication") return [];
    const [argument] = call.arguments;
    const config = argument === undefined ? undefined : resolve(argument);
    if (config?.kind !== "object") return [];
    const scope = call.method === "setUserAuthentication" ? "user" : "system";
    return [makeAuth(scope, { file: call.file, ...call.nameSpan }, config, resolve, call)];
  });
}

function authsOfDefinition(definition: ObjectValue, resolve: (value: Value) => Value): readonly AuthConfig[] {
  return definition.properties.flatMap((property): AuthConfig[] => {
    const scope =
      property.name === "defaultAuthentication" ? "user" : property.name === "systemConnectionAuthentication" ? "system" : undefined;
    const config = scope === undefined ? undefined : resolve(property.value);
    return scope === undefined || config?.kind !== "object"
      ? []
      : [makeAuth(scope, { file: definition.file, ...property.nameSpan }, config, resolve)];
  });
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
  partial: boolean,
): PackModel["domains"] {
  const values = calls
    .filter((call) => call.method === "addNetworkDomain")
    .flatMap((call): readonly (Value | undefined)[] => (call.arguments.length === 0 ? [undefined] : call.arguments));
  let complete = !partial;
  const declared: { value: string; place: Place }[] = [];
  const add = (value: Value | undefined): void => {
    const resolved = value === undefined ? undefined : resolve(value);
    if (value === undefined || resolved === undefined) complete = false;
    else if (resolved.kind === "string") declared.push({ value: resolved.value, place: value });
    else if (resolved.kind === "array") {
      if (resolved.open) complete = false;
      for (const item of resolved.items) add(item);
    } else complete = false;
  };
  for (const value of values) add(value);
  for (const definition of definitions) {
    const property = definition.properties.find((candidate) => candidate.name === "networkDomains");
    if (property !== undefined) add(property.value);
    else if (definition.open) complete = false;
  }
  // A pack whose definition is not readable (newPack(base)) may have domains in it.
  if (calls.some((call) => call.method === "newPack" && call.arguments.length > 0 && resolve(call.arguments[0] as Value).kind !== "object"))
    complete = false;
  return { declared, complete, any: declared.length > 0 || !complete };
}

function runnablesOf(calls: readonly CallFact[], resolve: (value: Value) => Value): readonly RunnableFact[] {
  return calls.flatMap((call): RunnableFact[] => {
    const kind =
      call.method === "addFormula"
        ? "formula"
        : call.method === "addSyncTable" || call.method === "addDynamicSyncTable"
          ? "syncTable"
          : undefined;
    const argument = kind === undefined ? undefined : call.arguments[0];
    if (kind === undefined || argument === undefined) return [];
    const definition = resolve(argument);
    const name = definition.kind === "object" ? definition.properties.find((property) => property.name === "name") : undefined;
    const text = name === undefined ? undefined : resolve(name.value);
    if (definition.kind !== "object" || text?.kind !== "string") return [];
    return [{ kind, name: text.value, place: { file: call.file, start: call.start, end: call.nameSpan.end }, definition }];
  });
}

/** Hosts of `fetch({ url: "https://host/…" })`, literal or at the head of a template. */
function fetchedHosts(calls: readonly CallFact[], resolve: (value: Value) => Value): PackModel["fetchedHosts"] {
  return calls.flatMap((call) => {
    const request = call.method === "fetch" && call.arguments[0] !== undefined ? resolve(call.arguments[0]) : undefined;
    const url = request?.kind === "object" ? request.properties.find((property) => property.name === "url") : undefined;
    const value = url === undefined ? undefined : resolve(url.value);
    const text =
      value?.kind === "string" ? value.value : value?.kind === "template" && value.parts[0]?.kind === "string" ? value.parts[0].value : "";
    const host = /^https?:\/\/([a-z0-9.-]+)(?:[:/?#]|$)/i.exec(text)?.[1];
    return host === undefined || url === undefined ? [] : [{ host: host.toLowerCase(), place: url.value }];
  });
}
