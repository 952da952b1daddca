// Watches the files and secrets of accounts, because other windows change them too. Views and lenses of this window then stay up to date.
import * as vscode from "vscode";
import type { Accounts } from "../../platform/accounts/accounts.ts";
import { watchOwnFolder } from "../window/watch-files.ts";

export function watchAccounts(accounts: Accounts, context: vscode.ExtensionContext): vscode.Disposable {
  const onChange = (): void => accounts.changedElsewhere();
  return vscode.Disposable.from(watchOwnFolder(accounts.folder, onChange), context.secrets.onDidChange(onChange));
}
