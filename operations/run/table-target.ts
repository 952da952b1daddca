// Resolves the functions of a sync table, which a target names after a colon.

import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import { readRowUpdates } from "../../platform/runs/row-updates.ts";
import type { SyncTableDefinition } from "../../protocol/definition.ts";
import type { TableFunction } from "../../protocol/run.ts";
import { InputError } from "../input-error.ts";
import { type Filling, parametersOf, readNamedParameters } from "./parameters.ts";
import type { TargetParts, ZonedRequest } from "./target-request.ts";

/** Throws invalid-parameter if the table has no such function, or if a word or a row does not fit. */
export function tableTarget(
  table: SyncTableDefinition,
  what: string,
  of: string | undefined,
  request: ZonedRequest,
  filling: Filling,
): TargetParts {
  const { name } = table;
  const url = defined({ dynamicUrl: request.dynamicUrl });
  const search = request.words.join(" ");
  const has = functionsOf(table);
  if (!has.includes(what) || (of !== undefined && what !== "options"))
    throw new InputError("target", `${name} has no ${of === undefined ? what : `${what}:${of}`}. It has: ${has.join(", ")}.`);
  switch (what) {
    case "incremental":
      return { target: { kind: "syncTable", name, ...url }, parameters: parametersOf(request, table, filling), isTwice: true };
    case "validateParameters":
      return { target: { kind: "validateParameters", name, ...url }, parameters: parametersOf(request, table, filling) };
    case "update": {
      if (request.updates === undefined)
        throw new InputError(
          "updates",
          `${name}:update needs edited rows: {"previousValue": the row, "newValue": its changes}, or a list of them.`,
        );
      const parameters = parametersOf(request, table, { ...filling, changesData: true });
      return { target: { kind: "update", name, ...url, updates: readRowUpdates(request.updates) }, parameters };
    }
    case "options": {
      if (of === undefined) throw new InputError("target", `Whose options? Write ${name}:options:<property>.`);
      const values = rowOf(request);
      return {
        target: { kind: "propertyOptions", table: name, property: of, search, values, ...url },
        parameters: readNamedParameters(request, table),
      };
    }
    default:
      return {
        target: { kind: "table", name, function: what as TableFunction, search, ...url },
        parameters: readNamedParameters(request, table),
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

function rowOf({ row = {} }: ZonedRequest): Readonly<Record<string, unknown>> {
  if (!isRecord(row)) throw new InputError("row", "Write the row as a JSON object.");
  return row;
}
