// What a person typed → the value that a parameter takes. Errors name the parameter and say what it takes.
import type { ParameterDefinition } from "../protocol/definition.ts";
import type { ParameterValue } from "../protocol/run.ts";

export type ParsedParameter = { readonly value: ParameterValue } | { readonly error: string };

/** Reads a text for a parameter; an empty text of an optional parameter is undefined. Lists are JSON, or items separated by commas. */
export function parseParameter(text: string, parameter: ParameterDefinition): ParsedParameter {
  if (text.trim() === "") {
    if (parameter.optional) return { value: undefined };
    if (parameter.shape === "scalar" && parameter.kind !== "string") return { error: `${parameter.name} is required.` };
    if (parameter.shape === "scalar") return { value: text };
  }
  if (parameter.shape === "scalar") return parseScalar(text, parameter);
  const items = listItems(text);
  if (items === undefined) return { error: `${parameter.name} takes a list: a, b, c or ["a", "b"].` };
  const values: ParameterValue[] = [];
  for (const item of items) {
    if (item === null || item === "") {
      if (parameter.shape !== "sparseArray") return { error: `${parameter.name} takes no blanks in its list.` };
      values.push(null);
      continue;
    }
    const parsed = parseScalar(typeof item === "string" ? item : JSON.stringify(item), parameter);
    if ("error" in parsed) return parsed;
    values.push(parsed.value);
  }
  return { value: values };
}

function listItems(text: string): readonly unknown[] | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  if (!trimmed.startsWith("[")) return trimmed.split(",").map((item) => item.trim());
  try {
    const parsed: unknown = JSON.parse(trimmed);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function parseScalar(text: string, parameter: ParameterDefinition): ParsedParameter {
  const trimmed = text.trim();
  switch (parameter.kind) {
    case "number": {
      const value = Number(trimmed);
      return trimmed !== "" && Number.isFinite(value)
        ? { value }
        : { error: `${parameter.name} takes a number, not ${JSON.stringify(text)}.` };
    }
    case "boolean":
      if (/^(true|yes|1)$/i.test(trimmed)) return { value: true };
      if (/^(false|no|0)$/i.test(trimmed)) return { value: false };
      return { error: `${parameter.name} takes true or false, not ${JSON.stringify(text)}.` };
    case "date": {
      const date = new Date(trimmed);
      return Number.isNaN(date.getTime())
        ? { error: `${parameter.name} takes a date such as 2026-12-01, not ${JSON.stringify(text)}.` }
        : { value: { $date: date.toISOString() } };
    }
    default:
      return { value: text };
  }
}
