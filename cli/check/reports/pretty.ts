// The report for people: place, message, code and possible fixes.
import { getOrInsert } from "../../../base/get-or-insert.ts";
import { fixedText, unasked } from "../../../server/analysis/features/fixes/fix-all.ts";
import type { Diagnostic, Severity } from "../../../server/analysis/model/findings.ts";
import { positionAt } from "../../../server/analysis/text/lines.ts";
import type { Paint } from "../../terminal/colour.ts";
import { formatMessage, joined, type Printed, printable } from "../../terminal/printable.ts";
import { codeFrame, visible } from "./code-frame.ts";
import { type CheckedFile, plural, type Report, shortPath } from "./report.ts";

const STYLES: Readonly<Record<Severity, { readonly word: string; readonly colour: "red" | "yellow" | "cyan" }>> = {
  error: { word: "error", colour: "red" },
  warning: { word: "warning", colour: "yellow" },
  information: { word: "note", colour: "cyan" },
};

/** The most further places that are listed for a note. */
const MOST_PLACES = 10;

export function prettyReport(report: Report): Printed {
  const { files, appliedFixes = [], paint, cwd } = report;
  const { files: count, errors, warnings, informations } = report.summary;
  const findingCounts = [plural(errors, "error"), plural(warnings, "warning"), ...(informations > 0 ? [plural(informations, "note")] : [])];
  const style = errors > 0 ? "red" : warnings > 0 ? "yellow" : "green";
  // --fix does not change files that do not parse.
  const parsed = files.filter((file) => file.diagnostics.every(({ rule }) => rule !== "syntax-error"));
  const fixable = parsed.flatMap((file) => file.diagnostics).filter((diagnostic) => unasked(diagnostic).length > 0).length;
  return joined([
    ...files.flatMap((file) => entries(file, report)),
    ...appliedFixes.map(
      ({ path, rule, title }) =>
        formatMessage`${paint("green", "fixed")} ${visible(shortPath(path, cwd))} ${paint("dim", rule)} ${visible(title)}\n`,
    ),
    ...(appliedFixes.length > 0 ? [formatMessage`\n`] : []),
    formatMessage`${paint(style, findingCounts.join(", "))} in ${printable(plural(count, "file"))}\n`,
    ...(report.appliedFixes === undefined
      ? []
      : [formatMessage`${printable(fixedText(appliedFixes.length, errors + warnings + informations))}\n`]),
    ...(fixable > 0 && report.appliedFixes === undefined ? [paint("dim", `${plural(fixable, "problem")} can be fixed by --fix\n`)] : []),
    ...(errors + warnings + informations > 0 ? [paint("dim", "See pack-auth explain <rule> for more about a rule\n")] : []),
  ]);
}

/** Groups the notes of one rule in a file into one entry, which lists the other places: many single notes would hide warnings. */
function entries(file: CheckedFile, report: Report): readonly Printed[] {
  const groups = new Map<string | Diagnostic, Diagnostic[]>();
  for (const diagnostic of file.diagnostics)
    getOrInsert(groups, diagnostic.severity === "information" ? diagnostic.rule : diagnostic, () => []).push(diagnostic);
  return [...groups.values()].flatMap(([first, ...more]) => (first === undefined ? [] : [entry(file, first, more, report)]));
}

function entry({ path, text }: CheckedFile, diagnostic: Diagnostic, more: readonly Diagnostic[], { cwd, paint, width }: Report): Printed {
  const { place, severity, rule, message, fixes } = diagnostic;
  const { line, character } = positionAt(text, place.start);
  const where = paint("bold", `${visible(shortPath(path, cwd))}:${line + 1}:${character + 1}`);
  const hint =
    fixes.length === 0 ? formatMessage`` : formatMessage`  ${paint("dim", `fix: ${fixes.map((fix) => visible(fix.title)).join(" · ")}`)}\n`;
  return formatMessage`${where} ${paint(STYLES[severity].colour, STYLES[severity].word)} ${paint("dim", rule)}\n  ${visible(message)}\n${codeFrame(text, place, paint, width)}${hint}${moreText(text, more, paint)}\n`;
}

function moreText(text: string, more: readonly Diagnostic[], paint: Paint): Printed {
  if (more.length === 0) return formatMessage``;
  const places = more.slice(0, MOST_PLACES).map(({ place }) => {
    const { line, character } = positionAt(text, place.start);
    return `${line + 1}:${character + 1}`;
  });
  return formatMessage`  ${paint("dim", `${more.length} more: ${places.join(", ")}${more.length > MOST_PLACES ? ", …" : ""}`)}\n`;
}
