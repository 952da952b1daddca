// The accounts of an account file in the form of stored ones, so that lists and choices treat both alike. They are never saved.
import { ACCOUNT_FILE, type FileAccount } from "../../spec/account-file.ts";
import type { Account } from "../accounts/account-files.ts";
import { packKey } from "../accounts/accounts.ts";
import { readFileAccounts } from "./account-file.ts";

export interface TeamAccount extends Account {
  readonly inFile: FileAccount;
}

export const isTeamAccount = (account: Account): account is TeamAccount => "inFile" in account;

/** Returns the accounts of the file beside the pack's entry. Throws account-file-invalid. */
export const teamAccounts = (entry: string): readonly TeamAccount[] =>
  readFileAccounts(entry).map((inFile) => ({
    id: `${ACCOUNT_FILE} ${inFile.scope} ${inFile.label}`,
    pack: packKey(entry),
    entry,
    scope: inFile.scope,
    type: "",
    label: inFile.label,
    ...(inFile.endpoint === undefined ? {} : { endpoint: inFile.endpoint }),
    shared: false,
    createdAt: 0,
    configuration: {},
    inFile,
  }));
