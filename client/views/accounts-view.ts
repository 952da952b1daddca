// The accounts view: packs, and below each its accounts with type, endpoint, sharing, expiry and state.
import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { isTeamAccount } from "../../platform/team/team-account.ts";
import { needsSignIn } from "../../protocol/account-state.ts";
import type { Services } from "../services.ts";
import { treeItem } from "../shown/items.ts";
import { type AccountRow, type AccountScopeRow, type PackRow, readAccountRows } from "./account-rows.ts";
import { scopeParts } from "./account-text.ts";

interface AccountsView extends vscode.Disposable {
  readonly provider: vscode.TreeDataProvider<unknown>;
}

/** The view itself, which activation.ts creates before this file is loaded. */
export interface AccountsTree {
  isVisible(): boolean;
  /** Requests new rows once the view is visible. */
  refresh(): void;
}

export function createAccountsView(services: Services, tree: AccountsTree): AccountsView {
  /** The last rows of the editor, as JSON; undefined until the editor requests rows. */
  let renderedRows: string | undefined;
  const provider: vscode.TreeDataProvider<PackRow | AccountRow | AccountScopeRow> = {
    // The first level reads all rows, so that the levels below need no wait. The editor drops rows that arrive late if something changed in
    // the meantime.
    async getChildren(row) {
      if (row !== undefined) return row.kind === "pack" ? [...row.accounts] : row.kind === "account" ? [...row.scopes] : [];
      const packs = await readAccountRows(services);
      renderedRows = JSON.stringify(packs);
      return [...packs];
    },
    getTreeItem: (row) => (row.kind === "scope" ? scopeItem(row) : row.kind === "account" ? accountItem(row) : packItem(row)),
  };
  /** Refreshes only after a real change: while a view is being filled, the editor knows none of its rows (microsoft/vscode#144250). */
  const look = async (): Promise<void> => {
    const now = tree.isVisible() ? await readAccountRows(services).then(JSON.stringify, () => undefined) : undefined;
    if (now === undefined || now !== renderedRows) tree.refresh();
  };
  const listening = vscode.Disposable.from(
    new vscode.Disposable(services.accounts.onDidChange(look)),
    services.server.onOutlineChanged(look),
    services.packs.onDidOpen(look),
    vscode.workspace.onDidGrantWorkspaceTrust(look),
  );
  // The editor passes only this provider's own rows.
  return { provider: provider as vscode.TreeDataProvider<unknown>, dispose: () => listening.dispose() };
}

function packItem({ entry, accounts }: PackRow): vscode.TreeItem {
  if (entry === undefined) return treeItem({ label: "Packs that moved, or are not in this workspace", icon: "archive", isOpen: false });
  const path = vscode.workspace.asRelativePath(entry);
  const row = { label: packName(entry), icon: "package", context: "pack" };
  // The editor keeps a row collapsed that had no children, unless its ID changes.
  return accounts.length === 0
    ? treeItem({ ...row, id: `${entry} without account`, description: `${path} · no account` })
    : treeItem({ ...row, id: entry, description: path, isOpen: true });
}

function accountItem({ account, state, context, description, tooltip, scopes }: AccountRow): vscode.TreeItem {
  const { id, label } = account;
  const icon = needsSignIn(state)
    ? "warning"
    : isTeamAccount(account)
      ? "organization"
      : account.sandboxOrigin === undefined
        ? "account"
        : "beaker";
  const color = needsSignIn(state) ? "list.warningForeground" : undefined;
  return treeItem({
    label,
    description,
    tooltip,
    spoken: `${label}, ${description}`,
    icon,
    ...defined({ color }),
    id,
    context,
    ...(scopes.length > 0 && { isOpen: false }),
  });
}

function scopeItem({ account, scope: row }: AccountScopeRow): vscode.TreeItem {
  const description = scopeParts(row).join(" · ");
  const icon = row.isGranted ? "check" : "circle-slash";
  const tooltip = [row.scope, description, ...(row.remark === undefined ? [] : [row.remark])];
  return treeItem({ label: row.scope, description, tooltip, spoken: tooltip.join(", "), icon, id: `${account} ${row.scope}` });
}
