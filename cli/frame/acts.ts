// The frame of a verb with several acts, such as `pack-auth accounts remove`. Each act is an operation.
import type { OperationId } from "../../operations/operations.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { INPUTS } from "./inputs.ts";
import { inputOptions } from "./operation-inputs.ts";
import { callOperation, JSON_OPTION, QUIET_OPTION, type Shell } from "./operation-verb.ts";
import { type OptionSpecs, type OptionValues, type Verb, type VerbHelp, verb } from "./options.ts";

interface Act {
  readonly usage: string;
  readonly about: string;
  readonly options: OptionSpecs;
  call(name: string, options: OptionValues, terminal: Terminal): Promise<number>;
}

/** Returns an act, whose result can be printed as JSON. `usage` is what follows the verb in a call, such as `remove LABEL`. */
export function act<Id extends OperationId>(
  id: Id,
  usage: string,
  { options, ...shell }: Shell<Id, typeof JSON_OPTION> & { readonly options?: OptionSpecs },
): Act {
  const { about, inputs } = INPUTS[id];
  return {
    usage,
    about,
    options: { ...inputOptions(inputs), ...options, ...JSON_OPTION, ...QUIET_OPTION },
    call: (name, optionValues, terminal) => callOperation(id, `${name} ${usage} [options]`, shell, optionValues, terminal),
  };
}

/** Acts by their names. The first is the default one. */
type Acts = Readonly<Record<string, Act>>;

/** Returns a verb whose first word is an act. */
export function verbOfActs(name: string, acts: Acts, { about, more }: Pick<VerbHelp, "about" | "more">): Verb {
  const all = Object.values(acts);
  const width = Math.max(...all.map(({ usage }) => usage.length));
  const rows = all.map((each) => `  ${each.usage.padEnd(width)}   ${each.about.replaceAll("\n", `\n${" ".repeat(width + 5)}`)}`);
  const names = Object.keys(acts);
  const help: VerbHelp = {
    usage: `${name} [${all.map(({ usage }) => usage).join(" | ")}] [options]`,
    about: `${about}\n\n${rows.join("\n")}`,
    options: Object.assign({}, ...all.map(({ options }) => options)),
    acts: names,
    more,
  };
  return verb(help, ({ values, positionals: [first = names[0] ?? "", ...positionals] }, terminal) => {
    const chosen = Object.hasOwn(acts, first) ? acts[first] : undefined;
    if (chosen === undefined)
      throw new UsageError(`Use ${names.slice(0, -1).join(", ")} or ${names.at(-1)}. There is no ${name} ${first}.`);
    const stranger = Object.keys(values).find((option) => !Object.hasOwn(chosen.options, option));
    if (stranger !== undefined)
      throw new UsageError(`Remove --${stranger}: ${name} ${first} does not take it. See pack-auth ${name} --help.`);
    return chosen.call(name, { values, positionals }, terminal);
  });
}
