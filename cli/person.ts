// The person in front of a terminal.
import type { Person } from "../operations/person.ts";
import { PackAuthError } from "../platform/errors.ts";
import { openInBrowser } from "./terminal/host.ts";
import { formatMessage, joined, printable } from "./terminal/printable.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { createTerminalPrompter } from "./terminal/terminal-prompter.ts";

/** Questions need a terminal: their answers never come from a pipe. */
export function terminalPerson(terminal: Terminal): Person {
  const { errorOutput, stdin, stderr } = terminal;
  return {
    async ask({ title, facts, warnings, agree }, signal) {
      if (!stdin.isTTY || !stderr.isTTY)
        throw new PackAuthError("person-unreachable", `This needs an answer, and no terminal is there: ${title}`);
      const lines = [...facts.map(({ label, text }) => `  ${label}: ${text}`), ...warnings];
      errorOutput.write(joined(lines.map((line) => formatMessage`${printable(line)}\n`)));
      const prompter = createTerminalPrompter(terminal);
      try {
        const choice = await prompter.pick({
          title,
          placeholder: agree,
          items: [
            { label: agree, value: "agreed" },
            { label: "Cancel", value: "refused" },
          ],
          signal,
        });
        return choice ?? "unanswered";
      } finally {
        prompter.close();
      }
    },
    async withPrompts(_notice, work) {
      const prompter = createTerminalPrompter(terminal);
      try {
        return await work({ prompter, openBrowser: (url) => openInBrowser(url, terminal) });
      } finally {
        prompter.close();
      }
    },
  };
}
