// The form's texts → parameter values, checked before the run with the message at the field.
import type { ParameterDefinition, Runnable } from "../../protocol/panel.ts";

export interface Collected {
  readonly parameters: readonly unknown[];
  readonly problems: Readonly<Record<string, string>>;
}

export function collect(runnable: Runnable, values: Readonly<Record<string, string>>): Collected {
  const problems: Record<string, string> = {};
  const parameters = runnable.definition.parameters.map((parameter) => {
    const parsed = parse(values[parameter.name] ?? "", parameter);
    if (typeof parsed === "object" && parsed !== null && "problem" in parsed) {
      problems[parameter.name] = parsed.problem;
      return undefined;
    }
    return parsed.value;
  });
  return { parameters, problems };
}

type Parsed = { readonly value: unknown } | { readonly problem: string };

function parse(text: string, parameter: ParameterDefinition): Parsed {
  const blank = text.trim() === "";
  if (blank && parameter.optional) return { value: undefined };
  if (parameter.shape === "scalar")
    return blank && parameter.kind !== "string" ? { problem: "A value is required." } : scalar(text, parameter);
  if (blank) return { value: [] };
  const items = list(text);
  if (items === undefined) return { problem: 'A list: a, b, c or ["a", "b"].' };
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
      return Number.isFinite(Number(trimmed)) ? { value: Number(trimmed) } : { problem: "A number is wanted." };
    case "boolean":
      return /^(true|false)$/i.test(trimmed) ? { value: /^true$/i.test(trimmed) } : { problem: "true or false is wanted." };
    case "date": {
      const date = new Date(trimmed);
      return Number.isNaN(date.getTime()) ? { problem: "A date such as 2026-12-01 is wanted." } : { value: { $date: date.toISOString() } };
    }
    default:
      return { value: text };
  }
}
