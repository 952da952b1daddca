// What stands between a press of Run and the run: an empty field, an account that has to be connected, an action's real account.
import type { AuthScope } from "../../protocol/run.ts";
import { fieldsOf } from "./parameters.ts";
import { DYNAMIC_URL, type PanelState } from "./state.ts";

/** The first required field that holds nothing. */
export function emptyField({ runnable, values }: PanelState): string | undefined {
  if (runnable === undefined) return undefined;
  const isEmpty = (key: string): boolean => (values[key] ?? "").trim() === "";
  if (runnable.kind === "syncTable" && runnable.definition.isDynamic && isEmpty(DYNAMIC_URL)) return DYNAMIC_URL;
  return fieldsOf(runnable).find(({ key, parameter }) => !parameter.optional && isEmpty(key))?.key;
}

/** The real account in whose name an action would change something; in a sandbox nothing is changed. */
export function actsFor({ runnable, accounts, account, accountRequirement, systemAccount }: PanelState): string | undefined {
  if (runnable?.kind !== "formula" || !runnable.definition.isAction) return undefined;
  const picked = accountRequirement === "none" ? undefined : accounts.find(({ id }) => id === account);
  const used = picked ?? systemAccount;
  return used === undefined || used === null || used.sandbox ? undefined : used.label;
}

/** The sign-in that a run needs first: of a new account, or of the one that is named. */
export function signInNeeded({
  accountRequirement,
  accounts,
  account,
}: PanelState): { readonly scope: AuthScope; readonly account?: string } | undefined {
  if (accountRequirement === "none") return undefined;
  const picked = accounts.find(({ id }) => id === account);
  if (picked?.state === "signInAgain") return { scope: "user", account: picked.id };
  return accountRequirement === "required" && picked === undefined && accounts.length === 0 ? { scope: "user" } : undefined;
}
