// `pack-auth drill`: runs a formula on ten bad days in the sandbox.
import { defined } from "../../base/defined.ts";
import { type DrilledDay, type DrillReport, isBad, type Verdict } from "../../protocol/drill.ts";
import { at } from "../frame/failure.ts";
import { operationVerb } from "../frame/operation-verb.ts";
import type { OptionSpecs } from "../frame/options.ts";
import { ENTRY_OPTIONS } from "../frame/pack-entry.ts";
import type { Paint } from "../terminal/colour.ts";
import { junit } from "../terminal/junit.ts";
import { formatMessage, joined, type Printed, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

type FailOn = (typeof options)["fail-on"]["choices"][number];

const FAILING_VERDICTS: Readonly<Record<FailOn, readonly Verdict[]>> = {
  "wrong-data": ["wrong data in silence"],
  "useless-error": ["wrong data in silence", "useless error"],
  never: [],
};

const fails = ({ verdict }: DrilledDay, failOn: FailOn): boolean => verdict !== undefined && FAILING_VERDICTS[failOn].includes(verdict);

const options = {
  format: { argument: "FORMAT", choices: ["pretty", "json", "junit"], help: "pretty (default), json or junit" },
  "fail-on": {
    argument: "wrong-data|useless-error|never",
    choices: ["wrong-data", "useless-error", "never"],
    help: "what fails the drill: wrong data in silence (default), useless errors too, or nothing",
  },
  ...ENTRY_OPTIONS,
} as const satisfies OptionSpecs;

const help = {
  usage: "drill <pack> <formula or table> [parameters…] [options]",
  options,
  more: `<pack> and the parameters are as for pack-auth run.

Exit code: 0 no day fails the drill, 1 a day fails it (see --fail-on), 130 it was stopped, 2 the command is wrong. It is 2 as well if the
formula has no good day in the sandbox to compare with.

Examples:
  pack-auth drill . GetTask 7
  pack-auth drill . Tasks --format junit > drill.xml
`,
} as const;

export const drill = operationVerb("drill", help, {
  exitCodes: { "drill-failed": 2 },
  print(report, terminal, { values: { format, "fail-on": failOn }, paint }) {
    if (format === "junit") terminal.output.writeData(junitOf(report, failOn));
    else terminal.output.write(table(terminal, report, failOn, paint));
  },
  end: ({ scenarios }, _terminal, { values }) => (scenarios.some((day) => fails(day, values["fail-on"])) ? 1 : 0),
});

const junitOf = ({ target, scenarios }: DrillReport, failOn: FailOn): string =>
  junit(
    `pack-auth drill ${target}`,
    scenarios.map((day) => ({
      name: day.title,
      ...defined({
        duration: day.duration,
        failure: fails(day, failOn) ? `${day.verdict}: ${day.sees} ${day.remedy ?? ""}`.trim() : undefined,
        skipped: day.verdict === undefined ? day.sees : undefined,
      }),
    })),
  );

function table(terminal: Terminal, { target, scenarios }: DrillReport, failOn: FailOn, paint: Paint): Printed {
  const wide = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length));
  const titles = wide(scenarios.map(({ title }) => title));
  const verdicts = wide(scenarios.map(verdictOf));
  const lines = scenarios.flatMap((day) => {
    const verdict = printable(verdictOf(day).padEnd(verdicts));
    const paintedVerdict = paint(fails(day, failOn) ? "red" : isBad(day) ? "yellow" : day.verdict === undefined ? "dim" : "green", verdict);
    return [
      formatMessage`  ${printable(day.title.padEnd(titles))}  ${paintedVerdict}  ${printable(oneLine(day.sees))}\n`,
      ...adviceLines(terminal, day),
    ];
  });
  const bad = scenarios.filter(isBad).length;
  const failing = scenarios.filter((day) => fails(day, failOn)).length;
  const failingSummary = bad === failing ? "" : ` Days that fail the drill (--fail-on ${failOn}): ${failing}.`;
  return joined([
    formatMessage`${printable(target)}\n`,
    ...lines,
    formatMessage`${bad === 0 ? formatMessage`Every day ends well.` : formatMessage`${bad} of ${scenarios.length} days end badly.${printable(failingSummary)}`}\n`,
  ]);
}

const verdictOf = ({ verdict }: DrilledDay): string => verdict ?? "does not apply";

const oneLine = (text: string): string => text.replace(/\s+/g, " ");

function adviceLines(terminal: Terminal, { remedy, location }: DrilledDay): readonly Printed[] {
  if (remedy === undefined) return [];
  return [formatMessage`      ${printable(`${remedy}${at(terminal, location)}`)}\n`];
}
