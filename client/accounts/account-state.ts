// Returns the state of an account, including what this window knows about its pack, for the lenses, the accounts view and the panel.

import { defined } from "../../base/defined.ts";
import type { Account } from "../../platform/accounts/accounts.ts";
import { isTeamAccount } from "../../platform/team/team-account.ts";
import { teamState } from "../../platform/team/use-team-account.ts";
import type { AccountState } from "../../protocol/account-state.ts";
import type { Services } from "../services.ts";
import { teamHost } from "./team-host.ts";

/** `type`: the authentication type in the source, if known. */
export async function accountState(
  services: Pick<Services, "accounts" | "packs" | "host">,
  account: Account,
  entry?: string,
  type?: string,
): Promise<AccountState> {
  if (isTeamAccount(account)) return teamState(account, teamHost(services), services.packs.definition(account.entry));
  if (entry === undefined) return services.accounts.stateOf(account);
  const definition = services.packs.definition(entry)?.[`${account.scope}Authentication`];
  return services.accounts.stateOf(account, {
    hasSandboxEnded: services.packs.sandboxEnded(account, entry),
    ...defined({ definition, type }),
  });
}
