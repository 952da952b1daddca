// Options of all verbs: one table feeds Node's parser, the help text, and error messages that suggest a correction.
import { parseArgs } from "node:util";
import { closest } from "../../base/closest.ts";
import { printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage-error.ts";

export interface OptionSpec {
  /** The argument as the help text names it; undefined if the option has none. */
  readonly argument?: string;
  readonly help: string;
  /** Whether the option may be repeated. */
  readonly isList?: true;
  /** The possible values. The first one is the value of an absent option. */
  readonly choices?: readonly [string, ...string[]];
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** Describes how to call a verb: its help text, and the options to parse. */
export interface VerbHelp<S extends OptionSpecs = OptionSpecs> {
  /** Starts with the verb. */
  readonly usage: string;
  readonly about: string;
  readonly options: S;
  /** The acts that the first word may be. */
  readonly acts?: readonly string[];
  readonly more: string;
}

export type Values<S extends OptionSpecs> = {
  readonly [K in keyof S as S[K] extends { readonly choices: readonly string[] } ? K : never]: S[K] extends {
    readonly choices: readonly (infer Choice)[];
  }
    ? Choice
    : never;
} & {
  readonly [K in keyof S]?: S[K] extends { readonly isList: true }
    ? readonly string[]
    : S[K] extends { readonly argument: string }
      ? string
      : boolean;
};

export interface Options<S extends OptionSpecs> {
  readonly values: Values<S>;
  readonly positionals: readonly string[];
}

/** A verb with its help text. Throws UsageError. */
export interface Verb {
  (args: readonly string[], terminal: Terminal): Promise<number>;
  readonly help: VerbHelp;
}

/** Returns a verb that does the work unless its help text is requested. */
export const verb = <const S extends OptionSpecs>(
  help: VerbHelp<S>,
  work: (options: Options<S>, terminal: Terminal) => Promise<number>,
): Verb =>
  Object.assign(
    async (args: readonly string[], terminal: Terminal): Promise<number> => {
      const options = readOptions(help, args, terminal);
      return options === undefined ? 0 : work(options, terminal);
    },
    { help },
  );

/** The options of any verb. */
export interface OptionValues {
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly positionals: readonly string[];
}

/** Longer option heads do not widen the column. */
const LONGEST_HEAD = 24;

/** Returns the option with its argument, such as `--rows N`. */
export const optionHead = (name: string, { argument }: OptionSpec): string => `--${name}${argument === undefined ? "" : ` ${argument}`}`;

function helpText({ usage, about, options, more }: VerbHelp): string {
  const rows = Object.entries(options).map(([name, option]) => [optionHead(name, option), option.help] as const);
  const width = Math.max(...rows.map(([head]) => head.length).filter((length) => length <= LONGEST_HEAD), 0);
  const lines = [...rows, ["-h, --help", "print this text"] as const].map(
    ([head, help]) => `  ${head.padEnd(width)}   ${help.replaceAll("\n", `\n${" ".repeat(width + 5)}`)}\n`,
  );
  return `Usage: pack-auth ${usage}\n\n${about}\n${rows.length === 0 ? "" : `\nOptions:\n${lines.join("")}`}\n${more}`;
}

/** Returns undefined if `--help` or `-h` requests help, which is then printed. Throws UsageError. */
export function readOptions<const S extends OptionSpecs>(
  help: VerbHelp<S>,
  args: readonly string[],
  { output }: Terminal,
): Options<S> | undefined {
  const [verb] = help.usage.split(" ", 1);
  const all = Object.fromEntries([
    ...Object.entries<OptionSpec>(help.options).map(
      ([name, { argument, isList = false }]) => [name, { type: argument === undefined ? "boolean" : "string", multiple: isList }] as const,
    ),
    ["help", { type: "boolean", short: "h" }] as const,
  ]);
  const { values, positionals, tokens } = parseArgs({
    args: withNumbers(args, help.options),
    options: all,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  if (values.help === true) {
    output.write(printable(helpText(help)));
    return undefined;
  }
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const spec = Object.hasOwn(all, token.name) ? all[token.name] : undefined;
    const optionName = token.rawName;
    if (spec === undefined) {
      const near = closest(token.name, Object.keys(all));
      throw new UsageError(
        `There is no option ${optionName}.${near === undefined ? "" : ` Did you mean --${near}?`} See pack-auth ${verb} --help.`,
      );
    }
    if (spec.type === "boolean" && token.value !== undefined) throw new UsageError(`Remove the value of ${optionName}: it has none.`);
    // A word that looks like an option is not used as the value: the value is missing.
    if (spec.type === "string" && (token.value === undefined || (!token.inlineValue && /^-./.test(token.value)))) {
      const number = /^-\d/.test(token.value ?? "") ? ` If that is ${token.value}, write ${optionName}=${token.value}.` : "";
      throw new UsageError(`${optionName} needs a value.${number} See pack-auth ${verb} --help.`);
    }
  }
  const choices = Object.entries<OptionSpec>(help.options).flatMap(([name, spec]) =>
    spec.choices === undefined ? [] : [[name, choiceOf(`--${name}`, spec.choices, values[name] as string | undefined)]],
  );
  return {
    values: { ...values, ...Object.fromEntries(choices) } as unknown as Values<S>,
    positionals: positionals.map((word) => (word.startsWith(NUMBER) ? word.slice(NUMBER.length) : word)),
  };
}

/** Returns the value if it is one of the choices, and the first choice if there is no value. Throws UsageError. */
export function choiceOf<const Choice extends string>(
  option: string,
  choices: readonly [Choice, ...Choice[]],
  value: string = choices[0],
): Choice {
  const choice = choices.find((name) => name === value);
  if (choice !== undefined) return choice;
  throw new UsageError(`${option} must be ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}, not ${value}.`);
}

/** Marks a negative number, which Node's parser would read as an option. No argument can contain this character. */
const NUMBER = "\0";

/** Marks negative numbers and lists of them as words, unless the option before them expects a value. */
function withNumbers(args: readonly string[], specs: OptionSpecs): string[] {
  const end = args.indexOf("--");
  return args.map((arg, index) => {
    const isNumber = /^-\.?\d/.test(arg) && (end === -1 || index < end);
    const before = args[index - 1] ?? "";
    const isValue = before.startsWith("--") && specs[before.slice(2)]?.argument !== undefined;
    return isNumber && !isValue ? NUMBER + arg : arg;
  });
}
