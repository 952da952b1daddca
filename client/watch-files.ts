// Files that are watched, whoever writes them: the editor, git, other windows.
import * as vscode from "vscode";
import { makeFolder } from "../platform/files/make-folder.ts";

/** Tells of those that come, change or go below a folder. */
export function watchFiles(folder: vscode.WorkspaceFolder | vscode.Uri, glob: string, hear: (file: vscode.Uri) => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, glob));
  return vscode.Disposable.from(watcher, watcher.onDidCreate(hear), watcher.onDidChange(hear), watcher.onDidDelete(hear));
}

/** The JSON files of a folder of our own, which is made where it is missing: what is not there cannot be watched. */
export function watchOwnFolder(folder: string, onChange: () => void): vscode.Disposable {
  try {
    makeFolder(folder);
  } catch {
    // A disk that cannot be written is told of when something is saved.
  }
  return watchFiles(vscode.Uri.file(folder), "*.json", onChange);
}
