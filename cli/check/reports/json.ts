// The report for programs: version 1, LSP positions, paths relative to the working directory, every checked file listed.
import { defined } from "../../../base/defined.ts";
import { rangeOf } from "../../../server/analysis/text/lines.ts";
import { shortPath } from "../../terminal/short-path.ts";
import type { Report } from "./report.ts";

export function jsonReport({ files, summary, cwd, docs, text }: Report): string {
  const report = {
    version: 1,
    files: files.map((file) => ({
      path: shortPath(file.path, cwd),
      diagnostics: file.diagnostics.map(({ rule, severity, verdict, message, place, fixes }) => ({
        rule,
        severity,
        ...defined({ verdict }),
        message,
        range: rangeOf(file.text, place),
        docs: docs(rule),
        fixes: fixes.map((fix) => ({
          title: fix.title,
          edits: fix.edits.map((edit) => ({ path: shortPath(edit.file, cwd), range: rangeOf(text(edit.file), edit), newText: edit.text })),
        })),
      })),
    })),
    summary,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
