// The report of a check for code scanning: SARIF 2.1.0 (OASIS). Section numbers refer to that standard.
import type { Fix, Severity } from "../../../server/analysis/model/findings.ts";
import type { Rule } from "../../../server/analysis/rule.ts";
import { rangeOf } from "../../../server/analysis/text/lines.ts";
import { locationOf, regionOf, type SarifLevel, sarifLog } from "../../terminal/sarif.ts";
import type { Report } from "./report.ts";

const LEVELS: Readonly<Record<Severity, SarifLevel>> = { error: "error", warning: "warning", information: "note" };

/** `rules`: all rules, of which the report lists those that found something. */
export function sarifReport(report: Report, rules: readonly Pick<Rule, "id" | "severity" | "docs">[]): string {
  const { files, root, text, failures } = report;
  const usedRules = rules.filter(({ id }) => files.some(({ diagnostics }) => diagnostics.some(({ rule }) => rule === id)));
  const region = (path: string, span: { readonly start: number; readonly end: number }) => regionOf(rangeOf(text(path), span));
  const fixOf = (fix: Fix) => ({
    description: { text: fix.title },
    artifactChanges: [...new Set(fix.edits.map((edit) => edit.file))].map((file) => ({
      artifactLocation: locationOf(file, root),
      replacements: fix.edits
        .filter((edit) => edit.file === file)
        .map((edit) => ({ deletedRegion: region(file, edit), insertedContent: { text: edit.text } })),
    })),
  });
  return sarifLog({
    version: report.version,
    root,
    notifications: failures.map((text) => ({ level: "error", text })),
    rules: usedRules.map(({ id, severity, docs }) => ({ id, level: LEVELS[severity], docs })),
    paths: files.map(({ path }) => path),
    results: files.flatMap(({ path, diagnostics }) =>
      diagnostics.map(({ rule, severity, message, place, fixes }) => ({
        rule,
        level: LEVELS[severity],
        message,
        path,
        region: region(path, place),
        // 3.55.3: a fix must change something.
        fixes: fixes.filter((fix) => fix.edits.length > 0).map(fixOf),
      })),
    ),
  });
}
