// The names of accounts that the pack does not name (auth-spec 5.6.1, 5.6.3), or whose name is already taken.
import { quoteName } from "../../base/quote.ts";
import { ACCOUNT_FILE } from "../../spec/account-file.ts";
import type { Account } from "./account-files.ts";

export const SANDBOX_USER = "Sandbox user";

/** Returns the label, marked if the account is the sandbox's or of an account file: a stored account may have the same label. */
export const shownLabel = ({ label, sandboxOrigin, inFile }: Pick<Account, "label" | "sandboxOrigin" | "inFile">): string =>
  inFile !== undefined ? `${label} (${ACCOUNT_FILE})` : sandboxOrigin === undefined ? label : `${label} (sandbox)`;

/** Returns the same for a sentence. The provider may have named the account. */
export const labelInText = (account: Parameters<typeof shownLabel>[0]): string =>
  shownLabel({ ...account, label: quoteName(account.label) });

/**
 * Returns a name that is unique among the pack's accounts, because people choose accounts by name. A taken name gets the endpoint's host,
 * or a number.
 */
export function distinctName(name: string, endpoint: string | undefined, usedNames: readonly string[]): string {
  const host = endpoint !== undefined && URL.canParse(endpoint) ? new URL(endpoint).host : "";
  const named = host === "" || !usedNames.includes(name) ? name : `${name} (${host})`;
  for (let number = 2, numbered = named; ; number++) {
    if (!usedNames.includes(numbered)) return numbered;
    numbered = `${named} ${number}`;
  }
}

/** Returns whether the text is the account's label or its ID. */
export const isCalled = ({ id, label }: Pick<Account, "id" | "label">, text: string): boolean => label === text || id === text;

/** Returns the label with the ID, for a message about several accounts that may have the same label. */
export const withId = ({ id, label }: Pick<Account, "id" | "label">): string => `${quoteName(label)} (${id})`;

/** Returns the changes to an account that getConnectionName named. A label that a person gave stays. */
export const nameChange = (
  { renamed }: Account,
  connectionName: string | undefined,
): Partial<Pick<Account, "label" | "unnamed" | "connectionName">> => {
  if (connectionName === undefined) return {};
  return renamed ? { connectionName } : { label: connectionName, unnamed: false, connectionName };
};

export const isUnnamed = ({ unnamed, renamed }: Account): boolean => unnamed === true && renamed !== true;
