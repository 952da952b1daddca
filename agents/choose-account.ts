// Finds the account that an agent names.

import { printable } from "../base/printable.ts";
import type { Account } from "../platform/accounts/account-files.ts";
import { isCalled, withId } from "../platform/accounts/account-name.ts";
import { type Accounts, packKey } from "../platform/accounts/accounts.ts";
import { PackAuthError } from "../platform/errors.ts";
import { teamAccounts } from "../platform/team/team-account.ts";
import type { PackDefinition } from "../protocol/definition.ts";
import type { AuthScope } from "../protocol/run.ts";

/** Returns the pack's stored accounts of the authentications that it still has. */
export async function accountsOf(entry: string, definition: PackDefinition, accounts: Accounts): Promise<readonly Account[]> {
  const own = await accounts.list(packKey(entry));
  return own.filter(({ scope }) => hasAuthentication(definition, scope));
}

const hasAuthentication = (definition: PackDefinition, scope: AuthScope): boolean => definition[`${scope}Authentication`] !== undefined;

/** Returns the real account with that label or ID, stored or of the account file. Throws account-required, and account-file-invalid. */
export async function chooseAccount(name: string, entry: string, definition: PackDefinition, accounts: Accounts): Promise<Account> {
  const { accounts: ofFile, problem } = teamAccounts(entry);
  const all = [...(await accountsOf(entry, definition, accounts)), ...ofFile.filter(({ scope }) => hasAuthentication(definition, scope))];
  const real = all.filter(({ sandboxOrigin }) => sandboxOrigin === undefined);
  const [account, ...more] = real.filter((candidate) => isCalled(candidate, name));
  if (account === undefined && problem !== undefined) throw problem;
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
