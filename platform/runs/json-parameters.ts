// Reads parameters that a caller wrote as JSON: an array in their order, or an object by their names.
import { closest } from "../../base/closest.ts";
import { PackAuthError } from "../errors.ts";
import type { ParameterizedDefinition } from "./parameters.ts";

/**
 * Returns the text of each parameter in order, for readParameters. An array under the name of a repeated parameter has one item for each
 * repetition. Throws invalid-parameter for an unknown name.
 */
export function jsonParameters(value: object, runnable: ParameterizedDefinition): readonly (string | undefined)[] {
  if (Array.isArray(value)) return value.map(parameterText);
  checkNames(Object.keys(value), runnable);
  const valuesByName = new Map<string, unknown>(Object.entries(value));
  const { parameters, varargParameters } = runnable;
  const repeated = varargParameters.map(({ name }) => listOf(valuesByName.get(name)));
  const times = Math.max(0, ...repeated.map((list) => list.length));
  const further = Array.from({ length: times }, (_, time) => repeated.map((list) => list[time])).flat();
  return [...parameters.map(({ name }) => valuesByName.get(name)), ...further].map(parameterText);
}

/** Throws invalid-parameter if the runnable has no parameter of one of the names. */
export function checkNames(keys: readonly string[], { name, parameters, varargParameters }: ParameterizedDefinition): void {
  const names = [...parameters, ...varargParameters].map((parameter) => parameter.name);
  const stranger = keys.find((key) => !names.includes(key));
  if (stranger === undefined) return;
  const near = closest(stranger, names);
  throw new PackAuthError("invalid-parameter", `${name} has no parameter ${stranger}.`, {
    hint: near === undefined ? `It has: ${names.join(", ") || "none"}.` : `Did you mean ${near}?`,
    field: stranger,
  });
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

/** Returns the text for a JSON value. A date may have the form that it has in a report. */
export function parameterText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  const date = (value as { $date?: unknown }).$date;
  return typeof date === "string" ? date : JSON.stringify(value);
}
