// Options as every verb takes them: Node's own parser, with messages that say what was meant and what to do.
import { type ParseArgsConfig, parseArgs } from "node:util";
import { closest } from "../server/analysis/text/closest.ts";
import { output } from "./terminal/output.ts";
import { printable } from "./terminal/printable.ts";
import { UsageError } from "./usage-error.ts";

export interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly short?: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type Values<S extends OptionSpecs> = { readonly [K in keyof S]?: S[K]["type"] extends "boolean" ? boolean : string };

export interface Options<S extends OptionSpecs> {
  readonly values: Values<S>;
  readonly positionals: readonly string[];
}

/** Undefined where `--help` or `-h` asks for help, which is then printed. Throws UsageError. */
export function readOptions<const S extends OptionSpecs>(
  verb: string,
  usage: string,
  args: readonly string[],
  specs: S,
): Options<S> | undefined {
  const all: OptionSpecs = { ...specs, help: { type: "boolean", short: "h" } };
  const { values, positionals, tokens } = parseArgs({
    args: withNumbers(args, all),
    options: all as NonNullable<ParseArgsConfig["options"]>,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  if (values.help === true) {
    output.write(printable(usage));
    return undefined;
  }
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const spec = Object.hasOwn(all, token.name) ? all[token.name] : undefined;
    const written = token.rawName;
    if (spec === undefined) {
      const near = closest(token.name, Object.keys(all));
      throw new UsageError(
        `There is no option ${written}.${near === undefined ? "" : ` Did you mean --${near}?`} See pack-auth ${verb} --help.`,
      );
    }
    if (spec.type === "boolean" && token.value !== undefined) throw new UsageError(`${written} takes no value.`);
    // What looks like an option is none of its value: the value was forgotten.
    if (spec.type === "string" && (token.value === undefined || (!token.inlineValue && /^-./.test(token.value))))
      throw new UsageError(`${written} needs a value. See pack-auth ${verb} --help.`);
  }
  return {
    values: values as Values<S>,
    positionals: positionals.map((word) => (word.startsWith(NUMBER) ? word.slice(NUMBER.length) : word)),
  };
}

/** Marks a number below zero, which Node's parser would take for an option. No argument can hold it. */
const NUMBER = "\0";

/** Numbers and lists of them below zero as words, unless an option before them waits for its value. */
function withNumbers(args: readonly string[], specs: OptionSpecs): string[] {
  const end = args.indexOf("--");
  return args.map((arg, index) => {
    const isNumber = /^-\.?\d/.test(arg) && (end === -1 || index < end);
    const before = args[index - 1] ?? "";
    const isValue = before.startsWith("--") && specs[before.slice(2)]?.type === "string";
    return isNumber && !isValue ? NUMBER + arg : arg;
  });
}
