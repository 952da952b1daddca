// The form of an operation's inputs, and the inputs that several operations have.
import { z } from "zod";

/** How an input is written in a call of the command line: as an option, unless it has a place among the words. */
export interface TerminalInput {
  /** `word` is one word in the order of the inputs, `words` the rest of them. */
  readonly place?: "word" | "words";
  /** The option, if its name differs from the input's. */
  readonly option?: string;
  /** The value as the help text names it. */
  readonly argument?: string;
}

/** The forms of inputs on the command line. */
export const TERMINAL_INPUTS = z.registry<TerminalInput>();

/** Returns the schema with a description, which help texts and tools show, and with its form on the command line. */
export function input<Schema extends z.ZodType>(schema: Schema, description: string, form: TerminalInput = {}): Schema {
  const described = schema.describe(description);
  TERMINAL_INPUTS.add(described, form);
  return described;
}

export const packInput = input(
  z.string().default("."),
  "The file that builds the pack, or its folder. Relative to the folder of the host; by default that folder.",
  { place: "word" },
);

/** Arguments by name, or in their order. */
export const parametersInput = input(
  z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).optional(),
  "All parameters: a list in their order, or an object by their names.",
  { option: "params" },
);

export const wordsInput = input(
  z.array(z.string()).default([]),
  "Parameters as typed text, in their order. After a function of a formula or table they are the typed text.",
  { place: "words" },
);

export const dynamicUrlInput = input(z.string().optional(), "The URL of a dynamic table.", { argument: "URL" });

export const accountInput = input(z.string().optional(), "The account to use, by its label or ID.", { argument: "LABEL" });

export const confirmedInput = input(z.boolean().default(false), "Save recordings of a real account without showing them first.", {
  option: "yes",
});
