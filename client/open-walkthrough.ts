// `npm start` begins with the page that leads, and names each start. An editor that is open stays in front: then the page is offered.
import * as vscode from "vscode";
import { showInformation } from "./shown/messages.ts";

export async function openWalkthroughOnce({ extension, globalState }: vscode.ExtensionContext): Promise<void> {
  const start = process.env.PACK_AUTH_START;
  if (start === undefined || globalState.get("start") === start) return;
  await globalState.update("start", start);
  const button = "Get started";
  if (hasEditor() && (await showInformation("The walkthrough shows Pack Auth in five steps.", button)) !== button) return;
  await vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extension.id}#firstHour`, false);
}

/** The editor's own welcome is a tab without an input: it is what the page takes the place of. */
const hasEditor = (): boolean => vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => input !== undefined));
