// The report for code scanning: SARIF 2.1.0 (OASIS). Section numbers refer to that standard.
import type { Fix, Severity } from "../../../server/analysis/model/findings.ts";
import { RULES } from "../../../server/analysis/rules/index.ts";
import { rangeOf } from "../../../server/analysis/text/lines.ts";
import { locationOf, sarifLog } from "../../terminal/sarif.ts";
import type { Report } from "./report.ts";

const LEVELS: Readonly<Record<Severity, "error" | "warning" | "note">> = { error: "error", warning: "warning", information: "note" };

export function sarifReport(report: Report): string {
  const { files, root, text, failures } = report;
  const usedRules = RULES.filter(({ id }) => files.some(({ diagnostics }) => diagnostics.some(({ rule }) => rule === id)));
  const location = (path: string) => locationOf(path, root);
  const region = (path: string, span: { readonly start: number; readonly end: number }) => {
    const { start, end } = rangeOf(text(path), span);
    // 3.30: numbers start at 1, and the end column is the one after the last character.
    return { startLine: start.line + 1, startColumn: start.character + 1, endLine: end.line + 1, endColumn: end.character + 1 };
  };
  const fixOf = (fix: Fix) => ({
    description: { text: fix.title },
    artifactChanges: [...new Set(fix.edits.map((edit) => edit.file))].map((file) => ({
      artifactLocation: location(file),
      replacements: fix.edits
        .filter((edit) => edit.file === file)
        .map((edit) => ({ deletedRegion: region(file, edit), insertedContent: { text: edit.text } })),
    })),
  });
  return sarifLog({
    version: report.version,
    root,
    rules: usedRules.map(({ id, docs, severity }) => ({ id, docs, level: LEVELS[severity] })),
    notifications: failures.map((text) => ({ level: "error", text })),
    paths: files.map(({ path }) => path),
    results: files.flatMap(({ path, diagnostics }, index) =>
      diagnostics.map(({ rule, severity, message, place, fixes }) => ({
        ruleId: rule,
        ruleIndex: usedRules.findIndex(({ id }) => id === rule),
        level: LEVELS[severity],
        message: { text: message },
        locations: [{ physicalLocation: { artifactLocation: { ...location(path), index }, region: region(path, place) } }],
        // 3.55.3: a fix must change something.
        fixes: fixes.filter((fix) => fix.edits.length > 0).map(fixOf),
      })),
    ),
  });
}
