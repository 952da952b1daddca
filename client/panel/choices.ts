// Finds the possible values of a field by running the pack: a parameter's autocomplete, the tables of a dynamic sync table, or a row's
// property.

import { defined } from "../../base/defined.ts";
import { PackAuthError } from "../../platform/errors.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { findPropertyOptions, isLabelled } from "../../platform/runs/property-options.ts";
import { refuseMasked } from "../../platform/runs/row-updates.ts";
import { execute, type RunOptions } from "../../platform/runs/run.ts";
import { watchForEcho } from "../../platform/sandbox/first-echo.ts";
import type { Choice, FromPanel, RunnableArgument } from "../../protocol/panel.ts";
import type { ParameterValue, RunTarget } from "../../protocol/run.ts";
import { readForm } from "./read-form.ts";
import { findRunnable } from "./runnable.ts";

const MOST = 100;

type Question = FromPanel & { type: "choices" };

/**
 * Returns undefined if the search was stopped. Throws PackAuthError. If an echo of the sandbox caused an error or an empty list, the error
 * names the request without an answer.
 */
export async function findChoices(
  pack: Pack,
  target: RunnableArgument,
  question: Question,
  options: RunOptions,
): Promise<readonly Choice[] | undefined> {
  const watched = watchForEcho(options);
  const choices = await ask(pack, target, question, watched.run).catch((error: unknown) => {
    if (watched.echo() === undefined) throw error;
    return [];
  });
  const echo = watched.echo()?.request.echoed;
  if (choices?.length !== 0 || echo === undefined) return choices;
  throw new PackAuthError("sandbox-failed", `${echo.message} Add an answer to sandbox.json.`);
}

async function ask(pack: Pack, target: RunnableArgument, question: Question, options: RunOptions): Promise<readonly Choice[] | undefined> {
  const values = valuesOf(pack, target, question, options.timezone);
  refuseMasked([values, question.property ?? null]);
  if (question.property !== undefined) return optionsOf(pack, target.name, values, question, question.property, options);
  const runTarget: RunTarget =
    question.parameter === undefined
      ? { kind: "table", name: target.name, function: "listDynamicUrls" }
      : {
          kind: "autocomplete",
          formula: target.name,
          parameter: question.parameter,
          search: question.search,
          values,
          ...(target.kind === "syncTable" ? { ofSyncTable: true } : {}),
        };
  const result = await execute(pack, runTarget, [], options);
  if (result === undefined) return undefined;
  const choices = Array.isArray(result.value) ? result.value.map(choiceOf).filter((choice) => choice !== undefined) : [];
  return fitting(choices, question.search);
}

/** Returns the valid parameters of the form by name. */
function valuesOf(
  pack: Pack,
  target: RunnableArgument,
  { fields }: Question,
  timezone: string | undefined,
): Readonly<Record<string, ParameterValue>> {
  const { parameters } = readForm(fields, findRunnable(pack, target)?.definition, timezone);
  const named = fields.map(({ key }, index) => [key, parameters[index]] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

/** Filters as the platform does: a pack may return everything that it has. */
function fitting(choices: readonly Choice[], search: string): readonly Choice[] {
  const query = search.trim().toLowerCase();
  return choices.filter(({ display, value }) => `${display} ${value}`.toLowerCase().includes(query)).slice(0, MOST);
}

async function optionsOf(
  pack: Pack,
  table: string,
  values: Readonly<Record<string, ParameterValue>>,
  { search }: Question,
  { name, row, dynamicUrl }: NonNullable<Question["property"]>,
  options: RunOptions,
): Promise<readonly Choice[] | undefined> {
  const definition = pack.definition.syncTables.find((candidate) => candidate.name === table);
  const parameters = definition?.parameters.map((parameter) => values[parameter.name]) ?? [];
  const optionsTarget = { kind: "propertyOptions", table, property: name, search, values: row, ...defined({ dynamicUrl }) } as const;
  const result = await findPropertyOptions(pack, optionsTarget, parameters, options);
  if (result === undefined) return undefined;
  const items = Array.isArray(result.value) ? result.value : [];
  return fitting(items.map(optionOf), search);
}

function optionOf(item: unknown): Choice {
  const value = isLabelled(item) ? item.value : item;
  const display = isLabelled(item) ? item.display : item;
  return { display: typeof display === "string" ? display : JSON.stringify(display), value: JSON.stringify(value) };
}

function choiceOf(item: unknown): Choice | undefined {
  if (typeof item === "string" || typeof item === "number") return { display: String(item), value: String(item) };
  if (item === null || typeof item !== "object") return undefined;
  const { display, value } = item as { display?: unknown; value?: unknown };
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return { display: typeof display === "string" ? display : String(value), value: String(value) };
}
