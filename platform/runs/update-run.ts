// Writes edited rows of a two-way table. executeUpdate gets them in batches of the size that the table declares. Each row has its own
// outcome, as in a document.
import type { PlatformDifference, RowUpdate, RowUpdateResult, RunOutcome, RunTarget } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import type { Redactor } from "../secrets/redact.ts";
import { execute } from "./execute.ts";
import { denormaliseNames, denormaliseRow, normaliseResult } from "./normalise-result.ts";
import type { RunInput } from "./run-input.ts";
import type { RunObserver } from "./run-observer.ts";
import type { OpenWorld } from "./run-world.ts";
import { asSchema, propertiesOf, rowSchema, type Schema } from "./schema.ts";
import { tableSchemaOf } from "./table-schema.ts";

interface UpdateRun {
  /** The outcome, whose masked value is one RowUpdateResult for each update that was sent. */
  readonly outcome: RunOutcome;
  readonly schema: unknown;
}

/** Throws the errors of an execution, and pack-threw if the pack did not return a result for each row. */
export async function runUpdate(
  input: RunInput<RunTarget & { kind: "update" }>,
  world: OpenWorld,
  observer: RunObserver,
): Promise<UpdateRun> {
  const { target } = input;
  const { pack, redactor } = world;
  const table = pack.definition.syncTables.find((candidate) => candidate.name === target.name);
  const size = Math.max(1, table?.updateBatchSize ?? 1);
  const tableSchema = await tableSchemaOf(input, world, observer);
  if (tableSchema === undefined) return { outcome: { status: "cancelled", value: [] }, schema: undefined };
  const schema = rowSchema(asSchema(tableSchema.value));
  checkNames(target.updates, schema);
  for (const note of immutableNotes(target.updates, schema)) observer.onPlatformDifference(note);
  const results: unknown[] = [];
  for (let from = 0; from < target.updates.length; from += size) {
    const batch = target.updates.slice(from, from + size);
    const batchTarget = { ...target, ...tableSchema.ofContext, updates: batch.map((update) => asPackSees(update, schema)) };
    try {
      const execution = await execute({ ...input, target: batchTarget }, world, observer);
      if (execution === undefined) return { outcome: { status: "cancelled", value: results }, schema: tableSchema.value };
      results.push(...outcomesOf(execution.value, batch.length, schema, redactor));
    } catch (error) {
      const own = size === 1 ? ownError(error) : undefined;
      if (own === undefined) throw explainPartialUpdate(error, results.length, target.updates.length);
      results.push(redactor.redactValue(own));
    }
  }
  return { outcome: { status: "succeeded", value: results }, schema: tableSchema.value };
}

/** Returns an edited row under the pack's own keys. */
const asPackSees = ({ previousValue, newValue, updatedFields }: RowUpdate, schema: Schema | undefined): RowUpdate => ({
  previousValue: denormaliseRow(previousValue, schema) as RowUpdate["previousValue"],
  newValue: denormaliseRow(newValue, schema) as RowUpdate["newValue"],
  updatedFields: denormaliseNames(updatedFields, schema),
});

function outcomesOf(value: unknown, count: number, schema: Schema | undefined, redactor: Redactor): unknown[] {
  if (!Array.isArray(value) || value.length !== count) {
    const expectation =
      count === 1
        ? "executeUpdate must return one result for the update."
        : `executeUpdate must return ${count} results, one for each update.`;
    throw new PackAuthError(
      "pack-threw",
      `${expectation} ${Array.isArray(value) ? `It returned ${value.length || "none"}.` : "It returned no { result: [...] }."}`,
      { hint: "Return { result: [...] } with a row, or an Error, for each update, in their order." },
    );
  }
  return value.map((each: { outcome?: unknown; finalValue?: unknown }) =>
    redactor.redactValue(each.outcome === "success" ? { ...each, finalValue: normaliseResult(each.finalValue, schema) } : each),
  );
}

/** Returns the result of a row if its update threw an error for the user. Any other error ends the whole update. */
function ownError(error: unknown): RowUpdateResult | undefined {
  if (!(error instanceof PackAuthError) || error.thrown?.userVisible !== true) return undefined;
  return { outcome: "error", error: { name: error.thrown.name, message: error.message } };
}

/**
 * Adds the progress to the error: rows that were written before it stay written, so the user must know it before running the update again.
 */
function explainPartialUpdate(error: unknown, completedCount: number, count: number): unknown {
  if (!(error instanceof PackAuthError) || count === 1) return error;
  const progress = `${completedCount} of ${count} rows were sent and answered before it; the others were not sent, or not answered.`;
  const hint = [error.hint, progress].filter(Boolean).join(" ");
  return new PackAuthError(error.code, error.message, { ...error, hint, cause: error });
}

/** Yields a note for each edited column that is not mutable. Users cannot edit it in a document. */
function* immutableNotes(updates: readonly RowUpdate[], schema: Schema | undefined): Iterable<PlatformDifference> {
  const properties = propertiesOf(schema) ?? {};
  for (const name of new Set(updates.flatMap(({ updatedFields }) => updatedFields))) {
    if (Object.hasOwn(properties, name) && properties[name]?.mutable !== true)
      yield {
        message: `${name} needs mutable: true in the schema. Users cannot edit it in a document otherwise.`,
      };
  }
}

/**
 * Throws invalid-parameter if an update has a property that the schema does not have. The pack would not get it and would write another row
 * than intended.
 */
function checkNames(updates: readonly RowUpdate[], schema: Schema | undefined): void {
  const properties = propertiesOf(schema);
  if (properties === undefined || schema?.includeUnknownProperties === true) return;
  const names = updates.flatMap(({ previousValue, newValue, updatedFields }) => [
    ...Object.keys(previousValue),
    ...Object.keys(newValue),
    ...updatedFields,
  ]);
  const stranger = names.find((name) => !Object.hasOwn(properties, name));
  if (stranger === undefined) return;
  const near = Object.keys(properties).find(
    (name) =>
      name.toLowerCase() === stranger.toLowerCase() || properties[name]?.originalKey === stranger || properties[name]?.fromKey === stranger,
  );
  throw new PackAuthError(
    "invalid-parameter",
    `The table's rows have no property ${stranger}${near === undefined ? "" : `: did you mean ${near}?`}`,
    {
      hint: `Write rows as the table gives them. Its properties: ${Object.keys(properties).join(", ")}.`,
    },
  );
}
