// The state of an account, with what this window knows of its pack: the lenses, the accounts view and the panel all print it.

import { defined } from "../../base/defined.ts";
import type { Account } from "../../platform/accounts/accounts.ts";
import type { AccountState } from "../../protocol/account-state.ts";
import type { Services } from "../services.ts";

/** `type`: the authentication type that the source names, where that is known. */
export async function accountState(
  services: Pick<Services, "accounts" | "packs">,
  account: Account,
  entry?: string,
  type?: string,
): Promise<AccountState> {
  if (entry === undefined) return services.accounts.stateOf(account);
  const definition = services.packs.definition(entry)?.[`${account.scope}Authentication`];
  return services.accounts.stateOf(account, {
    hasSandboxEnded: services.packs.sandboxEnded(account, entry),
    ...defined({ definition, type }),
  });
}
