// Watches files for changes by any program: the editor, git, other windows.
import * as vscode from "vscode";
import { makeFolder } from "../../platform/files/make-folder.ts";

/** Reports files below a folder that are created, changed or deleted. */
export function watchFiles(folder: vscode.WorkspaceFolder | vscode.Uri, glob: string, hear: (file: vscode.Uri) => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, glob));
  return vscode.Disposable.from(watcher, watcher.onDidCreate(hear), watcher.onDidChange(hear), watcher.onDidDelete(hear));
}

/** Watches the JSON files of a folder of Pack Auth. Creates a missing folder, because it could not be watched otherwise. */
export function watchOwnFolder(folder: string, onChange: () => void): vscode.Disposable {
  try {
    makeFolder(folder);
  } catch {
    // A read-only disk is reported when something is saved.
  }
  return watchFiles(vscode.Uri.file(folder), "*.json", onChange);
}
