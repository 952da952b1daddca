// The reports of `pack-auth check`: pretty for people, json for programs (product.md, Command line).
import { relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { styleText } from "node:util";
import type { Diagnostic } from "../server/analysis/model.ts";
import { positionAt, rangeOf } from "./lines.ts";

export interface CheckedFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Summary {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly informations: number;
}

export interface ReportContext {
  readonly cwd: string;
  readonly colour: boolean;
  /** The folder of the rules' docs pages. */
  readonly docs: string;
  text(path: string): string;
}

export function summarise(files: readonly CheckedFile[]): Summary {
  const count = (severity: string): number =>
    files.reduce((sum, file) => sum + file.diagnostics.filter((diagnostic) => diagnostic.severity === severity).length, 0);
  return { files: files.length, errors: count("error"), warnings: count("warning"), informations: count("information") };
}

const shortPath = (path: string, cwd: string): string => relative(cwd, path).replaceAll(sep, "/") || path;
const docsUrl = (rule: string, docs: string): string => pathToFileURL(`${docs}/${rule}.md`).href;

export function jsonReport(files: readonly CheckedFile[], context: ReportContext): string {
  return JSON.stringify(
    {
      version: 1,
      files: files.map((file) => ({
        path: shortPath(file.path, context.cwd),
        diagnostics: file.diagnostics.map((diagnostic) => ({
          rule: diagnostic.rule,
          severity: diagnostic.severity,
          message: diagnostic.message,
          range: rangeOf(file.text, diagnostic.place),
          docs: docsUrl(diagnostic.rule, context.docs),
          fixes: (diagnostic.fixes ?? []).map((fix) => ({
            title: fix.title,
            edits: fix.edits.map((edit) => ({
              path: shortPath(edit.file, context.cwd),
              range: rangeOf(context.text(edit.file), edit),
              newText: edit.text,
            })),
          })),
        })),
      })),
      summary: summarise(files),
    },
    null,
    2,
  );
}

const COLOURS = { error: "red", warning: "yellow", information: "cyan" } as const;

export function prettyReport(files: readonly CheckedFile[], context: ReportContext): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    context.colour ? styleText(style, text, { validateStream: false }) : text;
  const parts: string[] = [];
  for (const file of files) {
    for (const diagnostic of file.diagnostics) {
      const { line, character } = positionAt(file.text, diagnostic.place.start);
      parts.push(
        `${paint("bold", `${shortPath(file.path, context.cwd)}:${line + 1}:${character + 1}`)} ${paint(COLOURS[diagnostic.severity], diagnostic.severity)} ${paint("dim", diagnostic.rule)}\n` +
          `  ${diagnostic.message}\n${codeFrame(file.text, diagnostic.place, paint)}` +
          (diagnostic.fixes?.[0] === undefined
            ? ""
            : `  ${paint("dim", `fix: ${diagnostic.fixes.map((fix) => fix.title).join(" · ")}`)}\n`),
      );
    }
  }
  const { files: count, errors, warnings, informations } = summarise(files);
  const plural = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;
  const found = [
    plural(errors, "error"),
    plural(warnings, "warning"),
    ...(informations > 0 ? [plural(informations, "information")] : []),
  ].join(", ");
  parts.push(`${paint(errors > 0 ? "red" : "green", found)} in ${plural(count, "file")}`);
  return parts.join("\n");
}

/** The line with what is flagged underlined. */
function codeFrame(text: string, span: { start: number; end: number }, paint: (style: "dim" | "red", text: string) => string): string {
  const { line, character } = positionAt(text, span.start);
  const source = (text.split("\n")[line] ?? "").replace(/\r$/, "").replaceAll("\t", " ");
  if (source.length > 200) return "";
  const number = String(line + 1);
  const length = Math.max(1, Math.min(span.end - span.start, source.length - character));
  return `  ${paint("dim", `${number} |`)} ${source}\n  ${paint("dim", `${" ".repeat(number.length)} |`)} ${" ".repeat(character)}${paint("red", "^".repeat(length))}\n`;
}
