// Provides the pages of the rules and diagnoses, which links at findings and errors open as Markdown under a separate scheme; package.json
// makes the editor render them. They form a file system, because the editor activates the extension for one when it reopens a page after a reload.

import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";

/** The prefix of the pages' addresses; package.json names the scheme. */
export const RULE_PAGES = "pack-auth-rule:/";

/** Returns false if the address is not such a page. */
export async function openRulePage(address: string): Promise<boolean> {
  if (!address.startsWith(RULE_PAGES)) return false;
  await vscode.commands.executeCommand("vscode.open", vscode.Uri.parse(address));
  return true;
}

export function registerRulePages(extension: vscode.Uri): vscode.Disposable {
  const fileOf = ({ path }: vscode.Uri): string => {
    const name = /^\/([\w-]+\.md)$/.exec(path)?.[1];
    if (name === undefined) throw vscode.FileSystemError.FileNotFound(path);
    const files = ["rules", "failures"].map((folder) => join(extension.fsPath, "docs", folder, name));
    return files.find((file) => existsSync(file)) ?? "";
  };
  const withPageFile = async <T>(uri: vscode.Uri, look: (file: string) => Promise<T>): Promise<T> => {
    try {
      return await look(fileOf(uri));
    } catch {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
  };
  const refuse = (): never => {
    throw vscode.FileSystemError.NoPermissions("The rules' pages cannot be changed.");
  };
  const changeEmitter = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changeEmitter.event,
    watch: () => new vscode.Disposable(() => {}),
    stat: (uri) =>
      withPageFile(uri, async (file) => {
        const { ctimeMs, mtimeMs, size } = await stat(file);
        return { type: vscode.FileType.File, ctime: ctimeMs, mtime: mtimeMs, size };
      }),
    readFile: (uri) => withPageFile(uri, (file) => readFile(file)),
    readDirectory: () => [],
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.Disposable.from(
    changeEmitter,
    vscode.workspace.registerFileSystemProvider(RULE_PAGES.slice(0, RULE_PAGES.indexOf(":")), provider, { isReadonly: true }),
  );
}
