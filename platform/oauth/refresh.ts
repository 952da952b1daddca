// Renews an OAuth account's token: one at a time per account, across windows, and never losing what is stored (security.md 3).
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lock } from "proper-lockfile";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { Account, Accounts } from "../accounts.ts";
import type { ClientCredentials, OAuth2Credential } from "../credential.ts";
import { PackAuthError } from "../errors.ts";
import type { Fetch } from "../host.ts";
import { sandboxAddress } from "../sandbox-address.ts";
import { requestToken } from "./token-request.ts";

export interface RefreshHost {
  readonly accounts: Accounts;
  readonly fetch: Fetch;
  readonly now: () => number;
  /** Where lock files lie. */
  readonly storageFolder: string;
  /** The sandbox's client credentials, for its accounts. */
  readonly sandboxClient?: ClientCredentials;
}

/** A token is renewed when it has less than this left. */
const EARLY = 60_000;

const inFlight = new Map<string, Promise<OAuth2Credential | undefined>>();

export const isExpired = (credential: OAuth2Credential, now: number): boolean =>
  credential.expiresAt !== undefined && credential.expiresAt - EARLY < now;

/**
 * A fresh credential. `stale` is the one that was refused or is about to expire: where another window already replaced it, that
 * one's is taken. Undefined where the account has no refresh token. Throws refresh-failed or sign-in-again; the stored one stays.
 */
export function refreshAccount(
  account: Account,
  auth: AuthenticationDefinition,
  stale: OAuth2Credential,
  host: RefreshHost,
): Promise<OAuth2Credential | undefined> {
  const running = inFlight.get(account.id);
  if (running !== undefined) return running;
  const refresh = renew(account, auth, stale, host).finally(() => inFlight.delete(account.id));
  inFlight.set(account.id, refresh);
  return refresh;
}

async function renew(
  account: Account,
  auth: AuthenticationDefinition,
  stale: OAuth2Credential,
  host: RefreshHost,
): Promise<OAuth2Credential | undefined> {
  mkdirSync(host.storageFolder, { recursive: true, mode: 0o700 });
  const file = join(host.storageFolder, `refresh-${account.id}`);
  writeFileSync(file, "", { flag: "a", mode: 0o600 });
  const release = await lock(file, { retries: { retries: 60, minTimeout: 100, maxTimeout: 1_000 }, stale: 45_000, realpath: false });
  try {
    const stored = await host.accounts.credential(account.id);
    if (stored?.kind !== "oauth2") return undefined;
    if (stored.accessToken !== stale.accessToken) return stored;
    if (stored.refreshToken === undefined && account.type !== "OAuth2ClientCredentials") return undefined;
    const client =
      account.sandboxOrigin === undefined ? await host.accounts.clientCredentials(account.pack, account.scope) : host.sandboxClient;
    if (client === undefined)
      throw new PackAuthError("sign-in-again", "The client ID and secret are no longer stored.", {
        hint: "Add OAuth credentials, then sign in again.",
      });
    const tokenUrl = tokenUrlOf(account, auth);
    const answer = await requestToken(
      {
        auth,
        configRoot: `${account.scope}Authentication`,
        tokenUrl,
        address: account.sandboxOrigin === undefined ? tokenUrl : sandboxAddress(tokenUrl, account.sandboxOrigin),
        client,
        fetch: host.fetch,
        now: host.now,
        ...(account.clientMethod === undefined ? {} : { remembered: account.clientMethod }),
      },
      stored.refreshToken === undefined ? { kind: "client-credentials" } : { kind: "refresh", refreshToken: stored.refreshToken },
    );
    // Stored before it is used: a rotated refresh token that is lost cannot be had again.
    await host.accounts.save(
      {
        ...account,
        clientMethod: answer.method,
        ...(answer.credential.expiresAt === undefined ? {} : { expiresAt: answer.credential.expiresAt }),
      },
      answer.credential,
    );
    return answer.credential;
  } finally {
    await release();
  }
}

function tokenUrlOf(account: Account, auth: AuthenticationDefinition): string {
  const value = auth.tokenUrl ?? "";
  const text = value.startsWith("/") && account.endpoint !== undefined ? `${account.endpoint.replace(/\/+$/, "")}${value}` : value;
  if (!URL.canParse(text))
    throw new PackAuthError("configuration-invalid", "tokenUrl is no URL.", { configPath: `${account.scope}Authentication.tokenUrl` });
  return text;
}
