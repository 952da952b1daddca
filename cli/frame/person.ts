// The person in front of a terminal.
import type { Person } from "../../operations/person.ts";
import { PackAuthError } from "../../platform/errors.ts";
import type { Reach } from "../terminal/host.ts";
import { formatMessage, joined, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A question to agree to needs a terminal: its answer never comes from a pipe. */
export const terminalPerson = (
  { errorOutput, stdin, stderr }: Terminal,
  { prompter, openBrowser }: Pick<Reach, "prompter" | "openBrowser">,
): Person => ({
  async ask({ title, facts, warnings, agree, typed }, signal) {
    if (!stdin.isTTY || !stderr.isTTY)
      throw new PackAuthError("person-unreachable", `This needs an answer, and no terminal is there: ${title}`);
    const lines = [...facts.map(({ label, text }) => `  ${label}: ${text}`), ...warnings];
    errorOutput.write(joined([formatMessage`\r\u001b[K`, ...lines.map((line) => formatMessage`${printable(line)}\n`)]));
    if (typed !== undefined) {
      const text = await prompter.input({ title, prompt: `Type ${typed.name} ${typed.text} to agree.`, signal });
      return text === undefined ? "unanswered" : text.trim() === typed.text ? "agreed" : "refused";
    }
    const choice = await prompter.pick({
      title,
      placeholder: agree,
      items: [
        { label: "No", value: "refused" },
        { label: agree, value: "agreed" },
      ],
      signal,
    });
    return choice ?? "unanswered";
  },
  // Whoever calls a verb knows what it is for.
  withPrompts: (_notice, work) => work({ prompter, openBrowser }),
});
