// The accounts view: packs, and under each its accounts with type, endpoint, sharing, expiry and state.
import * as vscode from "vscode";
import { type Account, packKey } from "../../platform/accounts.ts";
import type { AccountNode } from "../commands/account-actions.ts";
import { packName } from "../packs.ts";
import type { Services } from "../services.ts";

type Node = { readonly kind: "pack"; readonly entry: string } | ({ readonly kind: "account" } & AccountNode);

export function createAccountsView(services: Services): vscode.Disposable {
  const changed = new vscode.EventEmitter<undefined>();
  const provider: vscode.TreeDataProvider<Node> = {
    onDidChangeTreeData: changed.event,
    async getChildren(node) {
      if (node?.kind === "account") return [];
      if (node?.kind === "pack")
        return services.accounts.list(packKey(node.entry)).map((account) => ({ kind: "account", account, entry: node.entry }));
      const entries = (await services.server.packs()).map((pack) => vscode.Uri.parse(pack.entry).fsPath);
      // Without any account the welcome is shown instead.
      return entries.filter((entry) => services.accounts.list(packKey(entry)).length > 0).map((entry) => ({ kind: "pack", entry }));
    },
    async getTreeItem(node) {
      if (node.kind === "account") return accountItem(services, node.account);
      const item = new vscode.TreeItem(packName(node.entry), vscode.TreeItemCollapsibleState.Expanded);
      item.iconPath = new vscode.ThemeIcon("package");
      item.description = vscode.workspace.asRelativePath(node.entry);
      item.contextValue = "pack";
      return item;
    },
  };
  const stop = services.accounts.onDidChange(() => changed.fire(undefined));
  services.server.onOutlineChanged(() => changed.fire(undefined));
  return vscode.Disposable.from(
    vscode.window.createTreeView("packAuth.accounts", { treeDataProvider: provider, showCollapseAll: true }),
    changed,
    { dispose: stop },
  );
}

async function accountItem(services: Services, account: Account): Promise<vscode.TreeItem> {
  const state = await services.accounts.stateOf(account);
  const item = new vscode.TreeItem(account.label);
  const parts = [
    account.scope === "system" ? "system" : undefined,
    account.type,
    account.sandboxOrigin === undefined ? undefined : "sandbox",
    account.endpoint,
    account.shared ? "every workspace" : "this workspace",
    state.state === "ready" ? undefined : "sign in again",
  ];
  item.description = parts.filter((part) => part !== undefined).join(" · ");
  item.iconPath = new vscode.ThemeIcon(state.state === "ready" ? (account.sandboxOrigin === undefined ? "account" : "beaker") : "warning");
  item.contextValue = account.type.startsWith("OAuth2") ? "account.oauth" : "account";
  const lines = [
    `**${account.label}**`,
    `Type: ${account.type}`,
    ...(account.scopesGranted === undefined
      ? []
      : [`Granted: ${account.scopesGranted.join(", ") || "nothing"} (asked for: ${account.scopesRequested?.join(", ") || "nothing"})`]),
    ...(account.expiresAt === undefined ? [] : [`Token valid until ${new Date(account.expiresAt).toLocaleString()}`]),
    ...(state.state === "ready" ? [] : [`Sign in again: ${state.reason}`]),
  ];
  item.tooltip = new vscode.MarkdownString(lines.join("\n\n"));
  item.accessibilityInformation = { label: `${account.label}, ${item.description}` };
  return item;
}
