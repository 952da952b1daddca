// Whether an account can be used right now, as the lenses, the accounts view and the panel all tell it.
import { t } from "@vscode/l10n";
import type { Account, AccountState } from "../../platform/accounts/accounts.ts";
import type { Services } from "../services.ts";

export async function accountState(
  services: Pick<Services, "accounts" | "packs">,
  account: Account,
  entry?: string,
): Promise<AccountState> {
  if (entry === undefined) return services.accounts.stateOf(account);
  if (services.packs.sandboxEnded(account, entry)) return { state: "signInAgain", reason: t`its sandbox has ended` };
  const definition = services.packs.definition(entry);
  return services.accounts.stateOf(account, definition?.[`${account.scope}Authentication`]);
}
