// Finds what an agent wants to run by its name.
import { closest } from "../base/closest.ts";
import { PackAuthError } from "../platform/errors.ts";
import { jsonParameters } from "../platform/runs/json-parameters.ts";
import { readParameters } from "../platform/runs/parameters.ts";
import { inputOf, type RunInput } from "../platform/runs/run-input.ts";
import type { PackDefinition } from "../protocol/definition.ts";
import type { McpTarget } from "../protocol/mcp.ts";
import type { RunTarget } from "../protocol/run.ts";

/** Arguments of a tool call: in order, or by name. */
type NamedParameters = readonly unknown[] | Readonly<Record<string, unknown>>;

interface RunRequest {
  /** A formula, a table, `mcp:Server`, `mcp:Server:tool` or `Auth:getConnectionName`. */
  readonly target: string;
  readonly parameters: NamedParameters;
  readonly rowLimit: number;
}

/** Throws unknown-formula with the nearest name, and invalid-parameter. */
export function runInputOf({ target, parameters, rowLimit }: RunRequest, definition: PackDefinition): RunInput<RunTarget | McpTarget> {
  const [kind, name = "", ...rest] = target.split(":");
  if (kind === "mcp") return inputOf(mcpTarget(name, rest.join(":"), parameters, definition), []);
  if (target === "Auth:getConnectionName")
    return inputOf(
      {
        kind: "authentication",
        scope: definition.userAuthentication === undefined ? "system" : "user",
        function: { name: "getConnectionName" },
      },
      [],
    );
  const formula = definition.formulas.find((candidate) => candidate.name === target);
  const table = definition.syncTables.find((candidate) => candidate.name === target);
  const runnable = formula ?? table;
  if (runnable === undefined) throw unknownTarget(target, definition);
  const input = inputOf<RunTarget>({ kind: formula === undefined ? "syncTable" : "formula", name: target }, [], { rowLimit });
  return { ...input, parameters: readParameters(jsonParameters(parameters, runnable), runnable, input.timezone) };
}

function mcpTarget(server: string, tool: string, parameters: NamedParameters, definition: PackDefinition): McpTarget {
  if (definition.mcpServers?.some((candidate) => candidate.name === server) !== true) throw unknownTarget(`mcp:${server}`, definition);
  if (tool === "") return { kind: "mcpServer", name: server };
  if (Array.isArray(parameters) && parameters.length > 0)
    throw new PackAuthError("invalid-parameter", "The arguments of an MCP tool are an object by their names.", {});
  return { kind: "mcpTool", server, name: tool, arguments: Array.isArray(parameters) ? {} : (parameters as Record<string, unknown>) };
}

function unknownTarget(name: string, { formulas, syncTables, mcpServers = [] }: PackDefinition): PackAuthError {
  const names = [...[...formulas, ...syncTables].map((each) => each.name), ...mcpServers.map((server) => `mcp:${server.name}`)];
  const near = closest(name, names);
  return new PackAuthError("unknown-formula", `The pack has no formula or table ${name}.`, {
    hint: near === undefined ? `It has: ${names.join(", ") || "none"}.` : `Did you mean ${near}?`,
  });
}
