// An account that `pack-auth connect` made, for a run. The keyring is asked only where there is one: runs in continuous integration,
// with credentials of the environment, never touch it.
import { join } from "node:path";
import { accountFiles } from "../../platform/accounts/account-files.ts";
import { packKey } from "../../platform/accounts/accounts.ts";
import { usableAccount } from "../../platform/accounts/usable-account.ts";
import type { Pack } from "../../platform/process/pack.ts";
import type { RunAccount } from "../../platform/runs/run-options.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { sandboxSide } from "../sandbox-side.ts";
import { openCliHost } from "../terminal/host.ts";
import { storageFolder } from "../terminal/storage-folder.ts";
import { UsageError } from "../usage-error.ts";

/** The account of that label, or the only one; undefined where there is none. Throws UsageError for several, and PackAuthError. */
export async function storedAccount(
  pack: Pack,
  label: string | undefined,
  env: NodeJS.ProcessEnv,
  scopes: readonly AuthScope[],
): Promise<RunAccount | undefined> {
  const key = packKey(pack.entry);
  const stored = await accountFiles(join(storageFolder(env), "accounts")).list();
  const own = stored.filter(
    ({ pack: of, scope, label: name }) => of === key && scopes.includes(scope) && (label === undefined || name === label),
  );
  // A user's account is meant where there is one; a system account serves the rest.
  const candidates = own.some(({ scope }) => scope === "user") ? own.filter(({ scope }) => scope === "user") : own;
  const [account, ...others] = candidates;
  if (account === undefined) return undefined;
  if (others.length > 0)
    throw new UsageError(
      `The pack has several accounts: ${candidates.map((each) => each.label).join(", ")}. Choose one with --account LABEL.`,
    );
  const host = await openCliHost(env);
  host.close();
  return usableAccount(pack, account, { accounts: host.accounts, host, sandbox: () => sandboxSide(pack, account.scope, env) });
}
