// Reads the texts of the form as parameters, with the same reader as the command line. It reports problems by field.
import { wholeMessage } from "../../platform/errors.ts";
import { type ParameterizedDefinition, readEach } from "../../platform/runs/parameters.ts";
import type { FieldText } from "../../protocol/panel.ts";
import type { ParameterValue } from "../../protocol/run.ts";

export interface ReadForm {
  /** The values in the order of the fields; undefined for a field that is empty or wrong. */
  readonly parameters: readonly ParameterValue[];
  /** Field key → the problem with its text. */
  readonly problems: Readonly<Record<string, string>>;
}

/** An empty field is a missing parameter. Returns nothing for a function that the pack no longer has: the run reports that. */
export function readForm(fields: readonly FieldText[], runnable: ParameterizedDefinition | undefined, timezone: string): ReadForm {
  if (runnable === undefined) return { parameters: [], problems: {} };
  const problems: Record<string, string> = {};
  const texts = fields.map(({ text }) => (text === "" ? undefined : text));
  const parameters = readEach(texts, runnable, timezone).map((read, index) => {
    if (!(read instanceof Error)) return read.value;
    problems[fields[index]?.key ?? ""] = wholeMessage(read);
    return undefined;
  });
  return { parameters, problems };
}
