// The definitions of a pack: newPack({…}), assignments to a pack, and manifests from before newPack. Also the formulas, sync tables and MCP
// servers in all of them, and in the calls of its files.

import { defined } from "../../../base/defined.ts";
import type { AssignedDefinition, CallFact, FileFacts } from "../model/facts.ts";
import type { PackSources, RunnableFact, ServerFact } from "../model/pack.ts";
import type { Expression, ObjectValue, Place, Property, Resolve, Value } from "../model/values.ts";
import { exportedValue } from "../syntax/commonjs.ts";
import { builds, calleeOf, isOpaque, openPath } from "../syntax/expressions.ts";
import { unknownAt } from "../syntax/names/mutations.ts";
import { between } from "../text/place.ts";
import { loopItems } from "./loop-items.ts";

/** Returns the arguments of newPack, and the manifests from before it. */
export function definitionsOf(
  calls: readonly CallFact[],
  facts: readonly FileFacts[],
  resolve: Resolve,
  sources: Pick<PackSources, "isToolkit">,
): readonly ObjectValue[] {
  const definitions: ObjectValue[] = [];
  const add = (value: Expression | undefined): void => {
    const resolved = value === undefined ? undefined : resolve(value);
    if (resolved?.kind === "object") definitions.push(resolved);
  };
  for (const { method, arguments: args } of calls) if (method === "newPack") add(args[0]);
  for (const file of facts) {
    if (!file.importsToolkit) continue;
    for (const name of OLD_NAMES) {
      const value = exportedValue(file, name);
      if (value !== undefined && !isOfToolkit(value, file, sources)) add(value);
    }
  }
  return definitions;
}

export const OLD_NAMES = ["manifest", "pack"] as const;

/** Whether a function of the SDK, such as newPack, returned the value. Such a value is not a definition. */
function isOfToolkit(value: Expression, { file, imports }: FileFacts, sources: Pick<PackSources, "isToolkit">): boolean {
  const callee = calleeOf(value);
  const imported = callee?.kind === "reference" ? imports.get(callee.path[0] ?? "") : undefined;
  return imported !== undefined && sources.isToolkit(imported.module, file);
}

/**
 * Returns the parts of a definition that are assigned to a pack instead of passed to a setter: `pack.networkDomains = […]`. A property that
 * may be changed or replaced afterwards is unknown.
 */
export function assignedDefinitions(
  facts: readonly FileFacts[],
  calls: readonly CallFact[],
  newPacks: readonly ObjectValue[],
  resolve: Resolve,
): readonly ObjectValue[] {
  // A receiver that is unknown may be a pack, too.
  const assigned = facts.flatMap(({ definitions }) => definitions.filter(({ receiver }) => isOpaque(resolve(receiver))));
  if (assigned.length === 0) return [];
  const declaredElsewhere =
    calls.some(({ method }) => method === "addNetworkDomain") || newPacks.some(({ properties }) => properties.some(isOfDomains));
  const lists = assigned.filter(({ definition }) => definition.properties.some(isOfDomains));
  const isStaticProperty = (property: Property, { receiver, certain }: AssignedDefinition): boolean =>
    mayBePack(resolve(receiver)) &&
    (isOfDomains(property) ? certain && lists.length === 1 && !declaredElsewhere : !isLookedInto(property.name, facts));
  return assigned.map((one): ObjectValue => {
    const properties = one.definition.properties.map((property) =>
      isStaticProperty(property, one) ? property : { ...property, value: unknownAt(property.value.place) },
    );
    return { ...one.definition, properties };
  });
}

const isOfDomains = ({ name }: Property): boolean => name === "networkDomains";

/** Whether newPack returned the value, or its name is that of a pack. */
export const mayBePack = (receiver: Value): boolean =>
  builds(receiver, "pack") || /^p$|pack$|builder$/i.test(openPath(receiver)?.at(-1) ?? "");

/** Whether code reads from the property or writes to it: `pack.defaultAuthentication.headerName = …`. */
const isLookedInto = (name: string, facts: readonly FileFacts[]): boolean =>
  facts.some(({ text }) => new RegExp(`\\.${name}\\s*[!?]?\\s*[.[]`).test(text));

/** Returns the formulas and sync tables that calls add. */
export const runnablesOf = (calls: readonly CallFact[], resolve: Resolve): readonly RunnableFact[] =>
  calls.flatMap(({ method, nameSpan, arguments: [argument], place }) => {
    const kind = KINDS.get(method);
    return kind === undefined || argument === undefined ? [] : runnable(kind, argument, between(place, nameSpan), resolve);
  });

/** Returns the formulas and sync tables in a definition. */
export const runnablesOfDefinition = ({ properties }: ObjectValue, resolve: Resolve): readonly RunnableFact[] =>
  properties.flatMap(({ name, value }) => {
    const kind = KINDS.get(name);
    const list = kind && resolve(value);
    return kind && list?.kind === "array" ? list.items.flatMap((item) => runnable(kind, item, item.place, resolve)) : [];
  });

/** Returns the MCP servers that calls add. */
export function serversOf(calls: readonly CallFact[], resolve: Resolve, facts: readonly FileFacts[]): readonly ServerFact[] {
  return calls.flatMap(({ method, nameSpan, arguments: [argument], place, statement, conditional, loop, within }) => {
    const items = method === "addMCPServer" && argument !== undefined ? loopItems(argument, resolve, facts) : [];
    // A loop over several items declares all of them whenever it runs, and no statement declares one alone.
    const isOfSeveral = loop?.conditional === false && items.length > 1;
    const more = isOfSeveral
      ? { conditional: false }
      : { conditional: conditional || loop !== undefined || within !== undefined, ...defined({ statement }) };
    return items.flatMap((item): ServerFact[] => {
      const definition = resolve(item);
      return definition.kind === "object" ? [{ place: between(place, nameSpan), definition, ...more }] : [];
    });
  });
}

/** Returns the MCP servers in a definition. */
export function serversOfDefinition({ properties }: ObjectValue, resolve: Resolve): readonly ServerFact[] {
  return properties.flatMap(({ name, value }) => {
    const list = name === "mcpServers" ? resolve(value) : undefined;
    if (list?.kind !== "array") return [];
    return list.items.flatMap((item): ServerFact[] => {
      const definition = resolve(item);
      return definition.kind === "object" ? [{ place: item.place, definition, conditional: false }] : [];
    });
  });
}

const KINDS: ReadonlyMap<string, RunnableFact["kind"]> = new Map([
  ["addFormula", "formula"],
  ["addSyncTable", "syncTable"],
  ["addDynamicSyncTable", "syncTable"],
  ["formulas", "formula"],
  ["syncTables", "syncTable"],
]);

function runnable(kind: RunnableFact["kind"], argument: Expression, place: Place, resolve: Resolve): readonly RunnableFact[] {
  const definition = resolve(argument);
  return definition.kind === "object" ? [{ kind, place, definition }] : [];
}
