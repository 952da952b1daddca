// The report for a GitHub workflow: one command per finding, which the runner turns into an annotation at its line.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
import { describeVerdicts } from "../../../protocol/verdict.ts";
import type { Severity } from "../../../server/analysis/model/findings.ts";
import { positionAt, rangeOf } from "../../../server/analysis/text/lines.ts";
import { code, plain } from "../../../server/analysis/text/markdown.ts";
import { shortPath } from "../../terminal/short-path.ts";
import { workflowCommand } from "../../terminal/workflow.ts";
import { plural, type Report, type Summary } from "./report.ts";

const COMMANDS: Readonly<Record<Severity, "error" | "warning" | "notice">> = { error: "error", warning: "warning", information: "notice" };
const SEVERITIES = Object.keys(COMMANDS) as readonly Severity[];

export function githubReport({ files, summary, root, failures }: Report): string {
  const lines = files.flatMap(({ path, text, diagnostics }) =>
    diagnostics.map(({ place, severity, rule, message }) => {
      const { start, end } = rangeOf(text, place);
      // The runner accepts columns only within one line.
      const columns = start.line === end.line ? { col: start.character + 1, endColumn: end.character + 1 } : {};
      const properties = { file: shortPath(path, root), line: start.line + 1, endLine: end.line + 1, ...columns, title: rule };
      return workflowCommand(COMMANDS[severity], properties, message);
    }),
  );
  return `${[...lines, ...failures.map((failure) => workflowCommand("error", {}, failure)), totals(summary)].join("\n")}\n`;
}

/** Limits the table, because the runner rejects a summary of more than 1 MiB. */
const MOST_ROWS = 200;

/** Returns the report as Markdown for the summary of the job, the errors first. */
export function githubSummary({ files, summary, root, failures }: Report): string {
  const findings = files.flatMap(({ path, text, diagnostics }) =>
    diagnostics.map(({ place, severity, rule, message }) => {
      const { line, character } = positionAt(text, place.start);
      const cells = [COMMANDS[severity], plain(`${shortPath(path, root)}:${line + 1}:${character + 1}`), code(rule), plain(message)];
      return { severity, row: `| ${cells.join(" | ")} |` };
    }),
  );
  const rows = SEVERITIES.flatMap((severity) => findings.filter((finding) => finding.severity === severity).map(({ row }) => row));
  const more = rows.length > MOST_ROWS ? ["", `${rows.length - MOST_ROWS} more are in the log.`] : [];
  const table =
    rows.length === 0 ? [] : ["", "| | place | rule | finding |", "| --- | --- | --- | --- |", ...rows.slice(0, MOST_ROWS), ...more];
  return `${[`### Pack Auth: ${totals(summary)}`, ...table, ...failures.flatMap((failure) => ["", plain(failure)])].join("\n")}\n\n`;
}

function totals({ errors, warnings, informations, files: count, verdicts }: Summary): string {
  const verdictText = describeVerdicts(verdicts);
  return `${plural(errors, "error")}, ${plural(warnings, "warning")}, ${plural(informations, "notice")} in ${plural(count, "file")}${verdictText === "" ? "" : `. ${verdictText}`}`;
}
