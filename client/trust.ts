// Connecting and running execute the pack's code, so they need a trusted workspace; language features never do.
import * as vscode from "vscode";
import { showWarning } from "./shown/messages.ts";

/** True in a trusted workspace; otherwise explains, and offers to manage trust. */
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
