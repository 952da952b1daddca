// Conversions between the analysis and LSP: paths and URIs, and diagnostics.
import { posix, win32 } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { DiagnosticSeverity, type Diagnostic as LspDiagnostic } from "vscode-languageserver/node";
import { oneSpelling } from "../base/canonical.ts";
import type { Diagnostic, Severity } from "./analysis/model/findings.ts";
import { replaceInvisible } from "./analysis/text/markdown.ts";
import type { Positions } from "./positions.ts";

/** Returns the path with forward slashes, or undefined if the URI is not a file. */
export const toPath = (uri: string): string | undefined => pathOf(uri, process.platform === "win32");

/** Returns the path of a URI. Clients write a drive's letter and a host in either case. */
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

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
};

export function toDiagnostic(
  { message, place, rule, severity }: Diagnostic,
  positions: Positions,
  docs: (rule: string) => string,
): LspDiagnostic {
  return {
    range: positions.range(place.file, place),
    severity: SEVERITIES[severity],
    source: "pack-auth",
    code: rule,
    codeDescription: { href: docs(rule) },
    message: replaceInvisible(message),
  };
}
