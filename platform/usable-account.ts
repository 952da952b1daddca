// A stored account made ready for a run: its credential out of the secret store, renewed where it is about to expire.
import type { Account, Accounts } from "./accounts.ts";
import { PackAuthError } from "./errors.ts";
import type { SandboxSignIn } from "./flows/flow.ts";
import type { PlatformHost } from "./host.ts";
import { isExpired, refreshAccount } from "./oauth/refresh.ts";
import type { Pack } from "./pack.ts";
import type { RunAccount } from "./run-options.ts";

export interface UsableAccountHost {
  readonly accounts: Accounts;
  readonly host: Pick<PlatformHost, "fetch" | "now" | "storageFolder">;
  /** What the pack has in the sandbox that is running; asked for a sandbox account only. */
  sandbox(): Promise<SandboxSignIn>;
}

/** Throws sign-in-again where the account cannot be used. */
export async function usableAccount(pack: Pack, account: Account, { accounts, host, sandbox }: UsableAccountHost): Promise<RunAccount> {
  const definition = account.scope === "system" ? pack.definition.systemAuthentication : pack.definition.userAuthentication;
  const state = await accounts.stateOf(account, definition);
  const stored = await accounts.credential(account.id);
  if (state.state !== "ready" || stored === undefined || definition === undefined) {
    throw new PackAuthError(
      "sign-in-again",
      `The account ${account.label} cannot be used: ${state.state === "ready" ? "its credentials are gone" : state.reason}.`,
      { hint: "Sign in again." },
    );
  }
  const side = account.sandboxOrigin === undefined ? undefined : await sandbox();
  if (side?.origin !== account.sandboxOrigin) {
    throw new PackAuthError("sign-in-again", `The sandbox that ${account.label} belongs to is gone.`, {
      hint: "Sign in again with the sandbox.",
    });
  }
  const renew = (stale: typeof stored) =>
    stale.kind !== "oauth2"
      ? Promise.resolve(undefined)
      : refreshAccount(account, definition, stale, {
          accounts,
          fetch: host.fetch,
          now: host.now,
          storageFolder: host.storageFolder,
          ...(side === undefined ? {} : { sandboxClient: side.clientCredentials }),
        });
  const credential = stored.kind === "oauth2" && isExpired(stored, host.now()) ? ((await renew(stored)) ?? stored) : stored;
  return {
    scope: account.scope,
    credential,
    refresh: () => renew(credential),
    ...(account.endpoint === undefined ? {} : { endpoint: account.endpoint }),
    ...(account.sandboxOrigin === undefined ? {} : { sandboxOrigin: account.sandboxOrigin }),
  };
}
