// Reads edited rows of a two-way table, as a person writes them, into the updates for executeUpdate. Refuses values that contain the mask
// of a credential.

import { isRecord } from "../../base/is-record.ts";
import type { RowUpdate } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import { MASK } from "../secrets/redact.ts";

/**
 * Reads one update or an array of them. `previousValue` is the row as the table returned it, and `newValue` contains the changes.
 * `updatedFields` defaults to the fields that differ. Throws invalid-parameter.
 */
export function readRowUpdates(value: unknown): readonly RowUpdate[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0) throw misfit("The updates contain no row.");
  const updates = list.map((item: unknown, index) => {
    const which = list.length === 1 ? "The update" : `Update ${index + 1}`;
    if (!isRecord(item) || !isRecord(item.previousValue) || !isRecord(item.newValue)) throw misfit(`${which} is not an edited row.`);
    const { previousValue, newValue: changes, updatedFields: named } = item;
    const stranger = Object.keys(item).find((name) => !["previousValue", "newValue", "updatedFields"].includes(name));
    if (stranger !== undefined) throw misfit(`${which} contains ${stranger}, which is not part of an update.`);
    if (named !== undefined && !(Array.isArray(named) && named.every((name) => typeof name === "string")))
      throw misfit(`${which} has updatedFields that is not an array of names.`);
    const newValue = { ...previousValue, ...changes };
    const updatedFields =
      (named as readonly string[] | undefined) ??
      Object.keys(newValue).filter((name) => JSON.stringify(previousValue[name]) !== JSON.stringify(newValue[name]));
    if (updatedFields.length === 0) throw misfit(`${which} changes nothing: newValue is what previousValue is.`);
    return { previousValue, newValue, updatedFields };
  });
  refuseMasked(updates);
  return updates;
}

/**
 * Refuses values that were copied from a masked result. The mask must not be written in place of the real value. Pack code must not learn
 * from it which of its own strings was masked. Throws invalid-parameter.
 */
export function refuseMasked(value: unknown): void {
  if (!JSON.stringify(value).includes(MASK)) return;
  throw new PackAuthError("invalid-parameter", `The parameters contain ${MASK} in place of a masked credential, so nothing was run.`, {
    hint: "Enter the value itself. Update a row where it comes from, and read a table from its beginning.",
  });
}

const misfit = (message: string): PackAuthError =>
  new PackAuthError("invalid-parameter", message, {
    hint: `Write { "previousValue": the row as the table gave it, "newValue": what changes in it }, or a list of such.`,
  });
