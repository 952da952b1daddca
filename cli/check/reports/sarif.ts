// The report for code scanning: SARIF 2.1.0 (OASIS). Section numbers refer to that standard.
import { pathToFileURL } from "node:url";
import type { Fix, Severity } from "../../../server/analysis/model/findings.ts";
import { RULES } from "../../../server/analysis/rules/index.ts";
import { rangeOf } from "../../../server/analysis/text/lines.ts";
import { type Report, shortPath } from "./report.ts";

const LEVELS: Readonly<Record<Severity, "error" | "warning" | "note">> = { error: "error", warning: "warning", information: "note" };

/** The symbolic folder that paths are relative to; code scanning replaces it by the root of the checkout. */
const BASE = "%SRCROOT%";

export function sarifReport(report: Report): string {
  const { files, root, text, failures } = report;
  const usedRules = RULES.filter(({ id }) => files.some(({ diagnostics }) => diagnostics.some(({ rule }) => rule === id)));
  const location = (path: string) => ({ uri: uriOf(shortPath(path, root)), uriBaseId: BASE });
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
  const run = {
    tool: {
      driver: {
        name: "Pack Auth",
        semanticVersion: report.version,
        rules: usedRules.map((rule) => ({
          id: rule.id,
          shortDescription: { text: plain(rule.docs.split("\n")[0] ?? "") },
          fullDescription: { text: plain(rule.docs) },
          help: { text: plain(rule.docs), markdown: rule.docs },
          defaultConfiguration: { level: LEVELS[rule.severity] },
          properties: { tags: ["authentication"] },
        })),
      },
    },
    invocations: [
      {
        executionSuccessful: failures.length === 0,
        toolExecutionNotifications: failures.map((failure) => ({ level: "error", message: { text: failure } })),
      },
    ],
    columnKind: "utf16CodeUnits",
    // 3.14.14: a base URI ends with a slash.
    originalUriBaseIds: { [BASE]: { uri: `${pathToFileURL(root).href.replace(/\/$/, "")}/` } },
    artifacts: files.map(({ path }) => ({ location: location(path) })),
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
  };
  return `${JSON.stringify({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] }, null, 2)}\n`;
}

/** Returns a relative reference (RFC 3986, 4.2). Each part is encoded, including a colon in the first. */
const uriOf = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** Removes the Markdown marks. */
const plain = (markdown: string): string => markdown.replaceAll("`", "");
