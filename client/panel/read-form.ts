// The form's texts as parameters: read by the reader that the command line has, which says at each field what is wrong there.
import { wholeMessage } from "../../platform/errors.ts";
import { type ParameterizedDefinition, readEach } from "../../platform/runs/parameters.ts";
import type { FieldText } from "../../protocol/panel.ts";
import type { ParameterValue } from "../../protocol/run.ts";

export interface ReadForm {
  /** In the order of the fields; undefined where one is empty, or wrong. */
  readonly parameters: readonly ParameterValue[];
  /** Field key → what is wrong with its text. */
  readonly problems: Readonly<Record<string, string>>;
}

/** An empty field is a parameter that is not given. Nothing is read for what the pack has no more: the run says so. */
export function readForm(fields: readonly FieldText[], runnable: ParameterizedDefinition | undefined, timezone?: string): ReadForm {
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
