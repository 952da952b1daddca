// Reads the parameters of a run: words in order, or values in a list or by name.

import { checkNames, jsonParameters, parameterText } from "../../platform/runs/json-parameters.ts";
import { type ParameterizedDefinition, readParameters } from "../../platform/runs/parameters.ts";
import type { ParameterValue } from "../../protocol/run.ts";
import { InputError } from "../input-error.ts";
import type { ZonedRequest } from "./target-request.ts";

/** What fills in a parameter that a request lacks. */
export interface Filling {
  /** Whether the run changes nothing of a real account. */
  readonly isSandbox: boolean;
  /** Reports a value that the run uses by itself. */
  note(message: string): void;
}

/**
 * A missing required parameter gets the pack's suggested value, as in the panel's form, and a note reports it. This does not happen if the
 * run `changesData` of a real account. Throws invalid-parameter if a value does not fit.
 */
export function parametersOf(
  { words, parameters, timezone }: ZonedRequest,
  runnable: ParameterizedDefinition,
  { isSandbox, note, changesData = false }: Filling & { readonly changesData?: boolean },
): readonly ParameterValue[] {
  if (parameters !== undefined && words.length > 0)
    throw new InputError("parameters", "Write the parameters as words or as JSON, not both.");
  const rawValues = parameters === undefined ? words : jsonParameters(parameters, runnable);
  const suggestions = changesData && !isSandbox ? [] : suggestionsFor(rawValues, runnable);
  const count = Math.max(rawValues.length, ...suggestions.map(({ index }) => index + 1));
  const filled = Array.from({ length: count }, (_, at) => rawValues[at] ?? suggestions.find(({ index }) => index === at)?.word);
  const values = readParameters(filled, runnable, timezone);
  for (const { name, shown } of suggestions) note(`${name} is missing. The run uses ${shown}, which the pack suggests.`);
  return values;
}

function suggestionsFor(rawValues: readonly (string | undefined)[], { parameters }: ParameterizedDefinition) {
  return parameters.flatMap(({ name, optional, suggestedValue }, index) => {
    const word = optional || rawValues[index] !== undefined ? undefined : parameterText(suggestedValue);
    return word === undefined ? [] : [{ index, name, word, shown: JSON.stringify(suggestedValue) }];
  });
}

/** Returns the parameters by name in their order, for functions that run before the form is complete. Throws invalid-parameter. */
export function readNamedParameters(request: ZonedRequest, runnable: ParameterizedDefinition): readonly ParameterValue[] {
  if (request.parameters === undefined) return [];
  const values = valuesOf(request, runnable);
  return runnable.parameters.map(({ name }) => values[name]);
}

/** Returns the parameters that the request has, by name. Parameters may be missing. Throws invalid-parameter. */
export function valuesOf(
  { parameters: json = {}, timezone }: ZonedRequest,
  { parameters, name, varargParameters }: ParameterizedDefinition,
): Readonly<Record<string, ParameterValue>> {
  if (Array.isArray(json)) throw new InputError("parameters", "Write the parameters as an object by their names.");
  checkNames(Object.keys(json), { name, parameters, varargParameters });
  const filled = parameters.filter((parameter) => Object.hasOwn(json, parameter.name));
  const values = readParameters(
    filled.map((parameter) => parameterText((json as Record<string, unknown>)[parameter.name])),
    { name, parameters: filled, varargParameters: [] },
    timezone,
  );
  return Object.fromEntries(filled.map((parameter, index) => [parameter.name, values[index]]));
}
