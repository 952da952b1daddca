// Which pack a command is about: the lens's, the active editor's, the only one, or the one that is picked.
import * as vscode from "vscode";
import { packName } from "../packs.ts";
import type { Services } from "../services.ts";

export interface PackArgument {
  /** The entry's path. */
  readonly entry?: string;
}

/** The entry's path; undefined where the person cancelled or there is no pack. */
export async function choosePack(services: Services, argument: PackArgument | undefined): Promise<string | undefined> {
  if (argument?.entry !== undefined) return argument.entry;
  const active = vscode.window.activeTextEditor?.document.uri;
  const outline = active?.scheme === "file" ? await services.server.outline(active.toString()) : undefined;
  if (outline !== undefined) return vscode.Uri.parse(outline.entry).fsPath;
  const packs = await services.server.packs();
  const entries = packs.map((pack) => vscode.Uri.parse(pack.entry).fsPath);
  if (entries.length === 0) {
    void vscode.window.showInformationMessage("There is no pack in this workspace: no file calls newPack() of the toolkit.");
    return undefined;
  }
  if (entries.length === 1) return entries[0];
  const picked = await vscode.window.showQuickPick(
    entries.map((entry) => ({ label: packName(entry), description: vscode.workspace.asRelativePath(entry), entry })),
    { placeHolder: "Which pack?", ignoreFocusOut: true },
  );
  return picked?.entry;
}
