// The fields of the form: one for each parameter, and for each repetition of those that repeat.
import type { ParameterDefinition } from "../../../protocol/definition.ts";
import type { FieldText, FormValues, Runnable, ToolForm } from "../../../protocol/panel.ts";
import { ACCOUNT, DYNAMIC_URL, ROW_LIMIT, TOOL } from "../state.ts";
import { repeatedKey, repetitions } from "./repetitions.ts";

/** A field of the form: a parameter, or one of a repetition of the parameters that repeat. */
export interface Field {
  /** The key of its text in the form's values; unique. */
  readonly key: string;
  readonly label: string;
  readonly parameter: ParameterDefinition;
}

/** The elements of the fields that are no parameters. */
const OWN_FIELDS: ReadonlyMap<string, string> = new Map([
  [ACCOUNT, "account"],
  [ROW_LIMIT, "row-limit"],
  [DYNAMIC_URL, "dynamic-url"],
  [TOOL, "tool"],
]);

/** The id of the element of a field. */
export const fieldId = (key: string): string => OWN_FIELDS.get(key) ?? `param-${key}`;

/** Which of a dynamic table's tables. */
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

/** The tool of an MCP server that is chosen, where the server has it. */
export const toolOf = (runnable: Runnable | undefined, values: FormValues): ToolForm | undefined =>
  runnable?.kind === "mcpServer" ? runnable.tools.find(({ name }) => name === values[TOOL]) : undefined;

/** What the fields hold, in the order of the parameters: the host reads it. */
export function fieldTexts(runnable: Runnable, values: FormValues): readonly FieldText[] {
  return [...fieldsOf(runnable, values), ...repeatedFields(runnable, values)].map(({ key }) => ({ key, text: values[key] ?? "" }));
}
