// The frame of every verb that is an operation: its options are those of the operation's inputs, and it prints what the operation returns.
import type { z } from "zod";
import { InputError } from "../../operations/input-error.ts";
import type { Operation } from "../../operations/operation.ts";
import { type InputOf, OPERATIONS, type OperationId, type OutputOf, type PartOf } from "../../operations/operations.ts";
import { NOBODY } from "../../operations/person.ts";
import { inWorld } from "../../operations/world.ts";
import { type ErrorCode, PackAuthError } from "../../platform/errors.ts";
import { hasColours, type Paint, painter } from "../terminal/colour.ts";
import { terminalReach } from "../terminal/host.ts";
import { STOPPED } from "../terminal/interrupt.ts";
import { messageOf } from "../terminal/next-steps.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { fail } from "./failure.ts";
import { type PersonOptions, terminalGround } from "./ground.ts";
import { INPUTS } from "./inputs.ts";
import { terminalObserver } from "./observer.ts";
import { inputOptions, type RawInput, rawInput, wrongInputText } from "./operation-inputs.ts";
import { type OptionSpecs, type OptionValues, type Values, type Verb, verb } from "./options.ts";
import { terminalPerson } from "./person.ts";
import { inSession, isInterrupted, isWrongCommand, stop } from "./verb.ts";

export const JSON_OPTION = { json: { help: "print the result as JSON" } } as const satisfies OptionSpecs;

/** The options of a verb that printed JSON by --format only. */
export const FORMAT_OPTIONS = {
  format: { argument: "pretty|json", choices: ["pretty", "json"], help: "format of the report (default: pretty)" },
  json: { help: "the same as --format json" },
} as const satisfies OptionSpecs;

/** The option of every verb that is an operation. */
export const QUIET_OPTION = { quiet: { help: "print the result only, without steps and notes" } } as const satisfies OptionSpecs;

/** What a verb says besides the inputs of its operation. */
export interface OperationHelp<S extends OptionSpecs> {
  /** Starts with the verb. */
  readonly usage: string;
  /** The options that are not inputs: what only a person may choose, and the form of the output. */
  readonly options: S;
  readonly more: string;
}

/** A call whose operation is under way or has ended. */
export interface ShownCall<S extends OptionSpecs> {
  readonly terminal: Terminal;
  readonly values: Values<S>;
  readonly paint: Paint;
}

/** An operation without an output was cancelled. */
export type ShownOutput<Id extends OperationId> = NonNullable<OutputOf<Id>>;

export interface Shell<Id extends OperationId, S extends OptionSpecs> {
  /** Refuses inputs and options that contradict each other. Throws UsageError. */
  readonly check?: (input: InputOf<Id>, values: Values<S>) => void;
  /** Completes the inputs with what only a terminal has, such as standard input. Throws UsageError. */
  readonly complete?: (raw: RawInput, terminal: Terminal) => Promise<RawInput>;
  /** Whether the call asks the person nothing. */
  readonly asksNothing?: (call: ShownCall<S>) => boolean;
  /** What it means that the call was stopped or cancelled, in a sentence. */
  readonly stopped?: string;
  /** Whether `show` also prints what the operation returned after it was stopped. */
  readonly showsStopped?: true;
  /** Exit codes of errors; by default 2 for a wrong command, else 1. */
  readonly exitCodes?: Readonly<Partial<Record<ErrorCode, number>>>;
  /** Prints an error that is not about the words of the call, and returns the exit code; undefined leaves both to the frame. */
  readonly showError?: (
    error: PackAuthError,
    call: ShownCall<S>,
    entry: string | undefined,
  ) => number | undefined | Promise<number | undefined>;
  /** Prints a part of the output while the operation is under way. */
  readonly part?: (part: PartOf<Id>, call: ShownCall<S>) => void | Promise<void>;
  /** Prints the output as text. */
  readonly print?: (output: ShownOutput<Id>, terminal: Terminal, call: ShownCall<S>) => void;
  /** Returns what --json prints; by default the output. */
  readonly json?: (output: ShownOutput<Id>) => object;
  /** Says on standard error what both forms lack. Returns the exit code, by default 0. */
  readonly end?: (output: ShownOutput<Id>, terminal: Terminal, call: ShownCall<S>) => number;
  /** Replaces `print`, `json` and `end`. */
  readonly show?: (output: ShownOutput<Id>, call: ShownCall<S>) => number | Promise<number>;
}

/** Prints a result as JSON. `version` increases with each breaking change. */
export const writeJson = ({ output }: Terminal, result: object): void =>
  output.writeJson(`${JSON.stringify({ version: 1, ...result }, null, 2)}\n`);

/** Prints the output as text or as JSON. Returns the exit code. */
function showOutput<Id extends OperationId, S extends OptionSpecs>(
  shell: Shell<Id, S>,
  output: ShownOutput<Id>,
  call: ShownCall<S>,
): number {
  const { terminal } = call;
  const { json, format } = call.values as OptionValues["values"];
  if (json === true || format === "json") writeJson(terminal, shell.json?.(output) ?? output);
  else shell.print?.(output, terminal, call);
  return shell.end?.(output, terminal, call) ?? 0;
}

/** Returns the help text's parts of an operation and its verb. The options of the inputs have no type, since their schema has it. */
export const operationHelp = <const S extends OptionSpecs>(id: OperationId, { usage, options, more }: OperationHelp<S>) => ({
  usage,
  about: INPUTS[id].about,
  options: { ...inputOptions(INPUTS[id].inputs), ...options, ...QUIET_OPTION } as S,
  more,
});

/** Returns a verb that runs the operation. */
export const operationVerb = <Id extends OperationId, const S extends OptionSpecs>(
  id: Id,
  help: OperationHelp<S>,
  shell: Shell<Id, S>,
): Verb => verb(operationHelp(id, help), (options, terminal) => callOperation(id, help.usage, shell, options, terminal));

/** Runs the operation with the options and words of a call, and prints what it returns. Throws UsageError. */
export async function callOperation<Id extends OperationId, S extends OptionSpecs>(
  id: Id,
  usage: string,
  shell: Shell<Id, S>,
  options: OptionValues,
  terminal: Terminal,
): Promise<number> {
  const [name = ""] = usage.split(" ", 1);
  const values = options.values as Values<S>;
  const { inputs } = INPUTS[id];
  const raw = rawInput(terminal, name, inputs, options);
  const { input: schema, run } = (await OPERATIONS[id]()) as unknown as Operation<
    z.ZodType<InputOf<Id>> & z.ZodObject,
    OutputOf<Id>,
    PartOf<Id>
  >;
  const parsed = schema.safeParse((await shell.complete?.(raw, terminal)) ?? raw, { reportInput: true });
  if (!parsed.success) throw new UsageError(wrongInputText(name, usage, inputs, parsed.error.issues[0]));
  shell.check?.(parsed.data, values);
  const call = { terminal, values, paint: painter(hasColours(terminal.output, terminal.environment)) };
  const choices = values as PersonOptions;
  const isQuiet = choices.quiet === true;
  const observer = terminalObserver<PartOf<Id>>(terminal, isQuiet, (part) => shell.part?.(part, call));
  return inSession(
    terminal,
    async ({ signal, atEnd }) => {
      const onTerminal = terminalReach(terminal, choices["no-browser"] !== true, observer.end);
      const reach = isQuiet ? { ...onTerminal, progress: () => {} } : onTerminal;
      atEnd(reach.close);
      const person = shell.asksNothing?.(call) ? NOBODY : terminalPerson(terminal, reach);
      let entry: string | undefined;
      const ground = terminalGround(terminal, choices, reach, (path) => {
        entry = path;
      });
      try {
        const output = await inWorld(ground, signal, (world) => run(parsed.data, world, person, observer));
        observer.end();
        if ((!signal.aborted || shell.showsStopped) && output != null)
          return await (shell.show?.(output, call) ?? showOutput(shell, output, call));
        return shell.stopped === undefined ? STOPPED : stop(terminal, shell.stopped);
      } catch (error) {
        observer.end();
        if ((await isInterrupted(signal)) || !(error instanceof PackAuthError)) throw error;
        const about = error instanceof InputError && inputs.find(({ name, place }) => name === error.input && place === "option");
        if (about) throw new UsageError(`${messageOf(error)} See --${about.option}.`);
        if (isWrongCommand(error)) throw error;
        const exitCode = await shell.showError?.(error, call, entry);
        if (exitCode !== undefined) return exitCode;
        await fail(terminal, error, entry);
        return shell.exitCodes?.[error.code] ?? 1;
      }
    },
    shell.stopped,
  );
}
