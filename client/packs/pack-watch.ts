// Waits for the first sign of a pack in this window. Until then the extension does nothing else.
import { dirname } from "node:path";
import * as vscode from "vscode";
import { LANGUAGES } from "../window/pack-languages.ts";
import { toolkitModules } from "../window/settings.ts";
import { hasPackSigns, hasSignAbove, isPackText } from "./pack-signs.ts";

const isSource = ({ uri, languageId }: vscode.TextDocument): boolean => uri.scheme === "file" && LANGUAGES.includes(languageId);

const paths = (folders: readonly vscode.WorkspaceFolder[] | undefined): readonly string[] =>
  (folders ?? []).filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath);

/** Calls `onPack` once, at the first sign. */
export function watchForPacks(onPack: () => void): vscode.Disposable {
  const abort = new AbortController();
  const listeners: vscode.Disposable[] = [];
  const stop = (): void => {
    abort.abort();
    for (const listener of listeners) listener.dispose();
  };
  const finishIfPack = (isPack: boolean): void => {
    if (!isPack || abort.signal.aborted) return;
    stop();
    onPack();
  };
  const look = async (document: vscode.TextDocument): Promise<void> => {
    if (isSource(document))
      finishIfPack(
        isPackText(document.getText(), toolkitModules()) || (await hasSignAbove(dirname(document.uri.fsPath), toolkitModules())),
      );
  };
  const search = async (folders: readonly vscode.WorkspaceFolder[] | undefined): Promise<void> =>
    finishIfPack(await hasPackSigns(paths(folders), toolkitModules(), abort.signal));
  listeners.push(
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (!isSource(document)) return;
      // The typed text, and the line that contains it.
      const changedTexts = contentChanges.flatMap(({ text, range }) => [
        text,
        document.lineAt(Math.min(range.start.line, document.lineCount - 1)).text,
      ]);
      finishIfPack(changedTexts.some((text) => isPackText(text, toolkitModules())));
    }),
    // A saved manifest may now require an SDK.
    vscode.workspace.onDidSaveTextDocument(async ({ uri }) => {
      if (uri.path.endsWith("/package.json")) finishIfPack(await hasSignAbove(dirname(uri.fsPath), toolkitModules()));
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(({ added }) => search(added)),
  );
  void (async () => {
    await Promise.all(vscode.workspace.textDocuments.map(look));
    if (!abort.signal.aborted) await search(vscode.workspace.workspaceFolders);
  })();
  return { dispose: stop };
}
