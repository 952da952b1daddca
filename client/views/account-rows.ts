// Reads all rows of the accounts view: packs, and below each its accounts with their state.

import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import { type Account, packKey } from "../../platform/accounts/accounts.ts";
import { hasEndpointChoice } from "../../platform/connect/change-endpoint.ts";
import { scopeRows } from "../../platform/runs/scope-rows.ts";
import { inSlices } from "../../platform/slices.ts";
import { isTeamAccount, teamAccounts } from "../../platform/team/team-account.ts";
import type { AccountState } from "../../protocol/account-state.ts";
import type { ScopeRow } from "../../protocol/scopes.ts";
import { isOAuthType } from "../../spec/auth-types.ts";
import { accountState } from "../accounts/account-state.ts";
import type { AccountNode } from "../commands/in-pack.ts";
import type { Services } from "../services.ts";
import { accountLines, accountParts, teamAccountLines, teamAccountParts } from "./account-text.ts";

export interface AccountRow extends AccountNode {
  readonly kind: "account";
  readonly state: AccountState;
  /** Selects the view's menus for the account; see package.json. */
  readonly context: string;
  /** The text beside the label. */
  readonly description: string;
  readonly tooltip: readonly string[];
  readonly scopes: readonly AccountScopeRow[];
}

/** A scope below its account. */
export interface AccountScopeRow {
  readonly kind: "scope";
  readonly account: string;
  readonly scope: ScopeRow;
}

/** A pack. Without an entry it represents all packs outside this workspace, so that their accounts can be seen and removed. */
export interface PackRow {
  readonly kind: "pack";
  readonly entry?: string;
  readonly accounts: readonly AccountRow[];
}

/** Returns no row if there is no account at all: the view then explains how to connect one. */
export async function readAccountRows(services: Services): Promise<readonly PackRow[]> {
  const entries = (await services.server.packs()).map((pack) => vscode.Uri.parse(pack.entry).fsPath);
  const here = new Map(entries.map((entry) => [packKey(entry), entry]));
  // Accounts of missing packs are shown in every workspace, because they would be visible nowhere else.
  const all = new Map([...(await services.accounts.list()), ...(await services.accounts.strays())].map((account) => [account.id, account]));
  const listed = [...all.values(), ...entries.flatMap((entry) => teamAccounts(entry).accounts)];
  const rows = await Promise.all(await inSlices(listed, (account) => readRow(services, account, here.get(account.pack))));
  const packs = [...entries, undefined].map(
    (entry): PackRow => ({ kind: "pack", ...defined({ entry }), accounts: rows.filter((row) => row.entry === entry) }),
  );
  return rows.length === 0 ? [] : packs.filter(({ entry, accounts }) => entry !== undefined || accounts.length > 0);
}

async function readRow(services: Services, account: Account, entry: string | undefined): Promise<AccountRow> {
  const state = await accountState(services, account, entry);
  return {
    kind: "account",
    account,
    ...defined({ entry }),
    state,
    context: contextOf(services, account, entry),
    description: (isTeamAccount(account) ? teamAccountParts(account, state) : accountParts(account, state, Date.now())).join(" · "),
    tooltip: isTeamAccount(account) ? teamAccountLines(account, state) : accountLines(account, state),
    scopes: scopeRows(account, entry === undefined ? undefined : services.packs.definition(entry)).map((scope) => ({
      kind: "scope",
      account: account.id,
      scope,
    })),
  };
}

function contextOf(services: Services, account: Account, entry: string | undefined): string {
  // No menu of stored accounts applies.
  if (isTeamAccount(account)) return "team";
  if (entry === undefined) return existsSync(account.entry) ? "elsewhere" : "elsewhere.stray";
  const definition = services.packs.definition(entry);
  const auth = definition?.[`${account.scope}Authentication`];
  const hasChoice = auth === undefined ? account.endpoint !== undefined : hasEndpointChoice(auth);
  return `account${isOAuthType(account.type) ? ".oauth" : ""}${hasChoice ? ".endpoint" : ""}`;
}
