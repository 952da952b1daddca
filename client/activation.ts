// What the editor loads with the window: the commands, the accounts view and the ways back into the extension are there at once, and
// what stands behind them is loaded when one of them is used or a pack is seen. In a workspace without packs that is all.

import * as vscode from "vscode";
import { errorMessage } from "../base/error-message.ts";
import { PALETTE_COMMANDS } from "./commands/palette-commands.ts";
import type { Extension } from "./extension.ts";
import { watchForPacks } from "./packs/pack-watch.ts";
import { startServerProcess } from "./server-process.ts";
import { showError } from "./shown/messages.ts";
import { registerRulePages } from "./shown/rule-pages.ts";
import { registerTasks } from "./shown/tasks.ts";

/** Milliseconds in which even a busy editor has opened a view. */
const OPENED_AFTER = 1_500;

/** What `activate` gives to whoever asks for the extension. */
interface Activation {
  /** Whether a pack was seen when the window was first looked at; then the language server is being started. */
  readonly hasPack: Promise<boolean>;
  /** The pack as the panel has it; for tests inside the extension host, and for nobody else. */
  readonly openPack?: Extension["openPack"];
  /** What packs run in, with its self-test; for the same tests. */
  readonly packNode?: Extension["packNode"];
}

let pendingExtension: Promise<Extension> | undefined;

export function activate(context: vscode.ExtensionContext): Activation {
  const awake = (): Promise<Extension> => {
    pendingExtension ??= open(context);
    return pendingExtension;
  };
  for (const command of PALETTE_COMMANDS)
    context.subscriptions.push(
      vscode.commands.registerCommand(command, async (argument: unknown) => (await awake()).run(command, argument)),
    );
  const changeEmitter = new vscode.EventEmitter<undefined>();
  // Asked for its children only while it is shown.
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
    // A busy editor may lose a change that comes while it opens the view (seen once in twenty windows of a loaded machine): then a
    // pack stood there without its accounts until the next change.
    accountsView.onDidChangeVisibility(({ visible }) => {
      if (visible) setTimeout(() => changeEmitter.fire(undefined), OPENED_AFTER);
    }),
    vscode.window.registerWebviewPanelSerializer("packAuth.formula", {
      deserializeWebviewPanel: async (panel, state) => (await awake()).restorePanel(panel, state),
    }),
    registerRulePages(context.extensionUri),
    registerTasks(),
    vscode.window.registerUriHandler({ handleUri: async (uri) => (await awake()).handleUri(uri) }),
  );
  const watch = new Promise<boolean>((resolve) => {
    // After the editor has what it waits for.
    setImmediate(() => {
      const packs = watchForPacks(() => void awake());
      context.subscriptions.push(packs);
      resolve(packs.first);
    });
  });
  return {
    hasPack: watch,
    ...(context.extensionMode === vscode.ExtensionMode.Test
      ? { openPack: async (entry) => (await awake()).openPack(entry), packNode: async () => (await awake()).packNode() }
      : {}),
  };

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
  // One that could not be loaded has nothing to stop.
  await (await pendingExtension?.catch(() => undefined))?.stop();
}
