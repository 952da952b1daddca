// The platform's questions on a terminal: one line each on stderr, so that stdout stays the answer's; secrets are not shown. Lines may
// come from a pipe too. End of input, or Ctrl-C, is a cancel.
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Prompter } from "../platform/host.ts";
import { printable } from "./printable.ts";

export interface TerminalPrompter extends Prompter {
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
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));

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

  async function ask(question: string, secret: boolean, signal: AbortSignal | undefined): Promise<string | undefined> {
    output.write(question);
    hidden = secret;
    try {
      return await readLine(signal);
    } finally {
      hidden = false;
      // The line break that was typed is hidden too, and a pipe has none.
      if (secret || input.isTTY !== true) output.write("\n");
    }
  }

  const head = ({ title, step, totalSteps }: { title: string; step?: number; totalSteps?: number }): string =>
    `${title}${step === undefined || totalSteps === undefined || totalSteps === 1 ? "" : ` (${step}/${totalSteps})`}\n`;

  return {
    async input(options) {
      output.write(head(options));
      if (options.link !== undefined) output.write(`  ${options.link.label}: ${options.link.url}\n`);
      for (;;) {
        const fallback = options.value === undefined || options.value === "" ? "" : ` [${options.value}]`;
        const answer = await ask(`  ${options.prompt}${fallback} `, options.secret === true, options.signal);
        if (answer === undefined) return undefined;
        const value = answer === "" ? (options.value ?? "") : answer;
        const problem = options.validate?.(value);
        if (problem === undefined) return value;
        output.write(`  ${problem}\n`);
      }
    },
    async pick(options) {
      output.write(head(options));
      for (const [index, { label, description, detail }] of options.items.entries())
        output.write(
          `  ${index + 1}. ${[label, description, detail]
            .filter(Boolean)
            .map((text) => printable(text ?? ""))
            .join(" · ")}\n`,
        );
      for (;;) {
        const answer = (await ask(`  ${printable(options.placeholder)} (1–${options.items.length}) `, false, options.signal))?.trim();
        if (answer === undefined) return undefined;
        const found = options.items[Number(answer) - 1] ?? options.items.find(({ label }) => label.toLowerCase() === answer.toLowerCase());
        if (found !== undefined) return found.value;
        output.write(`  Enter a number from 1 to ${options.items.length}.\n`);
      }
    },
    close: () => terminal.close(),
  };
}
