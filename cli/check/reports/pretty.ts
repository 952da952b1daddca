// The report for people: place, message, code and possible fixes.
import { getOrInsert } from "../../../base/get-or-insert.ts";
import { describeVerdicts } from "../../../protocol/verdict.ts";
import { fixedText, unasked } from "../../../server/analysis/features/fixes/fix-all.ts";
import type { Diagnostic, Severity } from "../../../server/analysis/model/findings.ts";
import { positionAt } from "../../../server/analysis/text/lines.ts";
import type { Paint } from "../../terminal/colour.ts";
import { formatMessage, joined, type Printed, printable } from "../../terminal/printable.ts";
import { shortPath } from "../../terminal/short-path.ts";
import { codeFrame, visible } from "./code-frame.ts";
import { type CheckedFile, plural, type Report } from "./report.ts";

const STYLES: Readonly<Record<Severity, { readonly word: string; readonly colour: "red" | "yellow" | "cyan" }>> = {
  error: { word: "error", colour: "red" },
  warning: { word: "warning", colour: "yellow" },
  information: { word: "note", colour: "cyan" },
};

/** The most further places, and files, that are listed for a note. */
const MOST_PLACES = 10;

export function prettyReport(report: Report): Printed {
  const { files, appliedFixes = [], paint, cwd } = report;
  const { files: count, errors, warnings, informations, verdicts } = report.summary;
  const verdictText = describeVerdicts(verdicts);
  const findingCounts = [plural(errors, "error"), plural(warnings, "warning"), ...(informations > 0 ? [plural(informations, "note")] : [])];
  const style = errors > 0 ? "red" : warnings > 0 ? "yellow" : "green";
  // --fix does not change files that do not parse.
  const parsed = files.filter((file) => file.isNamed && file.diagnostics.every(({ rule }) => rule !== "syntax-error"));
  const fixable = parsed.flatMap((file) => file.diagnostics).filter((diagnostic) => unasked(diagnostic).length > 0).length;
  const noteFiles = filesOfNotes(files);
  return joined([
    ...files.flatMap((file) => entries(file, report, noteFiles)),
    ...appliedFixes.map(
      ({ path, rule, title }) =>
        formatMessage`${paint("green", "fixed")} ${visible(shortPath(path, cwd))} ${paint("dim", rule)} ${visible(title)}\n`,
    ),
    ...(appliedFixes.length > 0 ? [formatMessage`\n`] : []),
    formatMessage`${paint(style, findingCounts.join(", "))} in ${printable(plural(count, "file"))}\n`,
    ...(verdictText === "" ? [] : [formatMessage`${printable(verdictText)}\n`]),
    ...(report.appliedFixes === undefined
      ? []
      : [formatMessage`${printable(fixedText(appliedFixes.length, errors + warnings + informations))}\n`]),
    ...(fixable > 0 && report.appliedFixes === undefined ? [paint("dim", `${plural(fixable, "problem")} can be fixed by --fix\n`)] : []),
    ...(errors + warnings + informations > 0 ? [paint("dim", "See pack-auth explain <rule> for more about a rule\n")] : []),
  ]);
}

/** The files that have a note of the same rule and with the same words as their only one of the rule. */
type NoteFiles = ReadonlyMap<string, readonly CheckedFile[]>;

const noteKey = ({ rule, message }: Diagnostic): string => JSON.stringify([rule, message]);

const isOneNote = ([first, ...more]: readonly Diagnostic[]): boolean =>
  first?.severity === "information" && more.every(({ message }) => message === first.message);

/** Groups the notes of one rule in a file: many single notes would hide warnings. */
function grouped(file: CheckedFile): readonly (readonly Diagnostic[])[] {
  const groups = new Map<string | Diagnostic, Diagnostic[]>();
  for (const diagnostic of file.diagnostics)
    getOrInsert(groups, diagnostic.severity === "information" ? diagnostic.rule : diagnostic, () => []).push(diagnostic);
  return [...groups.values()];
}

function filesOfNotes(files: readonly CheckedFile[]): NoteFiles {
  const noteFiles = new Map<string, CheckedFile[]>();
  for (const file of files)
    for (const group of grouped(file)) {
      const [first] = group;
      if (first !== undefined && isOneNote(group)) getOrInsert(noteFiles, noteKey(first), () => []).push(file);
    }
  return noteFiles;
}

/** Returns an entry for each group. A note that an earlier file has is left out, because that one's entry lists the files. */
function entries(file: CheckedFile, report: Report, noteFiles: NoteFiles): readonly Printed[] {
  return grouped(file).flatMap((group) => {
    const [first, ...places] = group;
    if (first === undefined) return [];
    const [firstFile = file, ...files] = isOneNote(group) ? (noteFiles.get(noteKey(first)) ?? []) : [];
    return firstFile === file ? [entry(file, first, { places, files }, report)] : [];
  });
}

/** Where else a note is. */
interface More {
  readonly places: readonly Diagnostic[];
  readonly files: readonly CheckedFile[];
}

function entry({ path, text }: CheckedFile, diagnostic: Diagnostic, more: More, { cwd, paint, width }: Report): Printed {
  const { place, severity, rule, message, fixes } = diagnostic;
  const { line, character } = positionAt(text, place.start);
  const where = paint("bold", `${visible(shortPath(path, cwd))}:${line + 1}:${character + 1}`);
  const hint =
    fixes.length === 0 ? formatMessage`` : formatMessage`  ${paint("dim", `fix: ${fixes.map((fix) => visible(fix.title)).join(" · ")}`)}\n`;
  return formatMessage`${where} ${paint(STYLES[severity].colour, STYLES[severity].word)} ${paint("dim", rule)}\n  ${visible(message)}\n${codeFrame(text, place, paint, width)}${hint}${morePlaces(text, more.places, paint)}${moreFiles(more.files, cwd, paint)}\n`;
}

function morePlaces(text: string, more: readonly Diagnostic[], paint: Paint): Printed {
  const places = more.map(({ place }) => {
    const { line, character } = positionAt(text, place.start);
    return `${line + 1}:${character + 1}`;
  });
  return listed(`${more.length} more`, places, paint);
}

const moreFiles = (files: readonly CheckedFile[], cwd: string, paint: Paint): Printed =>
  listed(
    `the same in ${files.length} more ${files.length === 1 ? "file" : "files"}`,
    files.map(({ path }) => visible(shortPath(path, cwd))),
    paint,
  );

function listed(what: string, all: readonly string[], paint: Paint): Printed {
  if (all.length === 0) return formatMessage``;
  return formatMessage`  ${paint("dim", `${what}: ${all.slice(0, MOST_PLACES).join(", ")}${all.length > MOST_PLACES ? ", …" : ""}`)}\n`;
}
