// The editor group of the panels: locked where it is theirs alone, so that no file that is opened covers a panel.
import * as vscode from "vscode";

/**
 * Locks the group of a panel that is being opened, once it is there and in front. A group that holds files too is the author's own affair,
 * and so is one that they unlock again.
 */
export function lockGroupOfNewPanel(viewType: string): vscode.Disposable {
  const { tabGroups } = vscode.window;
  // The editor puts a word of its own before a webview's type.
  const isPanel = ({ input }: vscode.Tab): boolean => input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewType);
  const look = (): void => {
    const { activeTab, tabs } = tabGroups.activeTabGroup;
    if (activeTab === undefined || !isPanel(activeTab)) return;
    waiting.dispose();
    // The command is for the group in front; the only one has to take the files too.
    if (tabs.every(isPanel) && tabGroups.all.length > 1) void vscode.commands.executeCommand("workbench.action.lockEditorGroup");
  };
  // Which of them tells of the panel depends on whether its group is new.
  const waiting = vscode.Disposable.from(tabGroups.onDidChangeTabs(look), tabGroups.onDidChangeTabGroups(look));
  return waiting;
}
