// Which schema a table's rows have: its own, or the one that its getSchema makes for this URL, these parameters and this account.
import { defined } from "../../base/defined.ts";
import type { SyncTableDefinition } from "../../protocol/definition.ts";
import type { ParameterValue } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import type { Pack } from "../process/pack.ts";
import { execute } from "./execute.ts";
import type { RunOptions } from "./run-options.ts";

/** A target that is about the rows of a table. */
interface TableTarget {
  readonly name: string;
  readonly dynamicUrl?: string;
  /** As getSchema gave it before. */
  readonly schema?: unknown;
}

interface TableSchema {
  readonly value: unknown;
  /** The same where it was made for this run: pack code gets it in its context then. */
  readonly ofContext: { readonly schema?: unknown };
}

/** Throws invalid-parameter where a dynamic table lacks the URL of what it is made for. */
export function requireUrl({ name, isDynamic, functions }: SyncTableDefinition, dynamicUrl: string | undefined): void {
  if (!isDynamic || (dynamicUrl !== undefined && dynamicUrl !== "")) return;
  throw new PackAuthError("invalid-parameter", `${name} is a dynamic table: it needs a dynamic URL.`, {
    field: "dynamicUrl",
    hint: functions?.includes("listDynamicUrls") === true ? "Choose one of those that the pack lists." : "Enter the URL.",
  });
}

/** Undefined when stopped. Throws invalid-parameter where a dynamic table lacks its URL, and what an execution throws. */
export async function tableSchemaOf(
  pack: Pack,
  { name, dynamicUrl, schema }: TableTarget,
  parameters: readonly ParameterValue[],
  options: RunOptions,
): Promise<TableSchema | undefined> {
  const table = pack.definition.syncTables.find((candidate) => candidate.name === name);
  if (schema !== undefined) return { value: schema, ofContext: { schema } };
  if (table?.functions?.includes("getSchema") !== true) return { value: table?.schema, ofContext: {} };
  requireUrl(table, dynamicUrl);
  const execution = await execute(pack, { kind: "table", name, function: "getSchema", ...defined({ dynamicUrl }) }, parameters, options);
  return execution === undefined ? undefined : { value: execution.value, ofContext: { schema: execution.value } };
}
