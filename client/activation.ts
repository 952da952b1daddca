// The part of the extension that loads with the window. It registers commands, the accounts view and the callbacks at once. The rest is
// loaded when one of them is used or a pack is found; in a workspace without packs it is never loaded.

import * as vscode from "vscode";
import { errorMessage } from "../base/error-message.ts";
import { registerLanguageModelTools } from "./agents/language-model-tools.ts";
import { PALETTE_COMMANDS } from "./commands/palette-commands.ts";
import type { Extension } from "./extension.ts";
import { watchForPacks } from "./packs/pack-watch.ts";
import { registerMcpServers } from "./shown/mcp-servers.ts";
import { showError } from "./shown/messages.ts";
import { registerRulePages } from "./shown/rule-pages.ts";
import { registerTasks } from "./shown/tasks.ts";
import { startServerProcess } from "./window/server-process.ts";

/** Milliseconds in which even a busy editor has opened a view. */
const OPENED_AFTER = 1_500;

let pendingExtension: Promise<Extension> | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const awake = (): Promise<Extension> => {
    if (pendingExtension === undefined) {
      pendingExtension = open(context);
      mcpServers.refresh();
    }
    return pendingExtension;
  };
  const mcpServers = registerMcpServers(() => pendingExtension === undefined);
  for (const command of PALETTE_COMMANDS)
    context.subscriptions.push(
      vscode.commands.registerCommand(command, async (argument: unknown) => (await awake()).run(command, argument)),
    );
  const changeEmitter = new vscode.EventEmitter<undefined>();
  // The editor requests children only while the view is visible.
  const accountsView = vscode.window.createTreeView("packAuth.accounts", {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changeEmitter.event,
      async getChildren(node: unknown) {
        const { accounts } = await awake();
        return accounts.getChildren(node);
      },
      async getTreeItem(node: unknown) {
        return (await awake()).accounts.getTreeItem(node);
      },
    },
  });
  context.subscriptions.push(
    changeEmitter,
    accountsView,
    // A busy editor may lose a change while it opens the view (seen once in twenty windows of a loaded machine). The pack would then have
    // no accounts until the next change.
    accountsView.onDidChangeVisibility(({ visible }) => {
      if (visible) setTimeout(() => changeEmitter.fire(undefined), OPENED_AFTER);
    }),
    vscode.window.registerWebviewPanelSerializer("packAuth.formula", {
      deserializeWebviewPanel: async (panel, state) => (await awake()).restorePanel(panel, state),
    }),
    registerRulePages(context.extensionUri),
    registerTasks(),
    mcpServers,
    registerLanguageModelTools(context, async (tool, input, signal) => (await awake()).callTool(tool, input, signal)),
    vscode.window.registerUriHandler({ handleUri: async (uri) => (await awake()).handleUri(uri) }),
  );
  // Starts after the work that the editor waits for.
  setImmediate(() => context.subscriptions.push(watchForPacks(() => void awake())));

  async function open(own: vscode.ExtensionContext): Promise<Extension> {
    performance.mark("pack-auth/open");
    const server = startServerProcess(own);
    try {
      const { openExtension } = await import("./extension.ts");
      const extension = openExtension(own, { isVisible: () => accountsView.visible, refresh: () => changeEmitter.fire(undefined) }, server);
      performance.measure("pack-auth/opened", "pack-auth/open");
      return extension;
    } catch (error) {
      server.kill();
      void showError(`Reload the window, or install the extension again. Pack Auth could not be loaded: ${errorMessage(error)}.`);
      throw error;
    }
  }
}

export async function deactivate(): Promise<void> {
  // An extension that could not be loaded has nothing to stop.
  await (await pendingExtension?.catch(() => undefined))?.stop();
}
