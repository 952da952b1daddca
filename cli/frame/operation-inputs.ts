// The inputs of an operation as words and options of the command line. `npm run generate` writes their table from the operations.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { errorMessage } from "../../base/error-message.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage-error.ts";
import type { OptionSpecs, OptionValues } from "./options.ts";

/** What the command line accepts as a value. A list is an option that may be repeated. */
export type InputKind = "text" | "number" | "flag" | "json" | "list";

export interface VerbInput {
  /** The name of the operation's input. */
  readonly name: string;
  /** `words` are the rest of the words. */
  readonly place: "option" | "word" | "words";
  readonly kind: InputKind;
  readonly option: string;
  /** Empty for a flag. */
  readonly argument: string;
  readonly help: string;
}

export interface VerbInputs {
  readonly about: string;
  readonly inputs: readonly VerbInput[];
}

/** Returns the options of the inputs. */
export const inputOptions = (inputs: readonly VerbInput[]): OptionSpecs =>
  Object.fromEntries(
    inputs
      .filter(({ place }) => place === "option")
      .map(({ option, argument, help, kind }) => [
        option,
        { help, ...(argument === "" ? {} : { argument }), ...(kind === "list" ? { isList: true as const } : {}) },
      ]),
  );

/** Inputs by their name, as a call has them. */
export type RawInput = Readonly<Record<string, unknown>>;

/** Returns the inputs of a call, which the operation's schema has yet to check. Throws UsageError. */
export function rawInput(terminal: Terminal, verb: string, inputs: readonly VerbInput[], { values, positionals }: OptionValues): RawInput {
  const words = [...positionals];
  const raw: Record<string, unknown> = {};
  for (const { name, place, kind, option } of inputs) {
    const value = place === "words" ? words.splice(0) : place === "word" ? words.shift() : values[option];
    if (value !== undefined) raw[name] = typeof value === "string" ? inputValue(terminal, kind, `--${option}`, value) : value;
  }
  // A word too many may be a secret, so it is not repeated.
  if (words.length > 0) throw new UsageError(`${verb} takes fewer words. See pack-auth ${verb} --help.`);
  return raw;
}

/** Returns the value of a text; a JSON text may be in a file that follows an @. Throws UsageError. */
export function inputValue({ folder }: Terminal, kind: InputKind, option: string, text: string): unknown {
  if (kind === "number") return /^-?\d+$/.test(text) ? Number(text) : text;
  if (kind !== "json") return text;
  try {
    // No JSON begins with an @.
    return JSON.parse(text.startsWith("@") ? readFileSync(resolve(folder, text.slice(1)), "utf8") : text);
  } catch (error) {
    throw new UsageError(
      error instanceof SyntaxError
        ? `${option} is not valid JSON: ${error.message}`
        : `${option} names ${text.slice(1)}, which cannot be read: ${errorMessage(error)}.`,
    );
  }
}

/** What a schema says of a wrong input; see zod's issues. */
interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly input?: unknown;
  readonly values?: readonly unknown[] | undefined;
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
  readonly expected?: string | undefined;
}

/** Returns what is wrong with an input, by the name that it has in a call. */
export function wrongInputText(verb: string, usage: string, inputs: readonly VerbInput[], issue: Issue | undefined): string {
  const input = inputs.find(({ name }) => name === issue?.path[0]);
  if (issue === undefined || input === undefined)
    return `${verb} cannot be called so: ${issue?.message ?? ""}. See pack-auth ${verb} --help.`;
  if (input.place !== "option") return `${verb} needs more words: pack-auth ${usage}. See pack-auth ${verb} --help.`;
  return `--${input.option} ${issueText(issue)}.`;
}

function issueText({ code, values = [], minimum, maximum, expected, message, input }: Issue): string {
  if (code === "invalid_value") return `must be ${values.slice(0, -1).join(", ")} or ${values.at(-1)}, not ${input}`;
  if (code === "too_big") return `may be ${maximum} at most`;
  if (code === "too_small" || expected === "int" || expected === "number")
    return `must be a whole number, ${minimum ?? 1} or more, not ${input}`;
  return `is not valid: ${message}`;
}
