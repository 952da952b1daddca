// Chooses a folder of the workspace.
import * as vscode from "vscode";
import { pick } from "../shown/questions.ts";

/** Returns the open folders on this machine. */
export const openFolders = (): readonly vscode.WorkspaceFolder[] =>
  (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");

/** Returns the path of the only folder, or of the one that the person chose; undefined if the person cancelled. */
export async function chooseFolder(folders: readonly vscode.WorkspaceFolder[], title: string): Promise<string | undefined> {
  if (folders.length === 1) return folders[0]?.uri.fsPath;
  return pick({
    title,
    placeholder: "Which folder?",
    items: folders.map(({ name, uri }) => ({ label: name, description: uri.fsPath, value: uri.fsPath })),
  });
}
