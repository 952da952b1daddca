// Resolves the target of `pack-auth run`: a formula or table, optionally followed by colons and one of its functions.

import { closest } from "../../base/closest.ts";
import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import type { ParameterizedDefinition } from "../../platform/runs/parameters.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { McpTarget } from "../../protocol/mcp.ts";
import type { RunTarget } from "../../protocol/run.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { CliInput, TargetInput } from "./run-input.ts";
import type { RunCall } from "./run-options.ts";
import { parametersOf, readJsonOption, valuesOf } from "./run-parameters.ts";
import { completionOf, tableTarget } from "./table-target.ts";

/** Throws UsageError, and invalid-parameter if a word does not fit. */
export function readRunInput(terminal: Terminal, call: RunCall, definition: PackDefinition): CliInput {
  const { target, parameters, isTwice = false } = readTarget(terminal, call, definition);
  const { timezone, source, rowLimit } = call;
  return { target, parameters, timezone, source, rowLimit, isTwice };
}

function readTarget(terminal: Terminal, call: RunCall, definition: PackDefinition): TargetInput {
  const [name = "", what, of, ...rest] = call.target.split(":");
  if (name === "mcp") return { target: mcpTarget(call, definition), parameters: [] };
  const url = defined({ dynamicUrl: call.dynamicUrl });
  if (rest.length > 0) throw new UsageError(`${call.target} has too many colons. See pack-auth run --help.`);
  if (name === "Auth") return { target: authenticationTarget(what, of, call, definition), parameters: [] };
  const formula = definition.formulas.find((candidate) => candidate.name === name);
  const table = definition.syncTables.find((candidate) => candidate.name === name || `Sync${candidate.name}` === name);
  const runnable = formula ?? table;
  if (runnable === undefined) throw unknown(name, definition);
  if (what === undefined) {
    const parameters = parametersOf(terminal, call, runnable, { changesData: formula?.isAction === true });
    if (formula !== undefined) return { target: { kind: "formula", name }, parameters };
    return { target: { kind: "syncTable", name: runnable.name, ...url, ...completionOf(call) }, parameters };
  }
  if (what === "autocomplete") return autocompleteTarget(runnable, of, call, formula === undefined);
  if (table === undefined) throw new UsageError(`${name} has no ${what}. It has: autocomplete.`);
  return tableTarget(terminal, table, what, of, call);
}

/** Reads `mcp:<server>` or `mcp:<server>:<tool>`; the name of a tool may contain colons. */
function mcpTarget(call: RunCall, { mcpServers = [] }: PackDefinition): McpTarget {
  const [, server = "", ...rest] = call.target.split(":");
  const names = mcpServers.map(({ name }) => name);
  if (!names.includes(server)) {
    const near = closest(server, names);
    const hint = near === undefined ? `It has: ${names.join(", ") || "none"}.` : `Did you mean ${near}?`;
    throw new UsageError(`The pack has no MCP server ${server}. ${hint}`);
  }
  const tool = rest.join(":");
  if (call.parameters.length > 0) throw new UsageError("Write the arguments of an MCP tool with --params, as a JSON object.");
  if (tool === "") return { kind: "mcpServer", name: server };
  const toolArguments = call.json === undefined ? {} : readJsonOption("--params", call.json);
  if (!isRecord(toolArguments)) throw new UsageError("Write the arguments of an MCP tool as a JSON object, by their names.");
  return { kind: "mcpTool", server, name: tool, arguments: toolArguments };
}

function autocompleteTarget(runnable: ParameterizedDefinition, of: string | undefined, call: RunCall, ofSyncTable: boolean): TargetInput {
  const { name } = runnable;
  const names = [...runnable.parameters, ...runnable.varargParameters].filter((each) => each.hasAutocomplete).map((each) => each.name);
  if (names.length === 0) throw new UsageError(`No parameter of ${name} has autocomplete.`);
  if (of === undefined || !names.includes(of))
    throw new UsageError(`${name} has autocomplete for ${names.join(", ")}. Write ${name}:autocomplete:<parameter>.`);
  const values = call.json === undefined ? undefined : valuesOf(call.json, runnable, call.timezone);
  const more = defined({ values, ofSyncTable: ofSyncTable || undefined, dynamicUrl: call.dynamicUrl });
  return { target: { kind: "autocomplete", formula: name, parameter: of, search: call.parameters.join(" "), ...more }, parameters: [] };
}

function authenticationTarget(what: string | undefined, of: string | undefined, call: RunCall, definition: PackDefinition): RunTarget {
  const scope = definition.userAuthentication === undefined ? "system" : "user";
  if (definition.userAuthentication === undefined && definition.systemAuthentication === undefined)
    throw new UsageError("The pack has no authentication.");
  if (what === "getConnectionName" || what === "getConnectionUserId") return { kind: "authentication", scope, function: { name: what } };
  if (what === "getOptions" && of !== undefined)
    return { kind: "authentication", scope, function: { name: "getOptions", step: of, search: call.parameters.join(" ") } };
  throw new UsageError("Auth has getConnectionName, getConnectionUserId and getOptions:<step>.");
}

function unknown(name: string, { formulas, syncTables, mcpServers = [] }: PackDefinition): UsageError {
  const names = [...[...formulas, ...syncTables].map((each) => each.name), ...mcpServers.map((server) => `mcp:${server.name}`)];
  const list = names.join(", ") || "none";
  if (name === "") return new UsageError(`Name a formula, a table or an MCP server after the pack. It has: ${list}.`);
  const near = closest(name, names);
  return new UsageError(`The pack has no formula or table ${name}. ${near === undefined ? `It has: ${list}.` : `Did you mean ${near}?`}`);
}
