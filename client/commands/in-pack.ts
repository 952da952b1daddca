// Begins a command about a pack: requires trust if it runs code, chooses the pack, and shows errors.
import type { Account } from "../../platform/accounts/accounts.ts";
import type { Pack } from "../../platform/process/pack.ts";
import type { Services } from "../services.ts";
import { requireTrust } from "../window/trust.ts";
import { choosePack, type PackArgument } from "./choose-pack.ts";

/**
 * `runs`: the action that runs code of the workspace, for the question about trust; undefined if no code runs. Returns undefined without
 * trust or a pack, or after an error, which is shown.
 */
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
  /** Path of the pack's entry; undefined if the pack is not in this workspace. */
  readonly entry?: string;
}

/** An action on an account. It throws its errors. */
export type AccountAction = (services: Services, node: AccountNode) => Promise<void>;

/** Creates an action that runs code of the account's pack. */
export const withPack =
  (runs: string, work: (services: Services, node: Required<AccountNode>, pack: Pack) => Promise<void>): AccountAction =>
  async (services, { account, entry }) => {
    if (entry !== undefined && (await requireTrust(runs)))
      await work(services, { account, entry }, await services.packs.saveAndOpen(entry));
  };
