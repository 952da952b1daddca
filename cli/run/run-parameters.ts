// Reads the parameters of a call of `pack-auth run`: words in order, or JSON with an array or an object by name.

import { errorMessage } from "../../base/error-message.ts";
import { checkNames, jsonParameters, parameterText } from "../../platform/runs/json-parameters.ts";
import { type ParameterizedDefinition, readParameters } from "../../platform/runs/parameters.ts";
import type { ParameterValue } from "../../protocol/run.ts";
import { formatMessage, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { RunCall } from "./run-options.ts";

/**
 * A missing required parameter gets the pack's suggested value, as in the panel's form, and a line on standard error reports it. This does
 * not happen if the run `changesData` of a real account. Throws UsageError, and invalid-parameter if a word does not fit.
 */
export function parametersOf(
  { errorOutput }: Terminal,
  { json, parameters, timezone, sandbox }: RunCall,
  runnable: ParameterizedDefinition,
  { changesData = false } = {},
): readonly ParameterValue[] {
  const rawValues = json === undefined ? parameters : jsonParameters(jsonOf(json), runnable);
  const suggestions = changesData && !sandbox ? [] : suggestionsFor(rawValues, runnable);
  const count = Math.max(rawValues.length, ...suggestions.map(({ index }) => index + 1));
  const filled = Array.from({ length: count }, (_, at) => rawValues[at] ?? suggestions.find(({ index }) => index === at)?.word);
  const values = readParameters(filled, runnable, timezone);
  for (const { name, shown } of suggestions)
    errorOutput.write(formatMessage`${printable(name)} is missing. The run uses ${printable(shown)}, which the pack suggests.\n`);
  return values;
}

function suggestionsFor(rawValues: readonly (string | undefined)[], { parameters }: ParameterizedDefinition) {
  return parameters.flatMap(({ name, optional, suggestedValue }, index) => {
    const word = optional || rawValues[index] !== undefined ? undefined : parameterText(suggestedValue);
    return word === undefined ? [] : [{ index, name, word, shown: JSON.stringify(suggestedValue) }];
  });
}

/**
 * Returns the parameters that --params names, in their order, for functions that run before the form is complete. Throws as {@link
 * parametersOf} does.
 */
export function readNamedParameters(call: RunCall, runnable: ParameterizedDefinition): readonly ParameterValue[] {
  if (call.json === undefined) return [];
  const values = valuesOf(call.json, runnable, call.timezone);
  return runnable.parameters.map(({ name }) => values[name]);
}

/** Returns the parameters that the JSON names, by name. Parameters may be missing. Throws as {@link parametersOf} does. */
export function valuesOf(text: string, runnable: ParameterizedDefinition, timezone: string): Readonly<Record<string, ParameterValue>> {
  const { parameters, name } = runnable;
  const parsedJson = jsonOf(text);
  if (Array.isArray(parsedJson)) throw new UsageError("Write --params as an object by the parameters' names.");
  checkNames(Object.keys(parsedJson), runnable);
  const filled = parameters.filter((parameter) => Object.hasOwn(parsedJson, parameter.name));
  const values = readParameters(
    filled.map((parameter) => parameterText((parsedJson as Record<string, unknown>)[parameter.name])),
    { name, parameters: filled, varargParameters: [] },
    timezone,
  );
  return Object.fromEntries(filled.map((parameter, index) => [parameter.name, values[index]]));
}

function jsonOf(text: string): object {
  const value = readJsonOption("--params", text);
  if (value === null || typeof value !== "object")
    throw new UsageError("Write --params as a JSON array, or as an object by the parameters' names.");
  return value;
}

/** Returns the value of a JSON option. Throws UsageError. */
export function readJsonOption(option: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${option} is not valid JSON: ${errorMessage(error)}`);
  }
}
