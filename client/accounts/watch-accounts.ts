// Other windows change accounts too: their files and secrets are watched, so that views and lenses of this window stay true.
import * as vscode from "vscode";
import type { Accounts } from "../../platform/accounts/accounts.ts";
import { watchOwnFolder } from "../watch-files.ts";

export function watchAccounts(accounts: Accounts, context: vscode.ExtensionContext): vscode.Disposable {
  const onChange = (): void => accounts.changedElsewhere();
  return vscode.Disposable.from(watchOwnFolder(accounts.folder, onChange), context.secrets.onDidChange(onChange));
}
