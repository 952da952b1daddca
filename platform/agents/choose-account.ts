// Finds the account that an agent names.

import { printable } from "../../base/printable.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { Account } from "../accounts/account-files.ts";
import { isCalled, withId } from "../accounts/account-name.ts";
import { type Accounts, packKey } from "../accounts/accounts.ts";
import { PackAuthError } from "../errors.ts";

/** Returns the pack's accounts of the authentications that it still has. */
export async function accountsOf(entry: string, definition: PackDefinition, accounts: Accounts): Promise<readonly Account[]> {
  const own = await accounts.list(packKey(entry));
  return own.filter(({ scope }) => definition[`${scope}Authentication`] !== undefined);
}

/** Returns the real account with that label or ID. Throws account-required. */
export async function chooseAccount(name: string, entry: string, definition: PackDefinition, accounts: Accounts): Promise<Account> {
  const real = (await accountsOf(entry, definition, accounts)).filter(({ sandboxOrigin }) => sandboxOrigin === undefined);
  const [account, ...more] = real.filter((candidate) => isCalled(candidate, name));
  if (account === undefined)
    throw new PackAuthError("account-required", `The pack has no account ${name}.`, {
      hint:
        real.length === 0
          ? "Leave account out to run in the sandbox, or call connect so that the person signs in."
          : `It has: ${printable(real.map(withId).join(", "))}. Leave account out to run in the sandbox.`,
    });
  if (more.length > 0)
    throw new PackAuthError("account-required", `Several accounts are called ${name}.`, {
      hint: `Choose one by its ID: ${printable([account, ...more].map(withId).join(", "))}.`,
    });
  return account;
}
