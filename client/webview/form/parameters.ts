// The fields of the form: one for each parameter, and for each repetition of the repeated ones.
import type { ParameterDefinition } from "../../../protocol/definition.ts";
import type { FieldText, FormValues, Runnable, ToolForm } from "../../../protocol/panel.ts";
import { ACCOUNT, DYNAMIC_URL, ROW_LIMIT, TOOL } from "../state.ts";
import { repeatedKey, repetitions } from "./repetitions.ts";

/** A field of the form: a parameter, or a repetition of a repeated parameter. */
export interface Field {
  /** The unique key of its text in the form's values. */
  readonly key: string;
  readonly label: string;
  readonly parameter: ParameterDefinition;
}

/** Element IDs of the fields that are not parameters. */
const OWN_FIELDS: ReadonlyMap<string, string> = new Map([
  [ACCOUNT, "account"],
  [ROW_LIMIT, "row-limit"],
  [DYNAMIC_URL, "dynamic-url"],
  [TOOL, "tool"],
]);

/** Returns the ID of a field's element. */
export const fieldId = (key: string): string => OWN_FIELDS.get(key) ?? `param-${key}`;

/** Returns the selected table of a dynamic one. */
export const dynamicUrlOf = (values: FormValues): string | undefined => values[DYNAMIC_URL]?.trim() || undefined;

export function repeatedFields(runnable: Runnable, values: FormValues): readonly Field[] {
  return Array.from({ length: repetitions(values) }, (_, repetition) =>
    runnable.definition.varargParameters.map((parameter) => ({
      key: repeatedKey(parameter.name, repetition),
      label: `${parameter.name} ${repetition + 1}`,
      parameter,
    })),
  ).flat();
}

export function fieldsOf(runnable: Runnable, values: FormValues): readonly Field[] {
  const { parameters } = toolOf(runnable, values) ?? runnable.definition;
  return parameters.map((parameter) => ({ key: parameter.name, label: parameter.name, parameter }));
}

/** Returns the selected tool of an MCP server, if the server has it. */
export const toolOf = (runnable: Runnable | undefined, values: FormValues): ToolForm | undefined =>
  runnable?.kind === "mcpServer" ? runnable.tools.find(({ name }) => name === values[TOOL]) : undefined;

/** Returns the texts of the fields in the order of the parameters, which the host parses. */
export function fieldTexts(runnable: Runnable, values: FormValues): readonly FieldText[] {
  return [...fieldsOf(runnable, values), ...repeatedFields(runnable, values)].map(({ key }) => ({ key, text: values[key] ?? "" }));
}
