// The accounts of a panel's pack, for display and for runs.

import { defined } from "../../base/defined.ts";
import { printable } from "../../base/printable.ts";
import { shownLabel } from "../../platform/accounts/account-name.ts";
import { type Account, packKey } from "../../platform/accounts/accounts.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { scopeRows } from "../../platform/runs/scope-rows.ts";
import { isTeamAccount, packAccounts } from "../../platform/team/team-account.ts";
import type { FromPanel, PanelAccount, PanelAccounts, RunnableArgument } from "../../protocol/panel.ts";
import { accountState } from "../accounts/account-state.ts";
import { lastAccount, rememberAccount } from "../accounts/last-account.ts";
import { connectAccount } from "../commands/connect-account.ts";
import type { Services } from "../services.ts";
import { chooseAccount } from "./choose-account.ts";
import { findRunnable } from "./runnable.ts";

export interface AccountsOfPanel {
  /** Returns labels and states, and the initially selected account: the one of the last run. */
  readAccounts(openedPack: Pack): Promise<PanelAccounts>;
  /** Returns the account for a run, from the panel's selection. Throws account-required if the selected account is gone. */
  choose(openedPack: Pack, picked: string | undefined): Promise<Account | undefined>;
  /** Selects the account the next time. */
  remember(account: Account): Promise<void>;
  /** Connects a new account, or the named one again; returns undefined if the author cancels. */
  connect(message: Omit<FromPanel & { type: "connect" }, "type">, scopes?: readonly string[]): Promise<Account | undefined>;
}

export function accountsOfPanel(services: Services, target: RunnableArgument): AccountsOfPanel {
  const pack = packKey(target.entry);
  return {
    async readAccounts(openedPack) {
      const listed = await packAccounts(services.accounts, target.entry);
      const toPanelAccount = async (account: Account): Promise<PanelAccount> => {
        const state = await accountState(services, account, openedPack.entry);
        const scopes = scopeRows(account, openedPack.definition);
        return {
          id: account.id,
          // The label may come from the API. The panel puts it into a sentence, before the sandbox mark.
          label: printable(isTeamAccount(account) ? shownLabel(account) : account.label),
          sandbox: account.sandboxOrigin !== undefined,
          state,
          ...(scopes.length === 0 ? {} : { scopes }),
        };
      };
      const accounts = await Promise.all(listed.filter(({ scope }) => scope === "user").map(toPanelAccount));
      const system = listed.find(({ scope }) => scope === "system");
      const last = lastAccount(services, target.entry);
      const selected = accounts.find((account) => account.id === last) ?? accounts[0];
      return {
        accounts,
        ...defined({
          selectedAccount: selected?.id,
          systemAccount: openedPack.definition.systemAuthentication && (system === undefined ? null : await toPanelAccount(system)),
        }),
      };
    },
    choose: async (openedPack, picked) =>
      chooseAccount(
        await packAccounts(services.accounts, target.entry),
        openedPack.definition,
        findRunnable(openedPack, target)?.definition.connectionRequirement ?? "required",
        picked,
      ),
    remember: (account) => rememberAccount(services, account),
    async connect({ scope, account: id }, scopes) {
      const existing = (await services.accounts.list(pack)).find((account) => account.id === id && account.scope === scope);
      return connectAccount(services, { entry: target.entry, scope, ...defined({ account: existing, scopes }) });
    },
  };
}
