// Finds the possible values of a field by running the pack: a parameter's autocomplete, the tables of a dynamic sync table, or a row's
// property.

import { defined } from "../../base/defined.ts";
import { PackAuthError } from "../../platform/errors.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { execute } from "../../platform/runs/execute.ts";
import { explainCall, explainEmptyList } from "../../platform/runs/explain-run.ts";
import { findPropertyOptions, isLabelled } from "../../platform/runs/property-options.ts";
import { refuseMasked } from "../../platform/runs/row-updates.ts";
import { inputOf } from "../../platform/runs/run-input.ts";
import type { RunObserver } from "../../platform/runs/run-observer.ts";
import { inProcess, type OpenWorld, type RunWorld } from "../../platform/runs/run-world.ts";
import { watchForEcho } from "../../platform/sandbox/first-echo.ts";
import type { Choice, FromPanel, RunnableArgument } from "../../protocol/panel.ts";
import type { ParameterValue, RequestTrace, RunTarget } from "../../protocol/run.ts";
import { readForm } from "./read-form.ts";
import { findRunnable } from "./runnable.ts";

const MOST = 100;

type Question = FromPanel & { type: "choices" };

/**
 * Returns undefined if the search was stopped. Throws PackAuthError. If an echo of the sandbox caused an error or an empty list, the error
 * names the request without an answer.
 */
export async function findChoices(
  target: RunnableArgument,
  question: Question,
  timezone: string,
  world: RunWorld,
): Promise<readonly Choice[] | undefined> {
  const requests: RequestTrace[] = [];
  const watched = watchForEcho((trace) => void requests.push(trace));
  const choices = await inProcess(world, (openWorld) => ask(target, question, timezone, openWorld, watched.observer)).catch(
    (error: unknown) => {
      if (watched.echo() === undefined) throw explainCall(error, { kind: target.kind, name: target.name }, requests, world);
      return [];
    },
  );
  const echo = watched.echo()?.request.echoed;
  if (choices?.length !== 0) return choices;
  const reason = explainEmptyList(requests.at(-1), world);
  if (echo === undefined && reason !== undefined) throw new PackAuthError("response-invalid", reason);
  if (echo === undefined) return choices;
  throw new PackAuthError("sandbox-failed", `${echo.message} Add an answer to sandbox.json.`);
}

async function ask(
  target: RunnableArgument,
  question: Question,
  timezone: string,
  world: OpenWorld,
  observer: RunObserver,
): Promise<readonly Choice[] | undefined> {
  const values = valuesOf(world.pack, target, question, timezone);
  const { property, search } = question;
  refuseMasked([values, property ?? null]);
  if (property === undefined) {
    const result = await execute(inputOf(choicesTarget(target, question, values), [], { timezone }), world, observer);
    return result && fitting(listOf(result.value).flatMap(choicesOf), search);
  }
  const { name, row, dynamicUrl } = property;
  const table = world.pack.definition.syncTables.find((candidate) => candidate.name === target.name);
  const parameters = table?.parameters.map((parameter) => values[parameter.name]) ?? [];
  const optionsTarget = {
    kind: "propertyOptions",
    table: target.name,
    property: name,
    search,
    values: row,
    ...defined({ dynamicUrl }),
  } as const;
  const result = await findPropertyOptions(inputOf(optionsTarget, parameters, { timezone }), world, observer);
  return result && fitting(listOf(result.value).map(optionOf), search);
}

const choicesTarget = (
  { kind, name }: RunnableArgument,
  { parameter, search }: Question,
  values: Readonly<Record<string, ParameterValue>>,
): RunTarget =>
  parameter === undefined
    ? { kind: "table", name, function: "listDynamicUrls" }
    : { kind: "autocomplete", formula: name, parameter, search, values, ...(kind === "syncTable" ? { ofSyncTable: true } : {}) };

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the valid parameters of the form by name. */
function valuesOf(pack: Pack, target: RunnableArgument, { fields }: Question, timezone: string): Readonly<Record<string, ParameterValue>> {
  const { parameters } = readForm(fields, findRunnable(pack, target)?.definition, timezone);
  const named = fields.map(({ key }, index) => [key, parameters[index]] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

/** Filters as the platform does: a pack may return everything that it has. */
function fitting(choices: readonly Choice[], search: string): readonly Choice[] {
  const query = search.trim().toLowerCase();
  return choices.filter(({ display, value }) => `${display} ${value}`.toLowerCase().includes(query)).slice(0, MOST);
}

function optionOf(item: unknown): Choice {
  const value = isLabelled(item) ? item.value : item;
  const display = isLabelled(item) ? item.display : item;
  return { display: typeof display === "string" ? display : JSON.stringify(display), value: JSON.stringify(value) };
}

/** Returns the choice, or nothing for a value of another form. */
function choicesOf(item: unknown): readonly Choice[] {
  if (typeof item === "string" || typeof item === "number") return [{ display: String(item), value: String(item) }];
  if (item === null || typeof item !== "object") return [];
  const { display, value } = item as { display?: unknown; value?: unknown };
  if (typeof value !== "string" && typeof value !== "number") return [];
  return [{ display: typeof display === "string" ? display : String(value), value: String(value) }];
}
