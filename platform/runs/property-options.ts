// Finds the choices for a property of a two-way table. They are listed in its schema, or returned by a function of the pack that gets the
// other properties and the search text.

import { isRecord } from "../../base/is-record.ts";
import type { RunTarget } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import { execute } from "./execute.ts";
import { normaliseResult } from "./normalise-result.ts";
import type { RunInput } from "./run-input.ts";
import type { RunObserver } from "./run-observer.ts";
import type { OpenWorld } from "./run-world.ts";
import { asSchema, propertiesOf, rowSchema, type Schema } from "./schema.ts";
import { tableSchemaOf } from "./table-schema.ts";

/** The SDK's name for the one function that serves all properties of a dynamic schema (OptionsType.Dynamic). */
const DYNAMIC = "__coda_dynamic__";

/** Returns undefined if the run was stopped. Throws invalid-parameter if the property has no options, and the errors of an execution. */
export async function findPropertyOptions(
  input: RunInput<RunTarget & { kind: "propertyOptions" }>,
  world: OpenWorld,
  observer: RunObserver,
): Promise<{ readonly value: unknown } | undefined> {
  const { target } = input;
  const tableSchema = await tableSchemaOf({ ...input, target: { ...target, name: target.table } }, world, observer);
  if (tableSchema === undefined) return undefined;
  const properties = propertiesOf(rowSchema(asSchema(tableSchema.value))) ?? {};
  const name = Object.keys(properties).find((each) => isCalled(target.property, each, properties[each]));
  const listed = name === undefined ? undefined : optionsOf(properties[name]);
  if (name === undefined || listed === undefined) throw noOptions(target, properties);
  const property = properties[name] as Schema;
  if (Array.isArray(listed)) return { value: listed };
  if (listed === DYNAMIC)
    observer.onPlatformDifference({
      message: `The Packs SDK's documentation does not say how context.propertyName and the keys of context.propertyValues are written. Here they are as in the schema that getSchema returns, ${String(property.originalKey ?? name)}.`,
    });
  const execution = await execute({ ...input, target: { ...target, ...tableSchema.ofContext, property: name } }, world, observer);
  if (execution === undefined || !Array.isArray(execution.value)) return execution;
  const one = asSchema(property.items) ?? property;
  return { value: execution.value.map((item: unknown) => asRowHasIt(item, one)) };
}

/** Returns a choice as a row contains it: an object under the schema's names. */
function asRowHasIt(item: unknown, schema: Schema): unknown {
  if (!isRecord(item)) return item;
  return isLabelled(item) ? { ...item, value: normaliseResult(item.value, schema) } : normaliseResult(item, schema);
}

/** Whether a choice has a label of its own. The SDK uses the same test to distinguish it from an object that is the value. */
export const isLabelled = (item: unknown): item is { readonly display: unknown; readonly value: unknown } =>
  isRecord(item) && Object.keys(item).length === 2 && "display" in item && "value" in item;

/** Whether a property has this name in the rows, in the pack's source, or as its fromKey. */
const isCalled = (requestedName: string, name: string, property: Schema | undefined): boolean =>
  requestedName === name || requestedName === property?.originalKey || requestedName === property?.fromKey;

/** Returns the options of a property, or of the items of an array. */
function optionsOf(property: Schema | undefined): unknown {
  return property?.options ?? asSchema(property?.items)?.options;
}

function noOptions(
  { table, property }: RunTarget & { kind: "propertyOptions" },
  properties: Readonly<Record<string, Schema>>,
): PackAuthError {
  const names = Object.keys(properties).filter((name) => optionsOf(properties[name]) !== undefined);
  return new PackAuthError("invalid-parameter", `The property ${property} of ${table} has no options, or does not exist.`, {
    hint: names.length === 0 ? "No property of the table has options." : `Those that have: ${names.join(", ")}.`,
  });
}
