// The platform's questions on a terminal: one line each on stderr, so that stdout stays the answer's; secrets are not shown. Lines may
// come from a pipe too. End of input, or Ctrl-C, is a cancel.
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Prompter } from "../../platform/host.ts";
import { interrupted } from "./interrupt.ts";
import { joined, type Printed, printable, told } from "./printable.ts";
import { outputWidth, wrapped } from "./width.ts";

interface TerminalPrompter extends Prompter {
  close(): void;
}

export function createTerminalPrompter(input: NodeJS.ReadStream, output: NodeJS.WriteStream): TerminalPrompter {
  let hidden = false;
  const shown = new Writable({
    write(chunk, _encoding, done) {
      if (!hidden) output.write(chunk);
      done();
    },
  });
  const terminal = createInterface({ input, output: shown, terminal: input.isTTY === true, historySize: 0 });
  // Lines that come before they are asked for wait; what is asked after the end is cancelled.
  const waiting: string[] = [];
  let ended = false;
  let give: ((line: string | undefined) => void) | undefined;
  terminal.on("line", (line) => (give === undefined ? waiting.push(line) : give(line)));
  terminal.on("close", () => {
    ended = true;
    give?.(undefined);
  });
  terminal.on("SIGINT", interrupted);

  function readLine(signal: AbortSignal | undefined): Promise<string | undefined> {
    const next = waiting.shift();
    if (next !== undefined || ended || signal?.aborted) return Promise.resolve(signal?.aborted ? undefined : next);
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
    hidden = secret;
    try {
      return await readLine(signal);
    } finally {
      hidden = false;
      // The line break that was typed is hidden too, and a pipe has none.
      if (secret || input.isTTY !== true) say(told`\n`);
    }
  }

  const head = ({ title, step, totalSteps }: { title: string; step?: number; totalSteps?: number }): Printed =>
    told`${printable(title)}${step === undefined || totalSteps === undefined || totalSteps === 1 ? told`` : told` (${step}/${totalSteps})`}\n`;

  return {
    async input(options) {
      say(head(options));
      if (options.link !== undefined) say(told`  ${printable(options.link.label)}: ${printable(options.link.url)}\n`);
      for (;;) {
        const fallback = options.secret === true || !options.value ? told`` : told` [${printable(options.value)}]`;
        const answer = await ask(told`  ${printable(options.prompt)}${fallback} > `, options.secret === true, options.signal);
        if (answer === undefined) return undefined;
        const value = answer === "" ? (options.value ?? "") : answer;
        const problem = options.validate?.(value);
        if (problem === undefined) return value;
        say(told`  ${printable(problem)}\n`);
      }
    },
    async pick(options) {
      say(head(options));
      for (const [index, { label, description, detail }] of options.items.entries())
        say(
          told`  ${index + 1}. ${joined(
            [label, description, detail].flatMap((text) => (text ? printable(text) : [])),
            " · ",
          )}\n`,
        );
      for (;;) {
        const answer = (
          await ask(told`  ${printable(options.placeholder)} (1\u2013${options.items.length}) > `, false, options.signal)
        )?.trim();
        if (answer === undefined) return undefined;
        const found = options.items[Number(answer) - 1] ?? options.items.find(({ label }) => label.toLowerCase() === answer.toLowerCase());
        if (found !== undefined) return found.value;
        say(told`  Enter a number from 1 to ${options.items.length}.\n`);
      }
    },
    close: () => terminal.close(),
  };
}
