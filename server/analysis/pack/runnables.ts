// The formulas, sync tables and MCP servers of a pack: what is added by calls, and what newPack is given.
import { defined } from "../../../protocol/defined.ts";
import type { CallFact } from "../model/facts.ts";
import type { RunnableFact, ServerFact } from "../model/pack.ts";
import type { ObjectValue, Place, Value } from "../model/values.ts";
import { between } from "../text/place.ts";

/** Those that calls add. */
export function runnablesOf(calls: readonly CallFact[], resolve: (value: Value) => Value): RunnableFact[] {
  const found: RunnableFact[] = [];
  for (let index = 0; index < calls.length; index++) {
    const { method, nameSpan, arguments: args, place } = calls[index] as CallFact;
    const kind = KINDS.get(method);
    const argument = args[0];
    if (kind !== undefined && argument !== undefined) add(found, kind, argument, between(place, nameSpan), resolve);
  }
  return found;
}

/** Those that newPack is given. */
export function runnablesOfDefinition(definition: ObjectValue, resolve: (value: Value) => Value): readonly RunnableFact[] {
  const found: RunnableFact[] = [];
  for (const { name, value } of definition.properties) {
    const kind = KINDS.get(name);
    const list = kind === undefined ? undefined : resolve(value);
    if (kind === undefined || list?.kind !== "array") continue;
    for (const item of list.items) add(found, kind, item, item.place, resolve);
  }
  return found;
}

/** The MCP servers that calls add. */
export function serversOf(calls: readonly CallFact[], resolve: (value: Value) => Value): readonly ServerFact[] {
  return calls.flatMap(({ method, nameSpan, arguments: [argument], place, statement, conditional, loop, within }) => {
    const definition = method === "addMCPServer" && argument !== undefined ? resolve(argument) : undefined;
    if (definition?.kind !== "object") return [];
    const isConditional = conditional || loop !== undefined || within !== undefined;
    return [{ place: between(place, nameSpan), definition, ...defined({ statement }), conditional: isConditional }];
  });
}

/** Those that newPack is given. */
export function serversOfDefinition({ properties }: ObjectValue, resolve: (value: Value) => Value): readonly ServerFact[] {
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

function add(found: RunnableFact[], kind: RunnableFact["kind"], given: Value, place: Place, resolve: (value: Value) => Value): void {
  const definition = resolve(given);
  if (definition.kind === "object") found.push({ kind, place, definition });
}
