// Tells that files of a pack changed, whoever wrote them: the editor, a formatter, git. What comes in one burst is told once.
import { dirname } from "node:path";
import * as vscode from "vscode";
import { watchFiles } from "../watch-files.ts";

/** What can go into a bundle, or decides how it is made. */
const SOURCES = "**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,json}";
/** Milliseconds without a further change: a checkout writes many files. */
const BURST = 100;

/** `isOne` says whether a path is of the pack. Files of packages are not looked at. */
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
    // Sooner than the file system tells of it.
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (isOne(uri.fsPath)) onChange();
    }),
    { dispose: () => clearTimeout(timer) },
  );
}
