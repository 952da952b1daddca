// Opens an account of `pack-auth connect` for a run. The keyring is used only if there is such an account: runs in continuous integration,
// with credentials of the environment, never touch it.
import { join } from "node:path";
import { type Account, accountFiles } from "../../platform/accounts/account-files.ts";
import { isCalled, withId } from "../../platform/accounts/account-name.ts";
import { packKey } from "../../platform/accounts/accounts.ts";
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import { usableAccount } from "../../platform/connect/usable-account.ts";
import type { Pack } from "../../platform/process/pack.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { sandboxSide } from "../sandbox-side.ts";
import { openCliHost } from "../terminal/host.ts";
import { errorOutput } from "../terminal/output.ts";
import { formatMessage, printable } from "../terminal/printable.ts";
import { storageFolder } from "../terminal/storage-folder.ts";
import { UsageError } from "../usage-error.ts";

/**
 * Returns the account with that label or ID, or the only account; undefined if there is none. Throws UsageError if several match, and
 * PackAuthError.
 */
export async function storedAccount(pack: Pack, label: string | undefined, scopes: readonly AuthScope[]): Promise<RunAccount | undefined> {
  const own = (await storedAccounts(pack)).filter(
    (account) => scopes.includes(account.scope) && (label === undefined || isCalled(account, label)),
  );
  // User accounts win over system accounts.
  const candidates = own.some(({ scope }) => scope === "user") ? own.filter(({ scope }) => scope === "user") : own;
  const [account, ...otherAccounts] = candidates;
  if (account === undefined) return undefined;
  if (otherAccounts.length > 0)
    throw new UsageError(
      `The pack has several accounts: ${candidates.map(withId).join(", ")}. Choose one with --account, by its label or ID.`,
    );
  return openStored(pack, account);
}

/** Warns about a damaged file: its account would otherwise disappear silently. */
export const warnOfDamaged = (path: string): void =>
  errorOutput.write(formatMessage`pack-auth: The account in ${printable(path)} cannot be read. Delete the file, and connect again.\n`);

/** Returns the accounts of the pack, the oldest first. */
export async function storedAccounts({ entry }: Pack): Promise<readonly Account[]> {
  const folder = storageFolder();
  if (folder === undefined) return [];
  const key = packKey(entry);
  return (await accountFiles(join(folder, "accounts")).list(warnOfDamaged)).filter(({ pack }) => pack === key);
}

/** Throws PackAuthError if the account cannot be used. */
export async function openStored(pack: Pack, account: Account): Promise<RunAccount> {
  const host = await openCliHost();
  host.close();
  return usableAccount(pack, account, { accounts: host.accounts, host, sandbox: () => sandboxSide(pack, account.scope) });
}
