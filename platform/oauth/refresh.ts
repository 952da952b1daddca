// Renews an OAuth account's token (RFC 6749, section 6). Invariants: one at a time per account, across windows; the new token is stored
// before it is used; a refresh token that rotates is never sent twice; a failure leaves what is stored.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { lock } from "proper-lockfile";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { Account, Accounts } from "../accounts.ts";
import type { ClientCredentials, OAuth2Credential } from "../credential.ts";
import { PackAuthError } from "../errors.ts";
import type { Fetch } from "../host.ts";
import { sandboxAddress } from "../sandbox-address.ts";
import { configuredUrl } from "./configured-url.ts";
import { refreshMark } from "./refresh-mark.ts";
import { requestToken, type TokenAnswer } from "./token-request.ts";

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
/** A lock that was not renewed for so long belongs to a window that is gone. */
const LOCK_STALE = 45_000;
/** Longer than the three attempts of one refresh may take, at 30 s each. */
const LOCK_RETRIES = { retries: 105, minTimeout: 50, maxTimeout: 1_000, factor: 1.5 };

const inFlight = new Map<string, Promise<OAuth2Credential | undefined>>();
/** Tokens that the provider gave and the secret store would not take: kept for the next try, as the old ones may be void. */
const unsaved = new Map<string, { readonly replaces: string; readonly answer: TokenAnswer }>();

export const isExpired = (credential: OAuth2Credential, now: number): boolean =>
  credential.expiresAt !== undefined && credential.expiresAt - EARLY < now;

/**
 * A fresh credential. `stale` is the one that was refused or is about to expire: where another window already replaced it, that
 * one's is taken. Undefined where the account has no refresh token. Throws refresh-failed, sign-in-again or storage-failed; what
 * is stored stays.
 */
export function refreshAccount(
  account: Account,
  auth: AuthenticationDefinition,
  stale: OAuth2Credential,
  host: RefreshHost,
): Promise<OAuth2Credential | undefined> {
  const key = join(host.storageFolder, `refresh-${account.id}`);
  const running = inFlight.get(key);
  if (running !== undefined) return running;
  const refresh = underLock(key, () => renew(key, account.id, auth, stale, host)).finally(() => inFlight.delete(key));
  inFlight.set(key, refresh);
  return refresh;
}

async function underLock<T>(file: string, task: () => Promise<T>): Promise<T> {
  const release = await takeLock(file);
  try {
    return await task();
  } finally {
    // Taken over by another window while this machine slept: then there is nothing left to give back.
    await release().catch(() => {});
  }
}

async function takeLock(file: string): Promise<() => Promise<void>> {
  try {
    mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
    // A compromised lock must not end the whole editor, which is what the library does by default.
    return await lock(file, { retries: LOCK_RETRIES, stale: LOCK_STALE, realpath: false, onCompromised: () => {} });
  } catch (cause) {
    if ((cause as { code?: string }).code === "ELOCKED")
      throw new PackAuthError("refresh-failed", "Another window is still refreshing this account.", { hint: "Try again.", cause });
    throw new PackAuthError("storage-failed", `The lock file ${file} could not be made.`, {
      hint: "Check that the folder exists and can be written.",
      cause,
    });
  }
}

async function renew(
  file: string,
  id: string,
  auth: AuthenticationDefinition,
  stale: OAuth2Credential,
  host: RefreshHost,
): Promise<OAuth2Credential | undefined> {
  // Read again under the lock: another window may have renamed, renewed or removed it.
  const account = host.accounts.get(id);
  const stored = await host.accounts.credential(id);
  if (account === undefined) throw removed();
  // Among others: the refresh token must not go to a tokenUrl that the pack has changed since the person signed in.
  const state = await host.accounts.stateOf(account, auth);
  if (state.state !== "ready" || stored === undefined) {
    throw new PackAuthError(
      "sign-in-again",
      `${account.label} cannot be refreshed: ${state.state === "ready" ? "its credentials are gone" : state.reason}.`,
      { hint: "Sign in again." },
    );
  }
  if (stored.kind !== "oauth2") return undefined;
  const kept = unsaved.get(file);
  if (kept?.replaces === stored.accessToken) return keep(file, account, kept.answer, stored, host);
  if (stored.accessToken !== stale.accessToken) return stored;
  if (stored.refreshToken === undefined && account.type !== "OAuth2ClientCredentials") return undefined;
  const mark = refreshMark(`${file}.sent`);
  if (account.rotates && mark.isOn(stored)) {
    throw new PackAuthError("sign-in-again", `A refresh of ${account.label} was cut off, and its refresh token may be used up.`, {
      hint: "Sign in again. Sending the token once more could make the provider end every sign-in of this account.",
    });
  }
  const endpoint = await tokenEndpointOf(account, auth, host);
  if (stored.refreshToken !== undefined) mark.set(stored);
  let answer: TokenAnswer;
  try {
    answer = await requestToken(
      endpoint,
      stored.refreshToken === undefined ? { kind: "client-credentials" } : { kind: "refresh", refreshToken: stored.refreshToken },
    );
  } catch (error) {
    // The person is told of this one, so that trying again is a decision; only what nobody could see is held back.
    mark.clear();
    throw error;
  }
  return keep(file, account, answer, stored, host);
}

/** Stored before it is used: a rotated refresh token that is lost cannot be had again. */
async function keep(
  file: string,
  account: Account,
  answer: TokenAnswer,
  replaced: OAuth2Credential,
  host: RefreshHost,
): Promise<OAuth2Credential> {
  const { credential, method, scopesGranted } = answer;
  unsaved.set(file, { replaces: replaced.accessToken, answer });
  const rotated = replaced.refreshToken !== undefined && credential.refreshToken !== replaced.refreshToken;
  const isThere = await host.accounts.replaceCredential(account.id, credential, ({ expiresAt: _old, ...now }) => ({
    ...now,
    clientMethod: method,
    ...(rotated ? { rotates: true } : {}),
    ...(scopesGranted === undefined ? {} : { scopesGranted }),
    ...(credential.expiresAt === undefined ? {} : { expiresAt: credential.expiresAt }),
  }));
  unsaved.delete(file);
  refreshMark(`${file}.sent`).clear();
  if (!isThere) throw removed();
  return credential;
}

const removed = (): PackAuthError => new PackAuthError("sign-in-again", "The account was removed.", { hint: "Connect an account." });

async function tokenEndpointOf(
  account: Account,
  auth: AuthenticationDefinition,
  host: RefreshHost,
): Promise<Parameters<typeof requestToken>[0]> {
  const real = account.sandboxOrigin === undefined;
  const client = real ? await host.accounts.clientCredentials(account.pack, account.scope) : host.sandboxClient;
  if (client === undefined)
    throw new PackAuthError("sign-in-again", "The client ID and secret are no longer stored.", {
      hint: "Add OAuth credentials, then sign in again.",
    });
  const configRoot = `${account.scope}Authentication`;
  const tokenUrl = configuredUrl(auth, "tokenUrl", { configRoot, endpoint: account.endpoint });
  return {
    auth,
    configRoot,
    tokenUrl,
    address: account.sandboxOrigin === undefined ? tokenUrl : sandboxAddress(tokenUrl, account.sandboxOrigin),
    client,
    fetch: host.fetch,
    now: host.now,
    ...(account.clientMethod === undefined ? {} : { remembered: account.clientMethod }),
  };
}
