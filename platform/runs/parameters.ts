// Reads parameter values from what a person typed, and checks parameter values that arrived as JSON.
import type { ParameterDefinition } from "../../protocol/definition.ts";
import type { ParameterValue } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import { isDateRange, resolveDates } from "./date-range.ts";
import { readDate } from "./read-date.ts";

/** A formula or a sync table. */
export interface ParameterizedDefinition {
  readonly name: string;
  readonly parameters: readonly ParameterDefinition[];
  /** Parameters that may be repeated as a group after the others, any number of times. */
  readonly varargParameters: readonly ParameterDefinition[];
}

/**
 * Converts strings, in the order of the parameters, to values. A blank string leaves out an optional parameter, and undefined leaves out
 * any parameter. Lists are written `a, b, c` or as JSON. Throws invalid-parameter naming the first parameter that does not fit.
 */
export function readParameters(
  texts: readonly (string | undefined)[],
  runnable: ParameterizedDefinition,
  timezone: string,
): readonly ParameterValue[] {
  const values = texts.map((text, index) => {
    const parameter = parameterAt(index, runnable);
    if (parameter === undefined) throw tooMany(texts.length, runnable);
    return text === undefined ? undefined : readText(text, parameter);
  });
  return checkParameters(values, runnable, timezone);
}

/** Reads each string on its own as {@link readParameters} does, and returns its value or its error. */
export function readEach(
  texts: readonly (string | undefined)[],
  runnable: ParameterizedDefinition,
  timezone: string,
): readonly ({ readonly value: ParameterValue } | PackAuthError)[] {
  return texts.map((text, index) => {
    const parameter = parameterAt(index, runnable);
    if (parameter === undefined) return tooMany(texts.length, runnable);
    try {
      const alone = { name: runnable.name, parameters: [parameter], varargParameters: [] };
      return { value: readParameters([text], alone, timezone)[0] };
    } catch (error) {
      if (error instanceof PackAuthError) return error;
      throw error;
    }
  });
}

/**
 * Checks that each value is of its parameter's kind, and returns the values. Dates without a zone are in `timezone`. Throws invalid-parameter.
 */
export function checkParameters(
  values: readonly ParameterValue[],
  runnable: ParameterizedDefinition,
  timezone: string,
): readonly ParameterValue[] {
  if (values.length > runnable.parameters.length && runnable.varargParameters.length === 0) throw tooMany(values.length, runnable);
  const missing = namedAndRepeated(values.length, runnable).find((parameter, index) => !parameter.optional && isLeftOut(values[index]));
  if (missing !== undefined) {
    const group = runnable.varargParameters;
    const together =
      group.length > 1 && group.includes(missing)
        ? ` ${group.map(({ name }) => name).join(", ")} belong together. You can repeat them.`
        : "";
    throw new PackAuthError("invalid-parameter", `${runnable.name} needs a value for ${missing.name}.`, {
      hint: `${missing.name} is ${describeParameter(missing)}.${together}${suggested(missing)}`,
      field: missing.name,
    });
  }
  return checkPartialParameters(values, runnable, timezone);
}

/**
 * Checks values as {@link checkParameters} does, for functions that run before all parameters are filled in. Required parameters may be
 * missing too.
 */
export function checkPartialParameters(
  values: readonly ParameterValue[],
  runnable: ParameterizedDefinition,
  timezone: string,
): readonly ParameterValue[] {
  return values.map((value, index) => {
    const parameter = parameterAt(index, runnable);
    if (parameter === undefined || isLeftOut(value)) return value;
    if (!fits(value, parameter)) throw misfit(parameter);
    // Dates become moments: the pack gets a Date, which has no time zone.
    return parameter.kind === "date" ? resolveDates(value, timezone) : value;
  });
}

/** Returns the parameters for a number of values. A group of repeated parameters is always complete. */
function namedAndRepeated(count: number, { parameters, varargParameters }: ParameterizedDefinition): readonly ParameterDefinition[] {
  const further = Math.max(0, count - parameters.length);
  const groups = varargParameters.length === 0 ? 0 : Math.ceil(further / varargParameters.length);
  return [...parameters, ...Array.from({ length: groups }, () => varargParameters).flat()];
}

/** Returns the parameter at a position. After the named parameters the varargs repeat as a group. */
function parameterAt(index: number, { parameters, varargParameters }: ParameterizedDefinition): ParameterDefinition | undefined {
  return index < parameters.length
    ? parameters[index]
    : varargParameters[(index - parameters.length) % Math.max(1, varargParameters.length)];
}

const isLeftOut = (value: ParameterValue): boolean => value === undefined || value === null;

function readText(text: string, parameter: ParameterDefinition): ParameterValue {
  const isBlank = text.trim() === "";
  if (isBlank && parameter.optional) return undefined;
  if (parameter.shape === "scalar") return isBlank && parameter.kind !== "string" ? undefined : readScalar(text, parameter);
  if (isBlank) return [];
  if (parameter.kind === "date" && isDateRange(text.trim())) return { $range: text.trim() };
  return readList(text, parameter).map((item, index) => {
    if (item === null || item === "") return parameter.shape === "sparseArray" ? null : misfitOf(parameter, index + 1);
    return typeof item === "string" ? readScalar(item, parameter, index + 1) : item;
  });
}

function readList(text: string, parameter: ParameterDefinition): readonly unknown[] {
  if (!text.trim().startsWith("[")) return text.split(",").map((item) => item.trim());
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // The error is thrown below: a string that begins with `[` and is not valid JSON is a typing error.
  }
  throw new PackAuthError(
    "invalid-parameter",
    `${parameter.name} must be ${describeParameter(parameter)}. This looks like a JSON array, and is not valid.`,
    {
      field: parameter.name,
      hint: `Write ["a", "b"], or a, b without brackets.`,
    },
  );
}

/** `item` is the item's position in a list, counted from one. */
function readScalar(text: string, parameter: ParameterDefinition, item?: number): ParameterValue {
  const trimmed = text.trim();
  switch (parameter.kind) {
    case "number":
      return trimmed !== "" && Number.isFinite(Number(trimmed)) ? Number(trimmed) : misfitOf(parameter, item);
    case "boolean":
      return /^(true|false)$/i.test(trimmed) ? trimmed.toLowerCase() === "true" : misfitOf(parameter, item);
    case "date":
      return { $date: trimmed };
    case "json":
      return parsed(trimmed) ?? misfitOf(parameter, item);
    default:
      return text;
  }
}

/** Returns undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fits(value: ParameterValue, parameter: ParameterDefinition): boolean {
  if (parameter.shape === "scalar") return fitsScalar(value, parameter);
  if (parameter.kind === "date" && isDateRange((value as { $range?: unknown } | null)?.$range)) return true;
  return Array.isArray(value) && value.every((item) => (item === null ? parameter.shape === "sparseArray" : fitsScalar(item, parameter)));
}

function fitsScalar(value: unknown, { kind }: ParameterDefinition): boolean {
  switch (kind) {
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "date": {
      const text = (value as { $date?: unknown } | null)?.$date;
      return typeof text === "string" && readDate(text) !== undefined;
    }
    case "json":
    case "unknown":
      return true;
    default:
      return typeof value === "string";
  }
}

const KIND_LABELS: Readonly<Record<ParameterDefinition["kind"], readonly [one: string, many: string]>> = {
  string: ["a string", "strings"],
  number: ["a number", "numbers"],
  boolean: ["true or false", "true and false"],
  date: ["a date such as 2026-12-01 or 2026-12-01T10:00", "dates such as 2026-12-01 or 2026-12-01T10:00"],
  html: ["a string of HTML", "strings of HTML"],
  image: ["the URL of an image", "URLs of images"],
  file: ["the URL of a file", "URLs of files"],
  markdown: ["a string of Markdown", "strings of Markdown"],
  email: ["an e-mail address", "e-mail addresses"],
  json: ["JSON", "JSON values"],
  unknown: ["a value", "values"],
};

function describeParameter({ kind, shape }: ParameterDefinition): string {
  const [one, many] = KIND_LABELS[kind];
  if (shape === "scalar") return one;
  if (kind === "date") return `an array of ${many}, or a range such as last_30_days`;
  return `an array of ${many}${shape === "sparseArray" ? ", empty values allowed" : " without empty values"}`;
}

/** The platform fills in the suggested value for its users. Here the message names it. */
const suggested = ({ suggestedValue, kind }: ParameterDefinition): string =>
  suggestedValue === undefined || kind === "date" ? "" : ` The pack suggests ${JSON.stringify(suggestedValue)}.`;

const misfit = (parameter: ParameterDefinition, item?: number): PackAuthError =>
  new PackAuthError(
    "invalid-parameter",
    `${parameter.name} must be ${describeParameter(parameter)}${item === undefined ? "" : `: item ${item} does not fit`}.`,
    { field: parameter.name },
  );

function misfitOf(parameter: ParameterDefinition, item?: number): never {
  throw misfit(parameter, item);
}

const countOfParameters = (count: number): string => (count === 1 ? "1 parameter" : `${count} parameters`);

function tooMany(count: number, runnable: ParameterizedDefinition): PackAuthError {
  const names = runnable.parameters.map((parameter) => parameter.name).join(", ") || "none";
  return new PackAuthError(
    "invalid-parameter",
    `${runnable.name} takes ${countOfParameters(runnable.parameters.length)}, and got ${count}.`,
    {
      hint: `Its parameters: ${names}.`,
    },
  );
}
