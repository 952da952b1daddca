// Changes who may use an account: this workspace, or every workspace.
import type { Account } from "../../platform/accounts/accounts.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import type { Services } from "../services.ts";
import { confirm, showInformation } from "../shown/messages.ts";

/** Asks first if more workspaces may use the account than before. */
export async function changeSharing(services: Services, account: Account): Promise<void> {
  const shared = !account.shared;
  if (shared) {
    const isSure = await confirm(
      `Share the account ${account.label} with every workspace? Any workspace that opens ${packName(account.entry)} may then run it with this account's credentials.`,
      "Share",
    );
    if (!isSure) return;
  }
  await services.accounts.update(account.id, { shared });
  void showInformation(`${account.label} may now be used in ${shared ? "every workspace" : "this workspace only"}.`);
}
