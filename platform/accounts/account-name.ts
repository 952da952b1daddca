// What an account is called where nothing named it (auth-spec 5.6.1, 5.6.3), or another one has its name.
import type { Account } from "./account-files.ts";

export const SANDBOX_USER = "Sandbox user";

/** With what tells it from a real one. */
export const shownLabel = ({ label, sandboxOrigin }: Pick<Account, "label" | "sandboxOrigin">): string =>
  sandboxOrigin === undefined ? label : `${label} (sandbox)`;

/** The name; with the endpoint's host, or a number, where another account of the pack has it: accounts are chosen by their names. */
export function distinctName(name: string, endpoint: string | undefined, usedNames: readonly string[]): string {
  const host = endpoint !== undefined && URL.canParse(endpoint) ? new URL(endpoint).host : "";
  const named = host === "" || !usedNames.includes(name) ? name : `${name} (${host})`;
  for (let number = 2, numbered = named; ; number++) {
    if (!usedNames.includes(numbered)) return numbered;
    numbered = `${named} ${number}`;
  }
}

/** Whether the text is the account's label or its ID. */
export const isCalled = ({ id, label }: Pick<Account, "id" | "label">, text: string): boolean => label === text || id === text;

/** For a message about several accounts, of which some may have one label. */
export const withId = ({ id, label }: Pick<Account, "id" | "label">): string => `${label} (${id})`;

/** What changes of an account that getConnectionName named: a label that a person gave stays. */
export const nameChange = (
  { renamed }: Account,
  connectionName: string | undefined,
): Partial<Pick<Account, "label" | "unnamed" | "connectionName">> => {
  if (connectionName === undefined) return {};
  return renamed ? { connectionName } : { label: connectionName, unnamed: false, connectionName };
};

export const isUnnamed = ({ unnamed, renamed }: Account): boolean => unnamed === true && renamed !== true;
