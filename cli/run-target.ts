// What `pack-auth run` is asked to run: a name, perhaps with a function behind colons, and the parameters as words or JSON.
import { readParameters, type TakesParameters } from "../platform/parameters.ts";
import type { PackDefinition } from "../protocol/definition.ts";
import type { ParameterValue, RunTarget, TableFunction } from "../protocol/run.ts";
import { closest } from "../server/analysis/closest.ts";
import type { RunCall } from "./run-options.ts";
import { UsageError } from "./usage-error.ts";

export interface Asked {
  readonly target: RunTarget;
  readonly parameters: readonly ParameterValue[];
}

const TABLE_FUNCTIONS: readonly TableFunction[] = ["listDynamicUrls", "searchDynamicUrls", "getName", "getDisplayUrl", "getSchema"];

/** Throws UsageError, and invalid-parameter where a word does not fit. */
export function askedOf(call: RunCall, definition: PackDefinition): Asked {
  const [name = "", what, of, ...rest] = call.target.split(":");
  const url = call.dynamicUrl === undefined ? {} : { dynamicUrl: call.dynamicUrl };
  if (rest.length > 0) throw new UsageError(`${call.target} has too many colons. See pack-auth run --help.`);
  if (name === "Auth") return { target: authenticationTarget(what, of, call, definition), parameters: [] };
  const formula = definition.formulas.find((candidate) => candidate.name === name);
  const table = definition.syncTables.find((candidate) => candidate.name === name || `Sync${candidate.name}` === name);
  const runnable = formula ?? table;
  if (runnable === undefined) throw unknown(name, definition);
  if (what === undefined) {
    const parameters =
      call.json === undefined ? readParameters(call.parameters, runnable, call.timezone) : readJson(call.json, runnable, call.timezone);
    return { target: formula !== undefined ? { kind: "formula", name } : { kind: "syncTable", name: runnable.name, ...url }, parameters };
  }
  const search = call.parameters.join(" ");
  if (what === "autocomplete") {
    const names = [...runnable.parameters, ...runnable.varargParameters].filter((each) => each.hasAutocomplete).map((each) => each.name);
    if (names.length === 0) throw new UsageError(`No parameter of ${name} has autocomplete.`);
    if (of === undefined || !names.includes(of))
      throw new UsageError(`${name} has autocomplete for ${names.join(", ")}. Write ${name}:autocomplete:<parameter>.`);
    return {
      target: {
        kind: "autocomplete",
        formula: runnable.name,
        parameter: of,
        search,
        ...(call.json === undefined ? {} : { values: valuesOf(call.json, runnable, call.timezone) }),
        ...(formula === undefined ? { ofSyncTable: true } : {}),
        ...url,
      },
      parameters: [],
    };
  }
  const known = TABLE_FUNCTIONS.find((each) => each === what);
  if (known === undefined || table?.functions?.includes(known) !== true || of !== undefined)
    throw new UsageError(`${name} has no ${what}. It has: ${["autocomplete", ...(table?.functions ?? [])].join(", ")}.`);
  return { target: { kind: "table", name: table.name, function: known, search, ...url }, parameters: [] };
}

function authenticationTarget(what: string | undefined, of: string | undefined, call: RunCall, definition: PackDefinition): RunTarget {
  const scope = definition.userAuthentication === undefined ? "system" : "user";
  if (definition.userAuthentication === undefined && definition.systemAuthentication === undefined)
    throw new UsageError("The pack has no authentication.");
  if (what === "getConnectionName" || what === "getConnectionUserId") return { kind: "authentication", scope, function: { name: what } };
  if (what === "getOptions" && of !== undefined)
    return { kind: "authentication", scope, function: { name: "getOptions", step: of, search: call.parameters.join(" ") } };
  throw new UsageError("Auth has getConnectionName, getConnectionUserId and getOptions:<step>.");
}

function unknown(name: string, { formulas, syncTables }: PackDefinition): UsageError {
  const names = [...formulas, ...syncTables].map((each) => each.name);
  const near = closest(name, names);
  return new UsageError(
    `The pack has no formula or table ${name}. ${near === undefined ? `It has: ${names.join(", ") || "none"}.` : `Did you mean ${near}?`}`,
  );
}

/** What is filled in already, by name: as many of the parameters as there are. */
function valuesOf(text: string, runnable: TakesParameters, timezone: string | undefined): Readonly<Record<string, ParameterValue>> {
  const { parameters, name } = runnable;
  const given = jsonOf(text);
  if (Array.isArray(given)) throw new UsageError("Beside autocomplete, --params takes an object by the parameters' names.");
  checkNames(Object.keys(given), runnable);
  const filled = parameters.filter((parameter) => Object.hasOwn(given, parameter.name));
  const values = readParameters(
    filled.map((parameter) => wordOf((given as Record<string, unknown>)[parameter.name])),
    { name, parameters: filled, varargParameters: [] },
    timezone,
  );
  return Object.fromEntries(filled.map((parameter, index) => [parameter.name, values[index]]));
}

function jsonOf(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--params is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (value === null || typeof value !== "object")
    throw new UsageError("--params takes a JSON list, or an object by the parameters' names.");
  return value;
}

function checkNames(given: readonly string[], { name, parameters, varargParameters }: TakesParameters): void {
  const names = [...parameters, ...varargParameters].map((parameter) => parameter.name);
  const stranger = given.find((key) => !names.includes(key));
  if (stranger === undefined) return;
  const near = closest(stranger, names);
  throw new UsageError(
    `${name} has no parameter ${stranger}. ${near === undefined ? `It has: ${names.join(", ") || "none"}.` : `Did you mean ${near}?`}`,
  );
}

function readJson(text: string, runnable: TakesParameters, timezone: string | undefined): readonly ParameterValue[] {
  const value = jsonOf(text);
  if (Array.isArray(value)) return readParameters(value.map(wordOf), runnable, timezone);
  checkNames(Object.keys(value), runnable);
  const given = new Map<string, unknown>(Object.entries(value));
  const { parameters, varargParameters } = runnable;
  // A list under the name of a parameter that repeats: one item for each time.
  const repeated = varargParameters.map(({ name }) => listOf(given.get(name)));
  const times = Math.max(0, ...repeated.map((list) => list.length));
  const further = Array.from({ length: times }, (_, time) => repeated.map((list) => list[time])).flat();
  return readParameters([...parameters.map(({ name }) => given.get(name)), ...further].map(wordOf), runnable, timezone);
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

/** A JSON value as the word that means it; a date may stand as it does in a report. */
function wordOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  const date = (value as { $date?: unknown }).$date;
  return typeof date === "string" ? date : JSON.stringify(value);
}
