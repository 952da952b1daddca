// Other windows change accounts too: their files and secrets are watched, so that views and lenses of this window stay true.
import { mkdirSync } from "node:fs";
import * as vscode from "vscode";
import type { Accounts } from "../../platform/accounts/accounts.ts";

export function watchAccounts(accounts: Accounts, context: vscode.ExtensionContext): vscode.Disposable {
  try {
    // What is not there cannot be watched.
    mkdirSync(accounts.folder, { recursive: true, mode: 0o700 });
  } catch {
    // A disk that cannot be written is told of when an account is saved.
  }
  const tell = (): void => accounts.changedElsewhere();
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(accounts.folder), "*.json"));
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(tell),
    watcher.onDidChange(tell),
    watcher.onDidDelete(tell),
    context.secrets.onDidChange(tell),
  );
}
