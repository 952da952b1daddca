// The accounts of an account file in the form of stored ones, so that every list and every choice treats both alike. They are never saved.
import { createHash } from "node:crypto";
import { defined } from "../../base/defined.ts";
import type { FileAccount } from "../../spec/account-file.ts";
import type { Account } from "../accounts/account-files.ts";
import { type Accounts, packKey } from "../accounts/accounts.ts";
import { PackAuthError } from "../errors.ts";
import { readFileAccounts } from "./account-file.ts";

export interface TeamAccount extends Account {
  readonly inFile: FileAccount;
}

export const isTeamAccount = (account: Account): account is TeamAccount => account.inFile !== undefined;

interface TeamAccounts {
  readonly accounts: readonly TeamAccount[];
  /** Why the file has no accounts, if it cannot be used. Stored accounts still work then. */
  readonly problem?: PackAuthError;
}

/** Returns the accounts of the file beside the pack's entry. */
export function teamAccounts(entry: string): TeamAccounts {
  try {
    const inFile = readFileAccounts(entry);
    const pack = packKey(entry);
    return { accounts: inFile.map((account) => teamAccount(entry, pack, account)) };
  } catch (error) {
    if (error instanceof PackAuthError) return { accounts: [], problem: error };
    throw error;
  }
}

/** Returns the accounts of a pack: stored ones, then those of its account file. Every choice of an account begins here. */
export const packAccounts = async (stored: Pick<Accounts, "list">, entry: string): Promise<readonly Account[]> => [
  ...(await stored.list(packKey(entry))),
  ...teamAccounts(entry).accounts,
];

function teamAccount(entry: string, pack: string, inFile: FileAccount): TeamAccount {
  const { scope, label, endpoint } = inFile;
  return {
    // The label may be a stored account's too, and one folder has several packs.
    id: `team-${createHash("sha256")
      .update(JSON.stringify([pack, scope, label]))
      .digest("hex")
      .slice(0, 12)}`,
    pack,
    entry,
    scope,
    type: "",
    label,
    ...defined({ endpoint }),
    shared: false,
    createdAt: 0,
    configuration: {},
    inFile,
  };
}
