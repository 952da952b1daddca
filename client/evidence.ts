// Tells the language server what sign-ins and runs showed, of this window and of others: their files are watched.
import { mkdirSync } from "node:fs";
import * as vscode from "vscode";
import { openEvidence } from "../platform/evidence/evidence.ts";
import { defined } from "../protocol/defined.ts";
import type { Services } from "./services.ts";

export function tellEvidence({ server, accounts, host }: Pick<Services, "server" | "accounts" | "host">): vscode.Disposable {
  const evidence = openEvidence(host());
  try {
    // What is not there cannot be watched.
    mkdirSync(evidence.folder, { recursive: true, mode: 0o700 });
  } catch {
    // A disk that cannot be written keeps no facts either.
  }
  const tell = async (): Promise<void> => {
    const labels = new Map((await accounts.list()).map(({ id, label }) => [id, label]));
    const uriOf = (path: string): string => vscode.Uri.file(path).toString();
    server.tellEvidence(
      evidence.facts().map(({ account = "", entry, at, ...fact }) => ({
        ...fact,
        entry: uriOf(entry),
        ...defined({ account: labels.get(account), at: at && { ...at, path: uriOf(at.path) } }),
      })),
    );
  };
  const changed = (): void => void tell().catch(() => {});
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(evidence.folder), "*.json"));
  changed();
  return vscode.Disposable.from(watcher, watcher.onDidCreate(changed), watcher.onDidChange(changed), watcher.onDidDelete(changed));
}
