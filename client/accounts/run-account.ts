// Prepares an account of this window for a run.
import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import type { Account } from "../../platform/accounts/accounts.ts";
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import { usableAccount } from "../../platform/connect/usable-account.ts";
import { PackAuthError } from "../../platform/errors.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { approvedDelivery, type ReferenceQuestion } from "../../platform/team/approval.ts";
import { resolveAccount } from "../../platform/team/resolve.ts";
import { isTeamAccount, type TeamAccount } from "../../platform/team/team-account.ts";
import { ACCOUNT_FILE } from "../../spec/account-file.ts";
import type { Services } from "../services.ts";
import { onePasswordProgram } from "../settings.ts";
import { askModal } from "../shown/messages.ts";

interface RunAccountOptions {
  readonly signal?: AbortSignal;
  /** True if the person only types, and a question would interrupt that. */
  readonly isQuiet?: boolean;
}

/** Throws sign-in-again if the account cannot be used, and the errors of an account file. */
export const runAccount = (services: Services, pack: Pack, account: Account, options: RunAccountOptions = {}): Promise<RunAccount> =>
  isTeamAccount(account)
    ? useTeamAccount(services, pack, account, options)
    : usableAccount(pack, account, {
        accounts: services.accounts,
        host: services.host(),
        sandbox: () => services.packs.sandbox(pack, account.scope),
      });

const ACCEPT = "Accept";

async function useTeamAccount(
  services: Services,
  pack: Pack,
  { inFile }: TeamAccount,
  { signal, isQuiet = false }: RunAccountOptions,
): Promise<RunAccount> {
  if (!vscode.workspace.isTrusted)
    throw new PackAuthError("reference-unapproved", `The account ${inFile.label} of ${ACCOUNT_FILE} was not used.`, {
      hint: "Trust the workspace first.",
    });
  let isNew = false;
  const ask = async ({ title, lines }: ReferenceQuestion): Promise<boolean> => {
    isNew = !isQuiet && (await askModal(title, lines.join("\n"), ACCEPT)) === ACCEPT;
    return isNew;
  };
  const delivery = await approvedDelivery({ state: services.host().globalState, ask }, pack.entry, inFile, pack.definition);
  // The views show whether the account was accepted.
  if (isNew) services.accounts.changedElsewhere();
  const program = onePasswordProgram();
  return resolveAccount(delivery, {
    environment: process.env,
    program,
    programSetting: "packAuth.onePasswordProgram",
    ...defined({ signal }),
  });
}
