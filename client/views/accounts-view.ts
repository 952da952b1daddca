// The accounts view: packs, and under each its accounts with type, endpoint, sharing, expiry and state.
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { type Account, packKey } from "../../platform/accounts.ts";
import { hasEndpointChoice } from "../../platform/change-endpoint.ts";
import { accountState } from "../account-state.ts";
import type { AccountNode } from "../commands/account-actions.ts";
import { packName } from "../packs.ts";
import type { Services } from "../services.ts";
import { accountLines, accountParts } from "./account-text.ts";

/** A pack without an entry stands for those that are not in this workspace: what is stored for them can be seen and removed. */
type Node = { readonly kind: "pack"; readonly entry?: string } | ({ readonly kind: "account" } & AccountNode);

export interface AccountsView extends vscode.Disposable {
  readonly provider: vscode.TreeDataProvider<unknown>;
}

/** `refresh`: the view is to be filled anew. The view itself is there before this is loaded: activation.ts. */
export function createAccountsView(services: Services, refresh: () => void): AccountsView {
  const provider: vscode.TreeDataProvider<Node> = {
    async getChildren(node) {
      if (node?.kind === "account") return [];
      const entries = (await services.server.packs()).map((pack) => vscode.Uri.parse(pack.entry).fsPath);
      const here = new Map(entries.map((entry) => [packKey(entry), entry]));
      // Accounts of packs that are gone are shown wherever they were made: nobody else would see them.
      const all = [
        ...new Map([...services.accounts.list(), ...services.accounts.strays()].map((account) => [account.id, account])).values(),
      ];
      if (node === undefined) {
        // Without any account the welcome is shown instead.
        const packs: Node[] = entries
          .filter((entry) => all.some(({ pack }) => pack === packKey(entry)))
          .map((entry) => ({ kind: "pack", entry }));
        return all.some(({ pack }) => !here.has(pack)) ? [...packs, { kind: "pack" }] : packs;
      }
      const { entry } = node;
      const own = all.filter(({ pack }) => (entry === undefined ? !here.has(pack) : pack === packKey(entry)));
      return own.map((account) => ({ kind: "account", account, ...(entry === undefined ? {} : { entry }) }));
    },
    getTreeItem: (node) => (node.kind === "account" ? accountItem(services, node) : packItem(node.entry)),
  };
  const stops = [services.accounts.onDidChange(refresh), services.server.onOutlineChanged(refresh)];
  const opens = services.packs.onDidOpen(refresh);
  return {
    // It is given its own nodes back.
    provider: provider as vscode.TreeDataProvider<unknown>,
    dispose() {
      opens.dispose();
      for (const stop of stops) stop();
    },
  };
}

function packItem(entry: string | undefined): vscode.TreeItem {
  if (entry === undefined) {
    const elsewhere = new vscode.TreeItem("Packs that moved, or are not in this workspace", vscode.TreeItemCollapsibleState.Collapsed);
    elsewhere.iconPath = new vscode.ThemeIcon("archive");
    return elsewhere;
  }
  const item = new vscode.TreeItem(packName(entry), vscode.TreeItemCollapsibleState.Expanded);
  item.iconPath = new vscode.ThemeIcon("package");
  item.description = vscode.workspace.asRelativePath(entry);
  item.contextValue = "pack";
  return item;
}

async function accountItem(services: Services, { account, entry }: AccountNode): Promise<vscode.TreeItem> {
  const state = await accountState(services, account, entry);
  const item = new vscode.TreeItem(account.label);
  item.description = accountParts(account, state, Date.now()).join(" · ");
  item.iconPath = new vscode.ThemeIcon(state.state === "ready" ? (account.sandboxOrigin === undefined ? "account" : "beaker") : "warning");
  item.contextValue = contextOf(services, account, entry);
  // Plain text: a label is what a provider answered, and no markup.
  item.tooltip = accountLines(account, state).join("\n");
  item.accessibilityInformation = { label: `${account.label}, ${item.description}` };
  return item;
}

/** What of the view's menus fits the account; see package.json. */
function contextOf(services: Services, account: Account, entry: string | undefined): string {
  if (entry === undefined) return existsSync(account.entry) ? "elsewhere" : "elsewhere.stray";
  const definition = services.packs.definition(entry);
  const auth = account.scope === "system" ? definition?.systemAuthentication : definition?.userAuthentication;
  const hasChoice = auth === undefined ? account.endpoint !== undefined : hasEndpointChoice(auth);
  return `account${account.type.startsWith("OAuth2") ? ".oauth" : ""}${hasChoice ? ".endpoint" : ""}`;
}
