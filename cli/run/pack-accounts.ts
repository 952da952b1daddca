// The accounts of a pack on the command line, and their use for a run. The keyring is used only for an account of `pack-auth connect`: runs
// in continuous integration never touch it.
import { join } from "node:path";
import { type Account, accountFiles } from "../../platform/accounts/account-files.ts";
import { packKey } from "../../platform/accounts/accounts.ts";
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import { usableAccount } from "../../platform/connect/usable-account.ts";
import { userDataFolder } from "../../platform/files/user-data-folder.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { isTeamAccount } from "../../platform/team/team-account.ts";
import { sandboxSide } from "../sandbox-side.ts";
import { openCliHost } from "../terminal/host.ts";
import { formatMessage, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { useFileAccount } from "./file-account.ts";

/** Warns about a damaged file: its account would otherwise disappear silently. */
export const warnOfDamaged =
  ({ errorOutput }: Terminal) =>
  (path: string): void =>
    errorOutput.write(formatMessage`pack-auth: The account in ${printable(path)} cannot be read. Delete the file, and connect again.\n`);

/** Returns the stored accounts of the pack, the oldest first. */
export async function storedAccounts(terminal: Terminal, { entry }: Pack): Promise<readonly Account[]> {
  const folder = userDataFolder(terminal.environment);
  if (folder === undefined) return [];
  const key = packKey(entry);
  return (await accountFiles(join(folder, "accounts")).list(warnOfDamaged(terminal))).filter(({ pack }) => pack === key);
}

/** Prepares an account for a run. Throws PackAuthError if the account cannot be used. */
export async function openAccount(terminal: Terminal, pack: Pack, account: Account, signal: AbortSignal): Promise<RunAccount> {
  if (isTeamAccount(account)) return useFileAccount(terminal, pack, account, signal);
  const host = await openCliHost(terminal);
  try {
    return await usableAccount(pack, account, { accounts: host.accounts, host, sandbox: () => sandboxSide(terminal, pack, account.scope) });
  } finally {
    host.close();
  }
}
