// One clear message for every failure: what happened, what to do, and a way to where it comes from.
import * as vscode from "vscode";
import { reportOf } from "../platform/errors.ts";
import type { SourceLocation } from "../protocol/run.ts";
import type { LanguageServer } from "./language-client.ts";

export type ErrorReporter = (error: unknown, entry?: string) => Promise<void>;

export function createErrorReporter(server: () => LanguageServer, output: vscode.LogOutputChannel): ErrorReporter {
  return async (error, entry) => {
    const report = reportOf(error);
    output.error(`${report.code}: ${report.message}${report.hint ? ` ${report.hint}` : ""}`);
    const actions: Record<string, () => unknown> = {};
    const frame = report.stack?.find((candidate) => candidate.location !== undefined && !candidate.location.path.includes("node_modules"));
    const location = frame?.location;
    if (location !== undefined) actions["Open source"] = () => openLocation(location);
    else if (report.configPath !== undefined && entry !== undefined) {
      const { configPath } = report;
      actions["Open configuration"] = () => openConfiguration(server(), entry, configPath);
    }
    actions["Show log"] = () => output.show();
    const choice = await vscode.window.showErrorMessage([report.message, report.hint].filter(Boolean).join(" "), ...Object.keys(actions));
    if (choice !== undefined) await actions[choice]?.();
  };
}

export async function openLocation(location: SourceLocation): Promise<void> {
  const at = new vscode.Position(location.line, location.character);
  await vscode.window.showTextDocument(vscode.Uri.file(location.path), {
    selection: new vscode.Range(at, at),
    viewColumn: vscode.ViewColumn.One,
  });
}

async function openConfiguration(server: LanguageServer, entry: string, configPath: string): Promise<void> {
  const place = await server.locate({ entry: vscode.Uri.file(entry).toString(), configPath });
  const uri = place === undefined ? vscode.Uri.file(entry) : vscode.Uri.parse(place.uri);
  const range =
    place === undefined
      ? new vscode.Range(0, 0, 0, 0)
      : new vscode.Range(place.range.start.line, place.range.start.character, place.range.end.line, place.range.end.character);
  await vscode.window.showTextDocument(uri, { selection: range, viewColumn: vscode.ViewColumn.One });
}
