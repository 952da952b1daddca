// Prepares an account of this window for a run.
import { defined } from "../../base/defined.ts";
import type { Account } from "../../platform/accounts/accounts.ts";
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import { usableAccount } from "../../platform/connect/usable-account.ts";
import type { Pack } from "../../platform/process/pack.ts";
import type { ReferenceQuestion } from "../../platform/team/approval.ts";
import { isTeamAccount, type TeamAccount } from "../../platform/team/team-account.ts";
import { useTeamAccount } from "../../platform/team/use-team-account.ts";
import type { Services } from "../services.ts";
import { askModal } from "../shown/messages.ts";
import { accountState } from "./account-state.ts";
import { teamHost } from "./team-host.ts";

interface RunAccountOptions {
  readonly signal?: AbortSignal;
  /** True if the person only types, and a question would interrupt that. */
  readonly isQuiet?: boolean;
}

/** Throws sign-in-again if the account cannot be used, and the errors of an account file. */
export const runAccount = (services: Services, pack: Pack, account: Account, options: RunAccountOptions = {}): Promise<RunAccount> =>
  isTeamAccount(account)
    ? useHere(services, pack, account, options)
    : usableAccount(pack, account, {
        accounts: services.accounts,
        host: services.host(),
        sandbox: () => services.packs.sandbox(pack, account.scope),
      });

const ACCEPT = "Accept";

async function useHere(
  services: Services,
  pack: Pack,
  account: TeamAccount,
  { signal, isQuiet = false }: RunAccountOptions,
): Promise<RunAccount> {
  const ask = async ({ title, lines }: ReferenceQuestion): Promise<boolean> => (await askModal(title, lines.join("\n"), ACCEPT)) === ACCEPT;
  const before = await accountState(services, account);
  try {
    return await useTeamAccount(pack, account, teamHost(services), isQuiet ? defined({ signal }) : { ask, ...defined({ signal }) });
  } finally {
    // The views show whether the account was accepted, also if its value could not be read afterwards.
    if (before.state !== "ready" && !isQuiet) services.accounts.changedElsewhere();
  }
}
