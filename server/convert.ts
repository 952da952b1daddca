// Analysis ↔ LSP: offsets ↔ positions in the negotiated encoding, paths ↔ URIs, diagnostics, edits. Nowhere else.
import { fileURLToPath, pathToFileURL } from "node:url";
import { DiagnosticSeverity, type Diagnostic as LspDiagnostic, type Position, type Range } from "vscode-languageserver/node";
import type { OffsetEdit } from "./analysis/analysis.ts";
import type { Diagnostic, Severity, Span } from "./analysis/model.ts";

export type Encoding = "utf-8" | "utf-16" | "utf-32";

export const toPath = (uri: string): string | undefined => {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri).replaceAll("\\", "/") : undefined;
  } catch {
    return undefined;
  }
};

export const toUri = (path: string): string => pathToFileURL(path).href;

const lineStarts = new Map<string, readonly number[]>();

/** Line starts of a text; the last few texts are remembered. */
function startsOf(text: string): readonly number[] {
  const known = lineStarts.get(text);
  if (known !== undefined) return known;
  const starts = [0];
  // A line ends with \n, \r\n or \r (LSP 3.17, Text Documents).
  if (text.includes("\r")) for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  else for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  if (lineStarts.size > 8) lineStarts.clear();
  lineStarts.set(text, starts);
  return starts;
}

export function toPosition(text: string, offset: number, encoding: Encoding): Position {
  const starts = startsOf(text);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const start = starts[low] ?? 0;
  return { line: low, character: encoding === "utf-16" ? offset - start : widthOf(text.slice(start, offset), encoding) };
}

/** A position beyond the line's or the text's end is its end (LSP 3.17, Position). */
export function toOffset(text: string, position: Position, encoding: Encoding): number {
  const starts = startsOf(text);
  if (position.line >= starts.length) return text.length;
  const start = starts[Math.max(0, position.line)] ?? 0;
  const end = starts[position.line + 1] ?? text.length;
  const line = text.slice(start, end).replace(/[\r\n]+$/, "");
  if (encoding === "utf-16") return start + Math.min(Math.max(0, position.character), line.length);
  let width = 0;
  let index = 0;
  for (const char of line) {
    if (width >= position.character) break;
    width += widthOf(char, encoding);
    index += char.length;
  }
  return start + index;
}

/** How many units of the encoding a text takes: bytes of UTF-8, or code points. */
function widthOf(text: string, encoding: "utf-8" | "utf-32"): number {
  if (encoding === "utf-8") return Buffer.byteLength(text);
  let points = 0;
  for (const _ of text) points++;
  return points;
}

export function toRange(text: string, span: Span, encoding: Encoding): Range {
  return { start: toPosition(text, span.start, encoding), end: toPosition(text, span.end, encoding) };
}

/** Content changes → offset edits, each against the text that the one before it left; a change without range replaces all. */
export function toEdits(text: string, changes: readonly { range?: Range; text: string }[], encoding: Encoding): readonly OffsetEdit[] {
  let current = text;
  return changes.map((change) => {
    const start = change.range === undefined ? 0 : toOffset(current, change.range.start, encoding);
    const end = change.range === undefined ? current.length : Math.max(start, toOffset(current, change.range.end, encoding));
    current = current.slice(0, start) + change.text + current.slice(end);
    return { start, end, text: change.text };
  });
}

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
};

export function toDiagnostic(diagnostic: Diagnostic, text: string, encoding: Encoding, docs: (rule: string) => string): LspDiagnostic {
  return {
    range: toRange(text, diagnostic.place, encoding),
    severity: SEVERITIES[diagnostic.severity],
    source: "pack-auth",
    code: diagnostic.rule,
    codeDescription: { href: docs(diagnostic.rule) },
    message: diagnostic.message,
  };
}
