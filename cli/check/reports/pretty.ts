// The report for people: where, what, the code, and what can be done.
import { fixedText, unasked } from "../../../server/analysis/features/fixes/fix-all.ts";
import { joined, type Printed, printable, told } from "../../terminal/printable.ts";
import { positionAt } from "../lines.ts";
import { codeFrame, visible } from "./code-frame.ts";
import { type CheckedFile, plural, type Report, shortPath, summarise } from "./report.ts";

const COLOURS = { error: "red", warning: "yellow", information: "cyan" } as const;

export function prettyReport(report: Report): Printed {
  const { files, made = [], paint, cwd } = report;
  const { files: count, errors, warnings, informations } = summarise(files);
  const found = [plural(errors, "error"), plural(warnings, "warning"), ...(informations > 0 ? [plural(informations, "information")] : [])];
  const style = errors > 0 ? "red" : warnings > 0 ? "yellow" : "green";
  // --fix leaves files alone that do not parse.
  const parsed = files.filter((file) => file.diagnostics.every(({ rule }) => rule !== "syntax-error"));
  const fixable = parsed.flatMap((file) => file.diagnostics).filter((diagnostic) => unasked(diagnostic).length > 0).length;
  return joined([
    ...files.flatMap((file) => file.diagnostics.map((diagnostic) => entry(file, diagnostic, report))),
    ...made.map(
      ({ path, rule, title }) =>
        told`${paint("green", "fixed")} ${visible(shortPath(path, cwd))} ${paint("dim", rule)} ${visible(title)}\n`,
    ),
    ...(made.length > 0 ? [told`\n`] : []),
    told`${paint(style, found.join(", "))} in ${printable(plural(count, "file"))}\n`,
    ...(report.made === undefined ? [] : [told`${printable(fixedText(made.length, errors + warnings + informations))}\n`]),
    ...(fixable > 0 && report.made === undefined ? [paint("dim", `${plural(fixable, "problem")} can be fixed by --fix\n`)] : []),
    ...(errors + warnings + informations > 0 ? [paint("dim", "See pack-auth explain <rule> for more about a rule\n")] : []),
  ]);
}

function entry({ path, text }: CheckedFile, diagnostic: CheckedFile["diagnostics"][number], { cwd, paint }: Report): Printed {
  const { place, severity, rule, message, fixes } = diagnostic;
  const { line, character } = positionAt(text, place.start);
  const where = paint("bold", `${visible(shortPath(path, cwd))}:${line + 1}:${character + 1}`);
  const hint = fixes.length === 0 ? told`` : told`  ${paint("dim", `fix: ${fixes.map((fix) => visible(fix.title)).join(" · ")}`)}\n`;
  return told`${where} ${paint(COLOURS[severity], severity)} ${paint("dim", rule)}\n  ${visible(message)}\n${codeFrame(text, place, paint)}${hint}\n`;
}
