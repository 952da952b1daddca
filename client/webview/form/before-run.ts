// Checks between a press of Run and the run: an empty field, an account that must be connected, an action with a real account.

import { DYNAMIC_URL, type PanelState } from "../state.ts";
import { dynamicUrlOf, fieldsOf, toolOf } from "./parameters.ts";

/** Returns the key of the first required field without a value. */
export function emptyField({ runnable, values }: PanelState): string | undefined {
  if (runnable === undefined) return undefined;
  if (runnable.kind === "syncTable" && runnable.definition.isDynamic && dynamicUrlOf(values) === undefined) return DYNAMIC_URL;
  return fieldsOf(runnable, values).find(({ key, parameter }) => !parameter.optional && !values[key]?.trim())?.key;
}

/** Returns the label of the real account with which an action or a tool would change data. In a sandbox nothing real changes. */
export function actsFor({ runnable, values, accounts, account, accountRequirement, systemAccount }: PanelState): string | undefined {
  const tool = toolOf(runnable, values);
  const acts = tool === undefined ? runnable?.kind === "formula" && runnable.definition.isAction : tool.annotations?.readOnlyHint !== true;
  if (!acts) return undefined;
  const picked = accountRequirement === "none" ? undefined : accounts.find(({ id }) => id === account);
  const effectiveAccount = picked ?? systemAccount;
  return effectiveAccount === undefined || effectiveAccount === null || effectiveAccount.sandbox ? undefined : effectiveAccount.label;
}

/** Returns whether a required account is missing. If an account must be signed in again, its run reports that. */
export const lacksAccount = ({ accountRequirement, accounts, account }: PanelState): boolean =>
  accountRequirement === "required" && accounts.length === 0 && !account;

/** Returns whether the form must offer the sandbox in place of the server. All other functions use the sandbox through an account. */
export const needsNoAccount = ({ runnable, accountRequirement, systemAccount }: PanelState): boolean =>
  runnable?.kind === "mcpServer" && accountRequirement === "none" && systemAccount === undefined;
