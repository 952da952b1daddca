// `packAuth.fixAll`: applies the safe fixes to the open file, and reports the result. The author saves the file.
import * as vscode from "vscode";
import type { Services } from "../services.ts";
import { showInformation } from "../shown/messages.ts";
import type { LanguageServer } from "../window/language-client.ts";

export async function fixAll({ server }: Pick<Services, "server">): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const fixed = document === undefined ? undefined : await fixesOf(server, document);
  if (fixed === undefined) {
    void showInformation("Open a file of a pack first, then choose Fix all.");
    return;
  }
  if (fixed.edit === null || (await vscode.workspace.applyEdit(fixed.edit))) void showInformation(fixed.summary);
}

/** Requests the fixes again if the document changed in the meantime: edits are valid only for one version of the text. */
async function fixesOf(server: LanguageServer, document: vscode.TextDocument): ReturnType<LanguageServer["fixAll"]> {
  for (;;) {
    const { version } = document;
    const fixed = await server.fixAll(document.uri.toString());
    if (document.version === version) return fixed;
  }
}
