// An account of this window made ready for a run.
import type { Account } from "../platform/accounts.ts";
import type { Pack } from "../platform/pack.ts";
import type { RunAccount } from "../platform/run.ts";
import { usableAccount } from "../platform/usable-account.ts";
import type { Services } from "./services.ts";

/** Throws sign-in-again where the account cannot be used. */
export const runAccount = (services: Services, pack: Pack, account: Account): Promise<RunAccount> =>
  usableAccount(pack, account, {
    accounts: services.accounts,
    host: services.host(),
    sandbox: () => services.packs.sandbox(pack, account.scope),
  });
