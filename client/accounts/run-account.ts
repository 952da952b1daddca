// Prepares an account of this window for a run.
import type { Account } from "../../platform/accounts/accounts.ts";
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import { usableAccount } from "../../platform/connect/usable-account.ts";
import type { Pack } from "../../platform/process/pack.ts";
import type { Services } from "../services.ts";

/** Throws sign-in-again if the account cannot be used. */
export const runAccount = (services: Services, pack: Pack, account: Account): Promise<RunAccount> =>
  usableAccount(pack, account, {
    accounts: services.accounts,
    host: services.host(),
    sandbox: () => services.packs.sandbox(pack, account.scope),
  });
