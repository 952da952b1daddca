// How a command begins that is about a pack: trust where its code is to run, and which pack; and how it fails.
import type { Account } from "../../platform/accounts/accounts.ts";
import type { Pack } from "../../platform/process/pack.ts";
import type { Services } from "../services.ts";
import { requireTrust } from "../trust.ts";
import { choosePack, type PackArgument } from "./choose-pack.ts";

/** `runs`: what runs code of the workspace, as the person is told of it. Undefined where there was no trust, no pack, or an error, which is said. */
export async function inPack<T>(
  services: Services,
  argument: PackArgument | undefined,
  runs: string | undefined,
  work: (entry: string) => Promise<T>,
): Promise<T | undefined> {
  if (runs !== undefined && !(await requireTrust(runs))) return undefined;
  const entry = await choosePack(services, argument);
  if (entry === undefined) return undefined;
  return work(entry).catch(async (error: unknown) => {
    await services.showError(error, entry);
    return undefined;
  });
}

export interface AccountNode {
  readonly account: Account;
  /** Path of the pack's entry; absent where the pack is not in this workspace. */
  readonly entry?: string;
}

/** Something done with an account. It throws what went wrong. */
export type AccountAction = (services: Services, node: AccountNode) => Promise<void>;

/** An action that runs code of the account's pack. */
export const withPack =
  (runs: string, work: (services: Services, node: Required<AccountNode>, pack: Pack) => Promise<void>): AccountAction =>
  async (services, { account, entry }) => {
    if (entry !== undefined && (await requireTrust(runs)))
      await work(services, { account, entry }, await services.packs.saveAndOpen(entry));
  };
