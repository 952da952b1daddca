// The frame of a verb with several acts, such as `pack-auth accounts remove`. Each act is an operation.
import type { OperationId } from "../operations/operations.ts";
import { INPUTS } from "./inputs.ts";
import { inputOptions } from "./operation-inputs.ts";
import { callOperation, type Shell, type ShownOutput } from "./operation-verb.ts";
import { type OptionSpecs, type OptionValues, readOptions, type Values, type VerbHelp } from "./options.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { UsageError } from "./usage-error.ts";

interface Act {
  readonly usage: string;
  readonly about: string;
  readonly options: OptionSpecs;
  call(verb: string, options: OptionValues, terminal: Terminal): Promise<number>;
}

type Json = typeof JSON_OPTION;

/** The options besides the inputs, and how the output is printed as text or as JSON. */
interface ActShell<Id extends OperationId> extends Pick<Shell<Id, Json>, "stopped" | "part"> {
  readonly options?: OptionSpecs;
  readonly print: (output: ShownOutput<Id>, terminal: Terminal) => void;
  /** By default the output as it is. */
  readonly json?: (output: ShownOutput<Id>) => object;
  /** Says on standard error what both forms lack. Returns the exit code, by default 0. */
  readonly end?: (output: ShownOutput<Id>, terminal: Terminal) => number;
}

/** Returns an act, whose result can be printed as JSON. `usage` is what follows the verb in a call, such as `remove LABEL`. */
export function act<Id extends OperationId>(id: Id, usage: string, shell: ActShell<Id>): Act {
  const { about, inputs } = INPUTS[id];
  const { options, print, json = (output) => output, end = () => 0, ...rest } = shell;
  const show: Shell<Id, Json>["show"] = (output, { terminal, values }) => {
    if (values.json) writeJson(terminal, json(output));
    else print(output, terminal);
    return end(output, terminal);
  };
  return {
    usage,
    about,
    options: { ...inputOptions(inputs), ...options, ...JSON_OPTION },
    call: (verb, optionValues, terminal) => callOperation(id, `${verb} ${usage} [options]`, { ...rest, show }, optionValues, terminal),
  };
}

export const JSON_OPTION = { json: { help: "print the result as JSON" } } as const satisfies OptionSpecs;

/** The options of a verb that printed JSON by --format only. */
export const FORMAT_OPTIONS = {
  format: { argument: "pretty|json", choices: ["pretty", "json"], help: "format of the report (default: pretty)" },
  json: { help: "the same as --format json" },
} as const satisfies OptionSpecs;

export const printsJson = ({ format, json }: Values<typeof FORMAT_OPTIONS>): boolean => json === true || format === "json";

/** Prints a result as JSON. */
export const writeJson = ({ output }: Terminal, result: object): void =>
  output.writeJson(`${JSON.stringify({ version: 1, ...result }, null, 2)}\n`);

/** Acts by their names. The first is the default one. */
type Acts = Readonly<Record<string, Act>>;

/** Returns the help text's parts of a verb with acts. */
export function actsHelp(verb: string, acts: Acts, { about, more }: Pick<VerbHelp, "about" | "more">): VerbHelp {
  const all = Object.values(acts);
  const width = Math.max(...all.map(({ usage }) => usage.length));
  const rows = all.map((each) => `  ${each.usage.padEnd(width)}   ${each.about.replaceAll("\n", `\n${" ".repeat(width + 5)}`)}`);
  return {
    usage: `${verb} [${all.map(({ usage }) => usage).join(" | ")}] [options]`,
    about: `${about}\n\n${rows.join("\n")}`,
    options: Object.assign({}, ...all.map(({ options }) => options)),
    acts: Object.keys(acts),
    more,
  };
}

/** Returns a verb whose first word is an act. */
export const verbOfActs =
  (verb: string, acts: Acts, help: VerbHelp) =>
  async (args: readonly string[], terminal: Terminal): Promise<number> => {
    const call = readOptions(help, args, terminal);
    if (call === undefined) return 0;
    const names = Object.keys(acts);
    const [name = names[0] ?? "", ...positionals] = call.positionals;
    const chosen = Object.hasOwn(acts, name) ? acts[name] : undefined;
    if (chosen === undefined) throw new UsageError(`Use ${names.slice(0, -1).join(", ")} or ${names.at(-1)}. There is no ${verb} ${name}.`);
    const stranger = Object.keys(call.values).find((option) => !Object.hasOwn(chosen.options, option));
    if (stranger !== undefined)
      throw new UsageError(`Remove --${stranger}: ${verb} ${name} does not take it. See pack-auth ${verb} --help.`);
    return chosen.call(verb, { values: call.values, positionals }, terminal);
  };
