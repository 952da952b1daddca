// What an account is called where nothing named it (auth-spec 5.6.1, 5.6.3).
import { t } from "@vscode/l10n";
import type { Account } from "./accounts.ts";

const SANDBOX_USER = t`Sandbox user`;

/** The user's name, or the sandbox user's; with the endpoint's host, or a number, where another account of the pack has it. */
export function defaultName(userName: string, isSandbox: boolean, endpoint: string | undefined, taken: readonly string[]): string {
  const name = isSandbox ? SANDBOX_USER : userName;
  const host = endpoint !== undefined && URL.canParse(endpoint) ? new URL(endpoint).host : "";
  const named = host === "" || !taken.includes(name) ? name : `${name} (${host})`;
  for (let number = 2, numbered = named; ; number++) {
    if (!taken.includes(numbered)) return numbered;
    numbered = `${named} ${number}`;
  }
}

export const isUnnamed = ({ unnamed, renamed }: Account): boolean => unnamed === true && renamed !== true;
