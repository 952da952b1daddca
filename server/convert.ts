// Analysis ↔ LSP: offsets ↔ positions in the negotiated encoding, paths ↔ URIs, diagnostics, edits. Nowhere else.
import { posix, win32 } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { DiagnosticSeverity, type Diagnostic as LspDiagnostic, type Position, type Range } from "vscode-languageserver/node";
import { oneSpelling } from "../protocol/canonical.ts";
import type { OffsetEdit } from "./analysis/analysis.ts";
import { allSeen } from "./analysis/markdown.ts";
import type { Diagnostic, Severity, Span } from "./analysis/model.ts";
import { lineAt, linesOf } from "./lines.ts";

export type Encoding = "utf-8" | "utf-16" | "utf-32";

/** Of the last URIs that were asked for: every message names one, and a URL is slow to read. */
const paths = new Map<string, string | undefined>();
const MOST_PATHS = 1_000;

/** With forward slashes; undefined for what is no file. */
export function toPath(uri: string): string | undefined {
  if (paths.has(uri)) return paths.get(uri);
  if (paths.size >= MOST_PATHS) paths.clear();
  const path = pathOf(uri, process.platform === "win32");
  paths.set(uri, path);
  return path;
}

/** Clients write a drive's letter and a host in either case. */
export function pathOf(uri: string, windows: boolean): string | undefined {
  try {
    if (!uri.startsWith("file:")) return undefined;
    const path = oneSpelling(fileURLToPath(uri, { windows }), windows ? win32 : posix);
    return windows ? path.replaceAll("\\", "/") : path;
  } catch {
    return undefined;
  }
}

export const toUri = (path: string): string => pathToFileURL(path).href;

export function toPosition(text: string, offset: number, encoding: Encoding): Position {
  const starts = linesOf(text);
  const line = lineAt(starts, offset);
  const start = starts[line] ?? 0;
  return { line, character: encoding === "utf-16" ? offset - start : widthOf(text.slice(start, offset), encoding) };
}

/** A position beyond the line's or the text's end is its end (LSP 3.17, Position). */
export function toOffset(text: string, position: Position, encoding: Encoding): number {
  const starts = linesOf(text);
  if (position.line >= starts.length) return text.length;
  const line = Math.max(0, position.line);
  const start = starts[line] ?? 0;
  const end = lineEnd(text, start, starts[line + 1] ?? text.length);
  if (encoding === "utf-16") return Math.min(start + Math.max(0, position.character), end);
  let width = 0;
  let index = start;
  for (const char of text.slice(start, end)) {
    if (width >= position.character) break;
    width += widthOf(char, encoding);
    index += char.length;
  }
  return index;
}

/** Without the signs that end it. */
function lineEnd(text: string, start: number, next: number): number {
  let end = next;
  while (end > start && (text.charCodeAt(end - 1) === 10 || text.charCodeAt(end - 1) === 13)) end--;
  return end;
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

/** A content change → an edit of the text that it is about; a change without range replaces all. */
export function toEdit(text: string, change: { readonly range?: Range; readonly text: string }, encoding: Encoding): OffsetEdit {
  if (change.range === undefined) return { start: 0, end: text.length, text: change.text };
  const start = toOffset(text, change.range.start, encoding);
  return { start, end: Math.max(start, toOffset(text, change.range.end, encoding)), text: change.text };
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
    message: allSeen(diagnostic.message),
  };
}
