// Removes an account: revokes its tokens at the provider if possible, and deletes everything that is stored of it.

import { rmSync } from "node:fs";
import { defined } from "../../base/defined.ts";
import type { Account, Accounts } from "../accounts/accounts.ts";
import { mayGoTo } from "../accounts/client-binding.ts";
import { openEvidence } from "../evidence/evidence.ts";
import { retryWhileBusy } from "../files/retry-while-busy.ts";
import type { PlatformHost } from "../host.ts";
import { publicFetch } from "../network/look-up.ts";
import { withEndpoint } from "../oauth/configured-url.ts";
import { mayRevoke } from "../oauth/discovery.ts";
import type { Reach } from "../oauth/provider-fetch.ts";
import { clientOf, refreshFile, whileNobodyRefreshes } from "../oauth/refresh.ts";
import { revokeTokens } from "../oauth/revocation.ts";
import type { ClientCredentials } from "../secrets/credential.ts";

interface RemovalHost extends Pick<PlatformHost, "fetch" | "lookUp" | "storageFolder">, Pick<Reach, "signal" | "timeout"> {
  readonly accounts: Accounts;
  /** The sandbox's client credentials, for its accounts while it runs. */
  readonly sandboxClient?: ClientCredentials;
}

export type Removal =
  /** The provider revoked the tokens. */
  | { readonly revoked: true }
  /** The tokens stay valid until they expire; `problem` is the provider's error, if it was asked. */
  | { readonly revoked: false; readonly problem?: string }
  /** There was nothing to revoke: the account is not OAuth, or its secret is lost. */
  | { readonly revoked: undefined };

/** Removes the account, and returns whether its tokens were revoked. Throws storage-failed; the account still exists then. */
export async function removeAccount(id: string, host: RemovalHost): Promise<Removal> {
  const file = refreshFile(host.storageFolder, id);
  const removal = await whileNobodyRefreshes(file, async () => {
    const revoked = await revoke(id, host);
    await openEvidence(host).forget(id);
    await host.accounts.remove(id);
    return revoked;
  });
  await retryWhileBusy(() => rmSync(`${file}.sent`, { force: true }));
  return removal;
}

/**
 * Returns the account's revocation endpoint, or undefined if the metadata did not come from tokenUrl's own origin. A stored address alone
 * is not trusted.
 */
export function revocationUrlOf(account: Account): string | undefined {
  const { server, sandboxOrigin } = account;
  const tokenUrl = tokenUrlOf(account);
  const isBelieved = sandboxOrigin !== undefined || (tokenUrl !== undefined && mayRevoke(server?.issuer, tokenUrl));
  return isBelieved ? server?.revocationUrl : undefined;
}

async function revoke(id: string, host: RemovalHost): Promise<Removal> {
  const { accounts } = host;
  const account = await accounts.get(id);
  const credential = await accounts.credential(id);
  if (account === undefined || credential?.kind !== "oauth2") return { revoked: undefined };
  const revocationUrl = revocationUrlOf(account);
  if (revocationUrl === undefined) return { revoked: false };
  const client = await clientOf(account, host);
  if (client === undefined) return { revoked: false };
  // A client secret that was entered for another provider in the meantime must not be sent to this one.
  const tokenUrl = tokenUrlOf(account);
  if (account.sandboxOrigin === undefined && tokenUrl !== undefined && !mayGoTo(client, tokenUrl))
    return { revoked: false, problem: `the client secret that is stored was not entered for ${new URL(tokenUrl).host}` };
  const revocation = { revocationUrl, client, ...defined({ clientMethod: account.clientMethod }) };
  const configured = account.server?.tokenUrl === undefined && tokenUrl !== undefined ? [tokenUrl] : [];
  const failure = await revokeTokens(credential, revocation, { ...host, fetch: publicFetch(host, configured) });
  if (failure === undefined) return { revoked: true };
  if (failure.isClientRefused) await accounts.forgetRegistration(account.pack, account.scope, client).catch(() => {});
  return { revoked: false, problem: failure.problem };
}

/** Returns the account's token endpoint, or undefined if it is unknown. */
function tokenUrlOf({ server, configuration, endpoint }: Account): string | undefined {
  const { tokenUrl } = configuration;
  const url = server?.tokenUrl ?? (typeof tokenUrl === "string" ? withEndpoint(tokenUrl, endpoint) : "");
  return URL.canParse(url) ? url : undefined;
}
