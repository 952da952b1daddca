// Tests an account: runs getConnectionName with its credential, and stores what the result says about the account.
import { isUnnamed, nameChange } from "../accounts/account-name.ts";
import type { Account, Accounts } from "../accounts/accounts.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import type { Pack } from "../process/pack.ts";
import type { RunOptions } from "../runs/run.ts";
import { type ConnectionName, connectionName, type EndpointContext } from "./account-endpoint.ts";

interface TestedAccount {
  readonly account: Account;
  readonly runAs: RunAccount;
  readonly accounts: Accounts;
}

/** Returns the result of getConnectionName, or undefined if the person cancels. An account without a name gets the returned name. */
export async function testAccount(
  pack: Pack,
  context: EndpointContext,
  { account, runAs, accounts }: TestedAccount,
  run: Omit<RunOptions, "account">,
): Promise<ConnectionName | undefined> {
  const tested = await connectionName(pack, context, { ...run, account: runAs });
  if (context.signal?.aborted) return undefined;
  const { label, unchecked, isRefused = false } = tested;
  if (isRefused || unchecked === undefined) await runAs.judged?.(isRefused);
  if (isUnnamed(account) && !isRefused && label !== undefined) await accounts.update(account.id, nameChange(account, label));
  return tested;
}
