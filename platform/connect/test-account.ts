// Tests an account: runs getConnectionName with its credential, and stores what the result says about the account.
import { isUnnamed, nameChange } from "../accounts/account-name.ts";
import type { Account, Accounts } from "../accounts/accounts.ts";
import type { RunWorld } from "../runs/run-world.ts";
import { type ConnectionName, connectionName, type EndpointContext } from "./account-endpoint.ts";

/**
 * Returns the result of getConnectionName in the account's world, or undefined if the person cancels. An account without a name gets the
 * returned name.
 */
export async function testAccount(
  context: EndpointContext,
  account: Account,
  accounts: Accounts,
  world: RunWorld,
): Promise<ConnectionName | undefined> {
  const tested = await connectionName(context, world);
  if (context.signal.aborted) return undefined;
  const { label, unchecked, isRefused } = tested;
  if (isRefused || unchecked === undefined) await world.account?.judged?.(isRefused);
  if (isUnnamed(account) && !isRefused && label !== undefined) await accounts.update(account.id, nameChange(account, label));
  return tested;
}
