// The form's texts → parameter values, checked before the run with the message at the field.
import type { FormValues, ParameterDefinition, Runnable } from "../../protocol/panel.ts";

/** A field of the form: a parameter, or one of a repetition of the parameters that repeat. */
export interface Field {
  /** The key of its text in the form's values; unique. */
  readonly key: string;
  readonly label: string;
  readonly parameter: ParameterDefinition;
}

export interface Collected {
  readonly parameters: readonly unknown[];
  /** Field key → what is wrong with its text. */
  readonly problems: Readonly<Record<string, string>>;
}

/** The form value that says how often the repeated parameters are there. */
export const REPETITIONS = "#repetitions";
export const MOST_REPETITIONS = 50;

export function repetitions(values: FormValues): number {
  const count = Number(values[REPETITIONS] ?? "0");
  return Number.isInteger(count) ? Math.min(Math.max(count, 0), MOST_REPETITIONS) : 0;
}

/** The fields of one repetition, counted from 0. */
export function repeatedFields(runnable: Runnable, repetition: number): readonly Field[] {
  return runnable.definition.varargParameters.map((parameter) => ({
    key: `${parameter.name}#${repetition}`,
    label: `${parameter.name} ${repetition + 1}`,
    parameter,
  }));
}

export function fieldsOf(runnable: Runnable): readonly Field[] {
  return runnable.definition.parameters.map((parameter) => ({ key: parameter.name, label: parameter.name, parameter }));
}

export function collect(runnable: Runnable, values: FormValues): Collected {
  const problems: Record<string, string> = {};
  const count = runnable.definition.varargParameters.length === 0 ? 0 : repetitions(values);
  const fields = [...fieldsOf(runnable), ...Array.from({ length: count }, (_, index) => repeatedFields(runnable, index)).flat()];
  const parameters = fields.map(({ key, parameter }) => {
    const parsed = parse(values[key] ?? "", parameter);
    if ("value" in parsed) return parsed.value;
    problems[key] = parsed.problem;
    return undefined;
  });
  return { parameters, problems };
}

/** The values of the fields that can be read, by parameter name: what an autocomplete may depend on. */
export function readableValues(runnable: Runnable, values: FormValues): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const { key, parameter } of fieldsOf(runnable)) {
    const parsed = parse(values[key] ?? "", parameter);
    if ("value" in parsed && parsed.value !== undefined) found[key] = parsed.value;
  }
  return found;
}

/** What the toolkit's PrecannedDateRange looks like; whether there is such a range is told by the run. */
const RANGE = /^(?:today|yesterday|tomorrow|everything|[a-z]+(?:_[a-z0-9]+)+)$/;

type Parsed = { readonly value: unknown } | { readonly problem: string };

function parse(text: string, parameter: ParameterDefinition): Parsed {
  const blank = text.trim() === "";
  if (blank && parameter.optional) return { value: undefined };
  if (parameter.shape === "scalar")
    return blank && parameter.kind !== "string" ? { problem: "A value is required." } : scalar(text, parameter);
  if (blank) return { value: [] };
  if (parameter.kind === "date" && RANGE.test(text.trim())) return { value: { $range: text.trim() } };
  const items = list(text);
  if (items === undefined) return { problem: 'A list is wanted: a, b, c or ["a", "b"].' };
  const values: unknown[] = [];
  for (const item of items) {
    if (item === null || item === "") {
      if (parameter.shape !== "sparseArray") return { problem: "The list takes no blanks." };
      values.push(null);
      continue;
    }
    const parsed = scalar(typeof item === "string" ? item : JSON.stringify(item), parameter);
    if ("problem" in parsed) return parsed;
    values.push(parsed.value);
  }
  return { value: values };
}

function list(text: string): readonly unknown[] | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith("[")) return trimmed.split(",").map((item) => item.trim());
  try {
    const parsed: unknown = JSON.parse(trimmed);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function scalar(text: string, parameter: ParameterDefinition): Parsed {
  const trimmed = text.trim();
  switch (parameter.kind) {
    case "number":
      return trimmed !== "" && Number.isFinite(Number(trimmed)) ? { value: Number(trimmed) } : { problem: "A number is wanted." };
    case "boolean":
      return /^(true|false)$/i.test(trimmed) ? { value: /^true$/i.test(trimmed) } : { problem: "true or false is wanted." };
    case "date":
      // As written: the zone of what names none is the document's, which the host knows, and not this window's.
      return Number.isNaN(Date.parse(trimmed)) ? { problem: "A date such as 2026-12-01 is wanted." } : { value: { $date: trimmed } };
    default:
      return { value: text };
  }
}
