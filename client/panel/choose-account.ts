// Chooses the account of a run on the side that has the accounts: the panel only names one.
import type { Account } from "../../platform/accounts/accounts.ts";
import { PackAuthError } from "../../platform/errors.ts";
import type { ConnectionRequirement, PackDefinition } from "../../protocol/definition.ts";
import { hasSignIn } from "../../spec/auth-types.ts";

/**
 * Returns "none" for no account field, and "optional" for a field that may be empty. A pack without user authentication has no user
 * accounts.
 */
export function accountRequirement(definition: PackDefinition, requirement: ConnectionRequirement): ConnectionRequirement {
  return hasSignIn(definition.userAuthentication?.type) ? requirement : "none";
}

/**
 * Returns the picked account; without one, the pack's system account, which every run uses. `accounts` belong to the pack; `picked` is
 * untrusted input of the webview. Throws account-required if the picked account is gone, because another account must not silently replace
 * it.
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
