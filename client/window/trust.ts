// Asks for a trusted workspace, because connecting and running execute the pack's code. Language features need no trust.
import * as vscode from "vscode";
import { showWarning } from "../shown/messages.ts";

/** Returns true in a trusted workspace. Otherwise it explains why trust is needed, offers to manage it, and returns false. */
export async function requireTrust(what: string): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const manage = "Manage workspace trust";
  const choice = await showWarning(
    `Trust this workspace first. ${what} runs the pack's code. Diagnostics and completions need no trust.`,
    manage,
  );
  if (choice === manage) await vscode.commands.executeCommand("workbench.trust.manage");
  return false;
}
