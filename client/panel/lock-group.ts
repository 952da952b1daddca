// Locks the editor group of the panels if it contains nothing else, so that opened files do not cover a panel.
import * as vscode from "vscode";

/**
 * Locks the group of a new panel once the panel is in front. It does not lock a group that also contains files, nor a group that the author
 * unlocked again.
 */
export function lockGroupOfNewPanel(viewType: string): vscode.Disposable {
  const { tabGroups } = vscode.window;
  // The editor adds a prefix to a webview's type.
  const isPanel = ({ input }: vscode.Tab): boolean => input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewType);
  const look = (): void => {
    const { activeTab, tabs } = tabGroups.activeTabGroup;
    if (activeTab === undefined || !isPanel(activeTab)) return;
    waiting.dispose();
    // The command applies to the active group. A single group must stay unlocked for files.
    if (tabs.every(isPanel) && tabGroups.all.length > 1) void vscode.commands.executeCommand("workbench.action.lockEditorGroup");
  };
  // Which event reports the panel depends on whether its group is new.
  const waiting = vscode.Disposable.from(tabGroups.onDidChangeTabs(look), tabGroups.onDidChangeTabGroups(look));
  return waiting;
}
