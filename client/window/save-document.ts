// Saves documents of the editor, which refuses it for example when another program has changed the file as well.
import * as vscode from "vscode";
import { PackAuthError } from "../../platform/errors.ts";

/** Throws PackAuthError (storage-failed) if the editor refuses. */
export async function saveDocument(document: vscode.TextDocument): Promise<void> {
  if (!(await document.save()))
    throw new PackAuthError("storage-failed", `${document.uri.fsPath} could not be saved.`, { hint: "Save it yourself, and try again." });
}

/** Replaces the text, so that it can be undone in the editor, and saves it. Throws as {@link saveDocument} does. */
export async function saveText(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length)), text);
  await vscode.workspace.applyEdit(edit);
  await saveDocument(document);
}
