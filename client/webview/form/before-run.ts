// What stands between a press of Run and the run: an empty field, an account that has to be connected, an action's real account.

import { DYNAMIC_URL, type PanelState } from "../state.ts";
import { dynamicUrlOf, fieldsOf, toolOf } from "./parameters.ts";

/** The first required field that holds nothing. */
export function emptyField({ runnable, values }: PanelState): string | undefined {
  if (runnable === undefined) return undefined;
  if (runnable.kind === "syncTable" && runnable.definition.isDynamic && dynamicUrlOf(values) === undefined) return DYNAMIC_URL;
  return fieldsOf(runnable, values).find(({ key, parameter }) => !parameter.optional && !values[key]?.trim())?.key;
}

/** The real account in whose name an action, or a tool, would change something; in a sandbox nothing is changed. */
export function actsFor({ runnable, values, accounts, account, accountRequirement, systemAccount }: PanelState): string | undefined {
  const tool = toolOf(runnable, values);
  const acts = tool === undefined ? runnable?.kind === "formula" && runnable.definition.isAction : tool.annotations?.readOnlyHint !== true;
  if (!acts) return undefined;
  const picked = accountRequirement === "none" ? undefined : accounts.find(({ id }) => id === account);
  const effectiveAccount = picked ?? systemAccount;
  return effectiveAccount === undefined || effectiveAccount === null || effectiveAccount.sandbox ? undefined : effectiveAccount.label;
}

/** Whether there is no account yet for a formula that needs one. One that has to be signed in again says why in its run. */
export const lacksAccount = ({ accountRequirement, accounts, account }: PanelState): boolean =>
  accountRequirement === "required" && accounts.length === 0 && !account;

/** Whether the sandbox can be asked in place of the server: of others it is an account. */
export const needsNoAccount = ({ runnable, accountRequirement, systemAccount }: PanelState): boolean =>
  runnable?.kind === "mcpServer" && accountRequirement === "none" && systemAccount === undefined;
