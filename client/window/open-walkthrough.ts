// Opens the walkthrough after each `npm start`, whose ID is in PACK_AUTH_START. If an editor is open, a message offers it instead.
import * as vscode from "vscode";
import { showInformation } from "../shown/messages.ts";

export async function openWalkthroughOnce({ extension, globalState }: vscode.ExtensionContext): Promise<void> {
  const start = process.env.PACK_AUTH_START;
  if (start === undefined || globalState.get("start") === start) return;
  await globalState.update("start", start);
  const button = "Get started";
  if (hasEditor() && (await showInformation("The walkthrough shows Pack Auth in five steps.", button)) !== button) return;
  await vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extension.id}#firstHour`, false);
}

/** The editor's own welcome page is a tab without an input, which the walkthrough may replace. */
const hasEditor = (): boolean => vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => input !== undefined));
