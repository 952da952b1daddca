// Reports changes of a pack's files by any program: the editor, a formatter, git. A burst of changes is reported once.
import { dirname } from "node:path";
import * as vscode from "vscode";
import { watchFiles } from "../window/watch-files.ts";

/** Files that can be part of a bundle or affect the build. */
const SOURCES = "**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,json}";
/** Milliseconds without a further change, because a checkout writes many files. */
const BURST = 100;

/** `isOne` returns whether a path belongs to the pack. Files of packages are ignored. */
export function watchSources(entry: string, isOne: (path: string) => boolean, onChange: () => void): vscode.Disposable {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(entry)) ?? vscode.Uri.file(dirname(entry));
  let timer: NodeJS.Timeout | undefined;
  const hear = ({ fsPath }: vscode.Uri): void => {
    if (/[\\/]node_modules[\\/]/.test(fsPath) || !isOne(fsPath)) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, BURST);
  };
  return vscode.Disposable.from(
    watchFiles(folder, SOURCES, hear),
    // The editor reports a save sooner than the file system does.
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (isOne(uri.fsPath)) onChange();
    }),
    { dispose: () => clearTimeout(timer) },
  );
}
