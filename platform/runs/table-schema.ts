// Finds the schema of a table's rows: its own, or the one that getSchema returns for this URL, these parameters and this account.
import { defined } from "../../base/defined.ts";
import type { SyncTableDefinition } from "../../protocol/definition.ts";
import type { RunTarget } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import { execute } from "./execute.ts";
import type { RunInput } from "./run-input.ts";
import type { RunObserver } from "./run-observer.ts";
import type { OpenWorld } from "./run-world.ts";

/** A target that concerns the rows of a table. */
type TableTarget = Pick<RunTarget & { kind: "syncTable" }, "name" | "dynamicUrl" | "schema">;

interface TableSchema {
  readonly value: unknown;
  /** The context with the schema, if getSchema returned it for this run: pack code then gets it in its context. */
  readonly ofContext: { readonly schema?: unknown };
}

/** Throws invalid-parameter if a dynamic table has no dynamic URL. */
export function requireUrl({ name, isDynamic, functions }: SyncTableDefinition, dynamicUrl: string | undefined): void {
  if (!isDynamic || (dynamicUrl !== undefined && dynamicUrl !== "")) return;
  throw new PackAuthError("invalid-parameter", `${name} is a dynamic table: it needs a dynamic URL.`, {
    field: "dynamicUrl",
    hint: functions?.includes("listDynamicUrls") === true ? "Choose one of those that the pack lists." : "Enter the URL.",
  });
}

/** Returns undefined if the run was stopped. Throws invalid-parameter if a dynamic table has no URL, and the errors of an execution. */
export async function tableSchemaOf(
  { target: { name, dynamicUrl, schema }, ...call }: RunInput<TableTarget>,
  world: OpenWorld,
  observer: RunObserver,
): Promise<TableSchema | undefined> {
  const table = world.pack.definition.syncTables.find((candidate) => candidate.name === name);
  if (schema !== undefined) return { value: schema, ofContext: { schema } };
  if (table?.functions?.includes("getSchema") !== true) return { value: table?.schema, ofContext: {} };
  requireUrl(table, dynamicUrl);
  const execution = await execute(
    { ...call, target: { kind: "table", name, function: "getSchema", ...defined({ dynamicUrl }) } },
    world,
    observer,
  );
  return execution === undefined ? undefined : { value: execution.value, ofContext: { schema: execution.value } };
}
