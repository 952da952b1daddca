// `pack-auth drill`: runs a formula on ten bad days in the sandbox.

import { defined } from "../base/defined.ts";
import { packName } from "../platform/bundle/entry-file.ts";
import { drill as drillTarget } from "../platform/drill/drill.ts";
import { PackAuthError } from "../platform/errors.ts";
import { recordDrillOf } from "../platform/evidence/run-record.ts";

import { userDataFolder } from "../platform/files/user-data-folder.ts";
import { CALL_DEFAULTS } from "../platform/runs/run-input.ts";

import { type DrilledDay, type DrillReport, isBad, type Verdict } from "../protocol/drill.ts";
import { choiceOf, type VerbHelp } from "./options.ts";
import { ENTRY_OPTIONS, findEntry } from "./pack-entry.ts";
import { readRunInput } from "./run/run-target.ts";
import { hasColours, type Paint, painter } from "./terminal/colour.ts";
import { at, fail } from "./terminal/failure.ts";
import { STOPPED } from "./terminal/interrupt.ts";
import { junit } from "./terminal/junit.ts";
import { formatMessage, joined, type Printed, printable } from "./terminal/printable.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { UsageError } from "./usage-error.ts";
import { verb } from "./verb.ts";

const FORMATS = ["pretty", "json", "junit"] as const;

const FAIL_ON = ["wrong-data", "useless-error", "never"] as const;
type FailOn = (typeof FAIL_ON)[number];

const FAILING_VERDICTS: Readonly<Record<FailOn, readonly Verdict[]>> = {
  "wrong-data": ["wrong data in silence"],
  "useless-error": ["wrong data in silence", "useless error"],
  never: [],
};

const fails = ({ verdict }: DrilledDay, failOn: FailOn): boolean => verdict !== undefined && FAILING_VERDICTS[failOn].includes(verdict);

export const DRILL = {
  usage: "drill <pack> <formula or table> [parameters…] [options]",
  about: `Runs a formula or a sync table with ten problems ("bad days") in the sandbox: expired or revoked tokens, refusals (401, 403, 429, 500), slow
and broken answers, another endpoint. It shows what the pack's user would see, and whether the pack recovers. Nothing is sent to a real API.
<pack> and the parameters are as for pack-auth run. An action runs once for each day.`,
  options: {
    params: { argument: "JSON", help: "all parameters: an array, or an object by their names" },
    "dynamic-url": { argument: "URL", help: "the URL of a dynamic table" },
    format: { argument: "FORMAT", help: "pretty (default), json or junit" },
    "fail-on": {
      argument: FAIL_ON.join("|"),
      help: "what fails the drill: wrong data in silence (default), useless errors too, or nothing",
    },
    ...ENTRY_OPTIONS,
  },
  more: `Exit code: 0 no day fails the drill, 1 a day fails it (see --fail-on), 130 it was stopped, 2 the command is wrong. It is 2 as well if the
formula has no good day in the sandbox to compare with.

Examples:
  pack-auth drill . GetTask 7
  pack-auth drill . Tasks --format junit > drill.xml
`,
} as const satisfies VerbHelp;

export const drill = verb(DRILL, async ({ terminal, signal, positionals, values, openPack, openSandbox, openFolder }) => {
  const [path, target = "", ...parameters] = positionals;
  const { params, "dynamic-url": dynamicUrl } = values;
  const format = choiceOf("--format", FORMATS, values.format);
  const failOn = choiceOf("--fail-on", FAIL_ON, values["fail-on"]);
  if (path === undefined) throw new UsageError("drill needs a pack and a formula or table. See pack-auth drill --help.");
  if (params !== undefined && parameters.length > 0) throw new UsageError("Write the parameters as words or with --params, not both.");
  const entry = findEntry(terminal, path);
  const folder = openFolder("pack-auth-drill-");
  try {
    const pack = await openPack(entry, values);
    const call = {
      ...CALL_DEFAULTS,
      pack: path,
      target,
      parameters,
      asJson: true,
      sandbox: true,
      allowLoopback: false,
      workspaceEsbuild: false,
    };
    const runInput = readRunInput(terminal, { ...call, ...defined({ json: params, dynamicUrl }) }, pack.definition);
    if (runInput.target.kind !== "formula" && runInput.target.kind !== "syncTable")
      throw new UsageError("Name a formula or a sync table for drill.");
    const sandbox = await openSandbox();
    const report = await drillTarget(
      pack,
      { ...runInput, target: runInput.target },
      { sandbox, folder, packName: packName(entry), signal },
    );
    if (signal.aborted) return STOPPED;
    const storage = userDataFolder(terminal.environment);
    // The drill has ended, and its report matters more than its record.
    if (storage !== undefined) await recordDrillOf({ storageFolder: storage }, entry, runInput.target, report).catch(() => {});
    write(terminal, report, format, failOn);
    return report.scenarios.some((day) => fails(day, failOn)) ? 1 : 0;
  } catch (error) {
    if (signal.aborted || !(error instanceof PackAuthError) || error.code !== "drill-failed") throw error;
    await fail(terminal, error, entry);
    return 2;
  }
});

function write(terminal: Terminal, report: DrillReport, format: (typeof FORMATS)[number], failOn: FailOn): void {
  if (format === "json") terminal.output.writeJson(`${JSON.stringify({ version: 1, ...report }, null, 2)}\n`);
  else if (format === "junit")
    terminal.output.writeData(
      junit(
        `pack-auth drill ${report.target}`,
        report.scenarios.map((day) => ({
          name: day.title,
          ...defined({
            duration: day.duration,
            failure: fails(day, failOn) ? `${day.verdict}: ${day.sees} ${day.remedy ?? ""}`.trim() : undefined,
            skipped: day.verdict === undefined ? day.sees : undefined,
          }),
        })),
      ),
    );
  else terminal.output.write(table(terminal, report, failOn, painter(hasColours(terminal.output, terminal.environment))));
}

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
