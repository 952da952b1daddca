// The accounts of a pack that the panel offers and the accounts view shows: stored ones, then those of its account file.
import * as vscode from "vscode";
import { errorMessage } from "../../base/error-message.ts";
import { type Account, packKey } from "../../platform/accounts/accounts.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { isApproved } from "../../platform/team/approval.ts";
import { type TeamAccount, teamAccounts } from "../../platform/team/team-account.ts";
import type { Services } from "../services.ts";

/** Returns the accounts that a run can use. References of an account file are text from outside, so only a trusted window offers them. */
export async function usableAccounts({ accounts }: Pick<Services, "accounts">, entry: string): Promise<readonly Account[]> {
  return [...(await accounts.list(packKey(entry))), ...(vscode.workspace.isTrusted ? fileAccounts(entry) : [])];
}

/** Returns the accounts of the file. A broken file has none: the editor shows its problems at their places. */
export function fileAccounts(entry: string): readonly TeamAccount[] {
  try {
    return teamAccounts(entry);
  } catch (error) {
    if (error instanceof PackAuthError) return [];
    throw error;
  }
}

/** Returns what stands between the account and its use, in words. */
export function referenceState(services: Pick<Services, "host" | "packs">, { inFile }: TeamAccount, entry: string): string {
  if (!vscode.workspace.isTrusted) return "not offered until you trust the workspace";
  try {
    return isApproved(services.host().globalState, entry, inFile, services.packs.definition(entry))
      ? "accepted"
      : "asks before its first use";
  } catch (error) {
    return errorMessage(error);
  }
}
