// Which account a run takes, decided where the accounts are: the panel only names one.
import type { Account } from "../../platform/accounts/accounts.ts";
import { PackAuthError } from "../../platform/errors.ts";
import type { ConnectionRequirement, PackDefinition } from "../../protocol/definition.ts";
import { hasSignIn } from "../../spec/auth-types.ts";

/** "none": no account field; "optional": may stay empty. A pack without user authentication has no user's accounts. */
export function accountRequirement(definition: PackDefinition, requirement: ConnectionRequirement): ConnectionRequirement {
  return hasSignIn(definition.userAuthentication?.type) ? requirement : "none";
}

/**
 * The picked account; without one, the pack's system account, which every run uses. `accounts` are those of the pack; `picked` is
 * whatever the webview says. Throws account-required where the picked one is gone: another one never takes its place unasked.
 */
export function chooseAccount(
  accounts: readonly Account[],
  definition: PackDefinition,
  requirement: ConnectionRequirement,
  picked: string | undefined,
): Account | undefined {
  if (picked !== undefined && accountRequirement(definition, requirement) !== "none") {
    const own = accounts.find((account) => account.id === picked && account.scope === "user");
    if (own !== undefined) return own;
    throw new PackAuthError("account-required", "The chosen account does not exist any more.", {
      hint: "Choose another account in the form, or connect one.",
    });
  }
  return definition.systemAuthentication === undefined ? undefined : accounts.find((account) => account.scope === "system");
}
