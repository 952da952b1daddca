// A formula tries an account where the pack has no getConnectionName to do so: the one that is picked runs with it.
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Account } from "../../platform/accounts/accounts.ts";
import { rememberAccount } from "../accounts/last-account.ts";
import type { Services } from "../services.ts";

export const TEST_WITH_FORMULA = t`Test with a formula`;

export async function testWithFormula(services: Services, account: Account, entry: string): Promise<void> {
  await rememberAccount(services, account);
  await vscode.commands.executeCommand("packAuth.runFormula", { entry });
}
