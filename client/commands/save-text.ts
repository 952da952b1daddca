// Replaces the text of a file in the editor, so that it can be undone there, and saves it.
import * as vscode from "vscode";

/** Returns whether the document was saved. */
export async function saveText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length)), text);
  await vscode.workspace.applyEdit(edit);
  return document.save();
}
