// Resolves the target of a run: a formula or table, optionally followed by colons and one of its functions.

import { closest } from "../../base/closest.ts";
import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import { PackAuthError } from "../../platform/errors.ts";
import type { ParameterizedDefinition } from "../../platform/runs/parameters.ts";
import { refuseMasked } from "../../platform/runs/row-updates.ts";
import { CALL_DEFAULTS, type CallOptions } from "../../platform/runs/run-input.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { McpTarget } from "../../protocol/mcp.ts";
import type { RunTarget } from "../../protocol/run.ts";
import { InputError } from "../input-error.ts";
import { type Filling, parametersOf, valuesOf } from "./parameters.ts";
import { tableTarget } from "./table-target.ts";
import type { TargetInput, TargetParts, TargetRequest, ZonedRequest } from "./target-request.ts";

/** Throws unknown-formula with the nearest name, and invalid-parameter. */
export function readTarget(
  request: TargetRequest,
  definition: PackDefinition,
  { timezone, source, rowLimit, ...filling }: CallOptions & Filling,
): TargetInput {
  const call = { ...CALL_DEFAULTS, ...defined({ timezone, source, rowLimit }) };
  const { target, parameters, isTwice = false } = partsOf({ ...request, timezone: call.timezone }, definition, filling);
  return { ...call, target, parameters, isTwice };
}

function partsOf(request: ZonedRequest, definition: PackDefinition, filling: Filling): TargetParts {
  const [name = "", what, of, ...rest] = request.target.split(":");
  if (name === "mcp") return { target: mcpTarget(request, definition), parameters: [] };
  const url = defined({ dynamicUrl: request.dynamicUrl });
  if (rest.length > 0) throw new InputError("target", `${request.target} has too many colons.`);
  if (name === "Auth") return { target: authenticationTarget(what, of, request, definition), parameters: [] };
  const formula = definition.formulas.find((candidate) => candidate.name === name);
  const table = definition.syncTables.find((candidate) => candidate.name === name || `Sync${candidate.name}` === name);
  const runnable = formula ?? table;
  if (runnable === undefined) throw unknown(name, definition);
  if (what === undefined) {
    const parameters = parametersOf(request, runnable, { ...filling, changesData: formula?.isAction === true });
    if (formula !== undefined) return { target: { kind: "formula", name }, parameters };
    return { target: { kind: "syncTable", name: runnable.name, ...url, ...completionOf(request) }, parameters };
  }
  if (what === "autocomplete") return autocompleteTarget(runnable, of, request, formula === undefined);
  if (table === undefined) throw new InputError("target", `${name} has no ${what}. It has: autocomplete.`);
  return tableTarget(table, what, of, request, filling);
}

/** Reads `mcp:<server>` or `mcp:<server>:<tool>`; the name of a tool may contain colons. */
function mcpTarget(request: TargetRequest, { mcpServers = [] }: PackDefinition): McpTarget {
  const [, server = "", ...rest] = request.target.split(":");
  const names = mcpServers.map(({ name }) => name);
  if (!names.includes(server)) {
    const near = closest(server, names);
    const hint = near === undefined ? `It has: ${names.join(", ") || "none"}.` : `Did you mean ${near}?`;
    throw new PackAuthError("unknown-formula", `The pack has no MCP server ${server}.`, { hint });
  }
  const tool = rest.join(":");
  if (tool === "") return { kind: "mcpServer", name: server };
  if (request.words.length > 0 || (request.parameters !== undefined && !isRecord(request.parameters)))
    throw new InputError("parameters", "Write the arguments of an MCP tool as a JSON object, by their names.");
  return { kind: "mcpTool", server, name: tool, arguments: (request.parameters ?? {}) as Readonly<Record<string, unknown>> };
}

/** Returns the completion of the request as a part of the target. */
function completionOf({ completion }: TargetRequest): Pick<RunTarget & { kind: "syncTable" }, "previousCompletion"> {
  if (completion === undefined) return {};
  refuseMasked([completion]);
  return { previousCompletion: completion };
}

function autocompleteTarget(
  runnable: ParameterizedDefinition,
  of: string | undefined,
  request: ZonedRequest,
  ofSyncTable: boolean,
): TargetParts {
  const { name } = runnable;
  const names = [...runnable.parameters, ...runnable.varargParameters].filter((each) => each.hasAutocomplete).map((each) => each.name);
  if (names.length === 0) throw new InputError("target", `No parameter of ${name} has autocomplete.`);
  if (of === undefined || !names.includes(of))
    throw new InputError("target", `${name} has autocomplete for ${names.join(", ")}. Write ${name}:autocomplete:<parameter>.`);
  const values = request.parameters === undefined ? undefined : valuesOf(request, runnable);
  const more = defined({ values, ofSyncTable: ofSyncTable || undefined, dynamicUrl: request.dynamicUrl });
  return { target: { kind: "autocomplete", formula: name, parameter: of, search: request.words.join(" "), ...more }, parameters: [] };
}

function authenticationTarget(
  what: string | undefined,
  of: string | undefined,
  request: TargetRequest,
  definition: PackDefinition,
): RunTarget {
  const scope = definition.userAuthentication === undefined ? "system" : "user";
  if (definition.userAuthentication === undefined && definition.systemAuthentication === undefined)
    throw new InputError("target", "The pack has no authentication.");
  if (of === undefined && (what === "getConnectionName" || what === "getConnectionUserId"))
    return { kind: "authentication", scope, function: { name: what } };
  if (what === "getOptions" && of !== undefined)
    return { kind: "authentication", scope, function: { name: "getOptions", step: of, search: request.words.join(" ") } };
  throw new InputError("target", "Auth has getConnectionName, getConnectionUserId and getOptions:<step>.");
}

function unknown(name: string, { formulas, syncTables, mcpServers = [] }: PackDefinition): PackAuthError {
  const names = [...[...formulas, ...syncTables].map((each) => each.name), ...mcpServers.map((server) => `mcp:${server.name}`)];
  const list = `It has: ${names.join(", ") || "none"}.`;
  if (name === "") return new PackAuthError("unknown-formula", "Name a formula, a table or an MCP server after the pack.", { hint: list });
  const near = closest(name, names);
  return new PackAuthError("unknown-formula", `The pack has no formula or table ${name}.`, {
    hint: near === undefined ? list : `Did you mean ${near}?`,
  });
}
