// Asks the platform's questions on a terminal. Questions go to stderr, so that stdout contains only results. Secrets are not echoed.
// Answers may also come from a pipe. The end of input or Ctrl-C cancels. Input is read only once a question was asked, so that a command
// without one leaves it to the shell.
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import type { Prompter } from "../../platform/host.ts";
import { interrupted } from "./interrupt.ts";
import { formatMessage, joined, type Printed, printable } from "./printable.ts";
import type { Terminal } from "./terminal.ts";
import { outputWidth, wrapped } from "./width.ts";

type Typing = Pick<Terminal, "stdin" | "stderr" | "environment" | "signals" | "exit">;

interface TerminalPrompter extends Prompter {
  close(): void;
}

export function createTerminalPrompter(terminal: Typing): TerminalPrompter {
  const keyboard = new Keyboard(terminal);
  return {
    async input(options) {
      keyboard.write(head(options));
      if (options.link !== undefined) keyboard.write(formatMessage`  ${printable(options.link.label)}: ${printable(options.link.url)}\n`);
      for (;;) {
        const fallback = options.secret === true || !options.value ? formatMessage`` : formatMessage` [${printable(options.value)}]`;
        const reply = await keyboard.ask(
          formatMessage`  ${printable(options.prompt)}${fallback} > `,
          options.secret === true,
          options.signal,
        );
        if (reply === undefined) return undefined;
        const value = reply === "" ? (options.value ?? "") : reply;
        const problem = options.validate?.(value);
        if (problem === undefined) return value;
        keyboard.write(formatMessage`  ${printable(problem)}\n`);
      }
    },
    async pick(options) {
      keyboard.write(head(options));
      for (const [index, { label, description, detail }] of options.items.entries())
        keyboard.write(
          formatMessage`  ${index + 1}. ${joined(
            [label, description, detail].flatMap((text) => (text ? printable(text) : [])),
            " · ",
          )}\n`,
        );
      for (;;) {
        const reply = (
          await keyboard.ask(formatMessage`  ${printable(options.placeholder)} (1\u2013${options.items.length}) > `, false, options.signal)
        )?.trim();
        if (reply === undefined) return undefined;
        const item = options.items[Number(reply) - 1] ?? options.items.find(({ label }) => label.toLowerCase() === reply.toLowerCase());
        if (item !== undefined) return item.value;
        keyboard.write(formatMessage`  Enter a number from 1 to ${options.items.length}.\n`);
      }
    },
    close: () => keyboard.close(),
  };
}

const head = ({ title, step, totalSteps }: { title: string; step?: number; totalSteps?: number }): Printed =>
  formatMessage`${printable(title)}${step === undefined || totalSteps === undefined || totalSteps === 1 ? formatMessage`` : formatMessage` (${step}/${totalSteps})`}\n`;

/** The lines that a person types. */
class Keyboard {
  readonly #terminal: Typing;
  #lines: Interface | undefined;
  /** Lines that arrived before a question. A question after the end of input is cancelled. */
  readonly #waiting: string[] = [];
  #isHidden = false;
  #isClosed = false;
  #give: ((line: string | undefined) => void) | undefined;

  constructor(terminal: Typing) {
    this.#terminal = terminal;
  }

  #open(): void {
    if (this.#lines !== undefined || this.#isClosed) return;
    const { stdin: input, stderr: output } = this.#terminal;
    const echoStream = new Writable({
      write: (chunk, _encoding, callback) => {
        if (!this.#isHidden) output.write(chunk);
        callback();
      },
    });
    this.#lines = createInterface({ input, output: echoStream, terminal: input.isTTY === true, historySize: 0 });
    this.#lines.on("line", (line) => (this.#give === undefined ? this.#waiting.push(line) : this.#give(line)));
    this.#lines.on("close", () => {
      this.#isClosed = true;
      this.#give?.(undefined);
    });
    this.#lines.on("SIGINT", () => {
      interrupted(this.#terminal);
      this.#give?.(undefined);
    });
  }

  /** Writes a part of a question. The terminal's own echo is off before, so that nothing typed after it is shown. */
  write(text: Printed): void {
    this.#open();
    const { stderr, environment } = this.#terminal;
    stderr.write(stderr.isTTY ? wrapped(text, outputWidth(stderr, environment)) : text);
  }

  close(): void {
    this.#isClosed = true;
    this.#lines?.close();
  }

  async ask(question: Printed, secret: boolean, signal: AbortSignal | undefined): Promise<string | undefined> {
    this.write(question);
    this.#isHidden = secret;
    try {
      return await this.#readLine(signal);
    } finally {
      this.#isHidden = false;
      // The typed line break is hidden too, and a pipe has none.
      if (secret || this.#terminal.stdin.isTTY !== true) this.write(formatMessage`\n`);
    }
  }

  #readLine(signal: AbortSignal | undefined): Promise<string | undefined> {
    const next = this.#waiting.shift();
    if (next !== undefined || this.#isClosed || signal?.aborted) return Promise.resolve(signal?.aborted ? undefined : next);
    return new Promise((resolve) => {
      const settle = (line: string | undefined): void => {
        this.#give = undefined;
        signal?.removeEventListener("abort", abort);
        resolve(line);
      };
      const abort = (): void => settle(undefined);
      signal?.addEventListener("abort", abort, { once: true });
      this.#give = settle;
    });
  }
}
