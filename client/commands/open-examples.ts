// `packAuth.openExamples`: copies the examples into a folder of the author, and opens it in a new window.

import { cpSync, existsSync } from "node:fs";
import { basename, join } from "node:path";
import * as vscode from "vscode";
import { errorMessage } from "../../base/error-message.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { askFolder } from "../shown/questions.ts";

const NAME = "pack-auth-examples";

/** An existing copy is opened unchanged. */
export async function openExamples(context: vscode.ExtensionContext): Promise<void> {
  const parent = await askFolder({ title: "Open the examples", label: "Copy them here" });
  if (parent === undefined) return;
  const folder = join(parent, NAME);
  try {
    if (!existsSync(folder))
      cpSync(join(context.extensionPath, "examples"), folder, { recursive: true, filter: (path) => basename(path) !== "node_modules" });
  } catch (cause) {
    throw new PackAuthError("storage-failed", `The examples could not be written: ${errorMessage(cause)}`, {
      hint: "Choose a folder that you may write to.",
      cause,
    });
  }
  await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.file(folder), { forceNewWindow: true });
}
