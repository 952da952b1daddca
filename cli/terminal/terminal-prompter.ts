// Asks the platform's questions on a terminal. Questions go to stderr, so that stdout contains only results. Secrets are not echoed.
// Answers may also come from a pipe. The end of input or Ctrl-C cancels.
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Prompter } from "../../platform/host.ts";
import { interrupted } from "./interrupt.ts";
import { formatMessage, joined, type Printed, printable } from "./printable.ts";
import { outputWidth, wrapped } from "./width.ts";

interface TerminalPrompter extends Prompter {
  close(): void;
}

export function createTerminalPrompter(input: NodeJS.ReadStream, output: NodeJS.WriteStream): TerminalPrompter {
  let isHidden = false;
  const echoStream = new Writable({
    write(chunk, _encoding, callback) {
      if (!isHidden) output.write(chunk);
      callback();
    },
  });
  const terminal = createInterface({ input, output: echoStream, terminal: input.isTTY === true, historySize: 0 });
  // Keeps lines that arrive before a question. A question after the end of input is cancelled.
  const waiting: string[] = [];
  let isClosed = false;
  let give: ((line: string | undefined) => void) | undefined;
  terminal.on("line", (line) => (give === undefined ? waiting.push(line) : give(line)));
  terminal.on("close", () => {
    isClosed = true;
    give?.(undefined);
  });
  terminal.on("SIGINT", interrupted);

  function readLine(signal: AbortSignal | undefined): Promise<string | undefined> {
    const next = waiting.shift();
    if (next !== undefined || isClosed || signal?.aborted) return Promise.resolve(signal?.aborted ? undefined : next);
    return new Promise((resolve) => {
      const settle = (line: string | undefined): void => {
        give = undefined;
        signal?.removeEventListener("abort", abort);
        resolve(line);
      };
      const abort = (): void => settle(undefined);
      signal?.addEventListener("abort", abort, { once: true });
      give = settle;
    });
  }

  const say = (text: Printed): void => void output.write(output.isTTY ? wrapped(text, outputWidth(output, process.env)) : text);

  async function ask(question: Printed, secret: boolean, signal: AbortSignal | undefined): Promise<string | undefined> {
    say(question);
    isHidden = secret;
    try {
      return await readLine(signal);
    } finally {
      isHidden = false;
      // The typed line break is hidden too, and a pipe has none.
      if (secret || input.isTTY !== true) say(formatMessage`\n`);
    }
  }

  const head = ({ title, step, totalSteps }: { title: string; step?: number; totalSteps?: number }): Printed =>
    formatMessage`${printable(title)}${step === undefined || totalSteps === undefined || totalSteps === 1 ? formatMessage`` : formatMessage` (${step}/${totalSteps})`}\n`;

  return {
    async input(options) {
      say(head(options));
      if (options.link !== undefined) say(formatMessage`  ${printable(options.link.label)}: ${printable(options.link.url)}\n`);
      for (;;) {
        const fallback = options.secret === true || !options.value ? formatMessage`` : formatMessage` [${printable(options.value)}]`;
        const reply = await ask(formatMessage`  ${printable(options.prompt)}${fallback} > `, options.secret === true, options.signal);
        if (reply === undefined) return undefined;
        const value = reply === "" ? (options.value ?? "") : reply;
        const problem = options.validate?.(value);
        if (problem === undefined) return value;
        say(formatMessage`  ${printable(problem)}\n`);
      }
    },
    async pick(options) {
      say(head(options));
      for (const [index, { label, description, detail }] of options.items.entries())
        say(
          formatMessage`  ${index + 1}. ${joined(
            [label, description, detail].flatMap((text) => (text ? printable(text) : [])),
            " · ",
          )}\n`,
        );
      for (;;) {
        const reply = (
          await ask(formatMessage`  ${printable(options.placeholder)} (1\u2013${options.items.length}) > `, false, options.signal)
        )?.trim();
        if (reply === undefined) return undefined;
        const item = options.items[Number(reply) - 1] ?? options.items.find(({ label }) => label.toLowerCase() === reply.toLowerCase());
        if (item !== undefined) return item.value;
        say(formatMessage`  Enter a number from 1 to ${options.items.length}.\n`);
      }
    },
    close: () => terminal.close(),
  };
}
