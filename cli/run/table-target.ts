// Resolves the functions of a sync table, which `pack-auth run` names after a colon.

import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import { readRowUpdates, refuseMasked } from "../../platform/runs/row-updates.ts";
import type { SyncTableDefinition } from "../../protocol/definition.ts";
import type { RunTarget, TableFunction } from "../../protocol/run.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { TargetInput } from "./run-input.ts";
import type { RunCall } from "./run-options.ts";
import { parametersOf, readJsonOption, readNamedParameters } from "./run-parameters.ts";

/** Throws UsageError, and invalid-parameter if a word or a row does not fit. */
export function tableTarget(
  terminal: Terminal,
  table: SyncTableDefinition,
  what: string,
  of: string | undefined,
  call: RunCall,
): TargetInput {
  const { name } = table;
  const url = defined({ dynamicUrl: call.dynamicUrl });
  const search = call.parameters.join(" ");
  const has = functionsOf(table);
  if (!has.includes(what) || (of !== undefined && what !== "options"))
    throw new UsageError(`${name} has no ${of === undefined ? what : `${what}:${of}`}. It has: ${has.join(", ")}.`);
  switch (what) {
    case "incremental":
      return { target: { kind: "syncTable", name, ...url }, parameters: parametersOf(terminal, call, table), isTwice: true };
    case "validateParameters":
      return { target: { kind: "validateParameters", name, ...url }, parameters: parametersOf(terminal, call, table) };
    case "update": {
      if (call.updates === undefined)
        throw new UsageError(`${name}:update needs --updates: {"previousValue": the row, "newValue": its changes}, or an array of them.`);
      const updates = readRowUpdates(readJsonOption("--updates", call.updates));
      return { target: { kind: "update", name, ...url, updates }, parameters: parametersOf(terminal, call, table, { changesData: true }) };
    }
    case "options": {
      if (of === undefined) throw new UsageError(`Whose options? Write ${name}:options:<property>.`);
      const values = rowOf(call);
      return {
        target: { kind: "propertyOptions", table: name, property: of, search, values, ...url },
        parameters: readNamedParameters(call, table),
      };
    }
    default:
      return {
        target: { kind: "table", name, function: what as TableFunction, search, ...url },
        parameters: readNamedParameters(call, table),
      };
  }
}

/** Returns the functions of a table. Options belong to properties, which only the schema knows, so `options` is always listed. */
function functionsOf(table: SyncTableDefinition): readonly string[] {
  return [
    "incremental",
    "options",
    ...(table.parameters.some((parameter) => parameter.hasAutocomplete) ? ["autocomplete"] : []),
    ...(table.isTwoWay === true ? ["update"] : []),
    ...(table.hasValidateParameters === true ? ["validateParameters"] : []),
    ...(table.functions ?? []),
  ];
}

/** Returns the completion from the call as a part of the target. Throws UsageError. */
export function completionOf({ completion }: RunCall): Pick<RunTarget & { kind: "syncTable" }, "previousCompletion"> {
  if (completion === undefined) return {};
  const previousCompletion = readJsonOption("--completion", completion);
  refuseMasked([previousCompletion]);
  return { previousCompletion };
}

function rowOf({ row }: RunCall): Readonly<Record<string, unknown>> {
  if (row === undefined) return {};
  const value = readJsonOption("--row", row);
  if (!isRecord(value)) throw new UsageError("Write --row as a JSON object with the row.");
  return value;
}
