// `pack-auth logs`: prints what the published pack logged. It only reads.
import type { ReadLogEntry } from "../../operations/publishing/logs.ts";
import { entryText, typeText } from "../../platform/production/log-text.ts";
import { groupByConnection } from "../../platform/production/logs.ts";
import { at } from "../frame/failure.ts";
import { FORMAT_OPTIONS, operationVerb } from "../frame/operation-verb.ts";
import { ENTRY_OPTIONS } from "../frame/pack-entry.ts";
import type { Paint } from "../terminal/colour.ts";
import { formatMessage, joined, type Printed, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

const help = {
  usage: "logs <pack> --doc ADDRESS [options]",
  options: { ...ENTRY_OPTIONS, ...FORMAT_OPTIONS },
  more: `<pack> is the file that builds the pack, or its folder. The entries are printed by connection, failures with their places in the source.
The API token of the platform is read from PACK_AUTH_API_TOKEN, else from the secret store. It goes to the pack's host only.

Exit code: 0 it worked, 1 the logs could not be read, 130 it was stopped, 2 the command is wrong.

Examples:
  pack-auth logs . --doc https://coda.io/d/Name_dAbCDeFGH12 --failures
  pack-auth logs . --doc AbCDeFGH12 --type auth --since 7d --json
`,
} as const;

export const logs = operationVerb("logs", help, {
  json: ({ problem: _, ...report }) => report,
  print: ({ entries }, terminal, { paint }) => writePretty(terminal, entries, paint),
  end({ problem }) {
    if (problem !== undefined) throw problem;
    return 0;
  },
});

function writePretty(terminal: Terminal, entries: readonly ReadLogEntry[], paint: Paint): void {
  if (entries.length === 0)
    terminal.errorOutput.write(
      formatMessage`pack-auth: No entry. The platform logs what the pack does in this doc, and a filter may leave all out.\n`,
    );
  for (const { name, entries: ofConnection } of groupByConnection(entries)) {
    terminal.output.write(formatMessage`${paint("bold", oneLine(name))}\n`);
    for (const log of ofConnection) {
      const head = [log.createdAt, typeText(log.type), log.formulaName].filter(Boolean).map(oneLine).join("  ");
      terminal.output.write(formatMessage`  ${paint("dim", head)}  ${paint(log.failed ? "red" : "reset", entryText(log))}\n`);
      if (log.failed) terminal.output.write(joined(failureLines(terminal, log)));
    }
  }
}

const failureLines = (terminal: Terminal, { explanation, place: { location, remark } }: ReadLogEntry): readonly Printed[] =>
  [
    explanation && oneLine(explanation.text),
    explanation?.diagnosis && `see pack-auth explain ${explanation.diagnosis}`,
    location && `at${at(terminal, location)}`,
    remark,
  ].flatMap((line) => (line === undefined ? [] : formatMessage`      ${printable(line)}\n`));

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
