// Refreshes an OAuth account's token (RFC 6749, section 6).
// Invariants: one refresh at a time per account, across windows; the new token is stored before it is used; a failure keeps what is stored.
// Invariant: a rotating refresh token is never sent twice, even if its response was lost.

import { join } from "node:path";
import { defined } from "../../base/defined.ts";
import { errorMessage } from "../../base/error-message.ts";
import { quoteName } from "../../base/quote.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { flowKindOf } from "../../spec/auth-types.ts";
import { mayBeUsed, unusable } from "../accounts/account-state.ts";
import type { Account, Accounts, SecretRecord } from "../accounts/accounts.ts";
import { mayGoTo } from "../accounts/client-binding.ts";
import { PackAuthError } from "../errors.ts";
import { withLock } from "../files/file-lock.ts";
import type { PlatformHost } from "../host.ts";
import { publicFetch } from "../network/look-up.ts";
import { sandboxAddress } from "../network/sandbox-address.ts";
import type { ClientCredentials, OAuth2Credential } from "../secrets/credential.ts";
import { configuredUrl } from "./configured-url.ts";
import { refreshMark } from "./refresh-mark.ts";
import { requestToken, type TokenEndpoint, TokenRequestError, type TokenResponse } from "./token-request.ts";

export interface RefreshHost extends Pick<PlatformHost, "fetch" | "lookUp" | "now" | "storageFolder"> {
  readonly accounts: Accounts;
  /** The sandbox's client credentials, for its accounts. */
  readonly sandboxClient?: ClientCredentials;
  /** Milliseconds for one request; 30,000 by default. */
  readonly timeout?: number;
}

/** Milliseconds: a token is refreshed if less than this, or less than a tenth of its lifetime, remains. */
const EARLY = 60_000;
/** Milliseconds, more than the three attempts of one refresh may take at 30 s each. */
const PATIENCE = 100_000;

const inFlight = new Map<string, Promise<OAuth2Credential | undefined>>();
/** Tokens that the secret store failed to store. They are kept for the next try, because the provider may have revoked the old ones. */
const unsaved = new Map<string, { readonly replaces: string; readonly tokenResponse: TokenResponse }>();

export const isExpired = (credential: OAuth2Credential, now: number): boolean =>
  credential.expiresAt !== undefined &&
  credential.expiresAt - Math.min(EARLY, (credential.expiresAt - (credential.issuedAt ?? Number.NEGATIVE_INFINITY)) / 10) < now;

/** The path of an account's lock file in the storage folder, used while the account is refreshed. */
export const refreshFile = (storageFolder: string, id: string): string => join(storageFolder, `refresh-${id}`);

/**
 * Returns a fresh credential, or undefined if the account has no refresh token. `stale` is the refused or expiring credential; if another
 * window has replaced it, the newer one is returned.
 * Throws refresh-failed, sign-in-again or storage-failed; the stored credential stays.
 */
export function refreshAccount(
  account: Account,
  auth: AuthenticationDefinition,
  stale: OAuth2Credential,
  host: RefreshHost,
): Promise<OAuth2Credential | undefined> {
  const key = refreshFile(host.storageFolder, account.id);
  const running = inFlight.get(key);
  if (running !== undefined) return running;
  const refresh = whileNobodyRefreshes(key, () => renew(key, account.id, auth, stale, host)).finally(() => inFlight.delete(key));
  inFlight.set(key, refresh);
  return refresh;
}

/** Runs the task while no window refreshes the account. `key` comes from {@link refreshFile}. */
export const whileNobodyRefreshes = <T>(key: string, task: () => Promise<T>): Promise<T> =>
  withLock(key, task, {
    patience: PATIENCE,
    busy: (cause) => new PackAuthError("refresh-failed", "Another window is still refreshing this account.", { hint: "Try again.", cause }),
  });

async function renew(
  file: string,
  id: string,
  auth: AuthenticationDefinition,
  stale: OAuth2Credential,
  host: RefreshHost,
): Promise<OAuth2Credential | undefined> {
  // The account is read again under the lock, because another window may have renamed, refreshed or removed it.
  const account = await host.accounts.get(id);
  const record = await host.accounts.secret(id);
  const stored = record?.credential;
  if (account === undefined) throw removed();
  // Among other checks, the refresh token must not go to a tokenUrl that changed since the person signed in.
  const state = await host.accounts.stateOf(account, { definition: auth });
  if (!mayBeUsed(state) || record === undefined || stored === undefined)
    throw unusable(state, (reason) => `${quoteName(account.label)} cannot be refreshed: ${reason}.`);
  if (stored.kind !== "oauth2") return undefined;
  const pendingRenewal = unsaved.get(file);
  if (pendingRenewal?.replaces === stored.accessToken)
    return keep(file, account, pendingRenewal.tokenResponse, { ...record, credential: stored }, host);
  // Another window has refreshed the token, and the new one has not expired.
  if (stored.accessToken !== stale.accessToken && !isExpired(stored, host.now())) return stored;
  if (stored.refreshToken === undefined && flowKindOf(account.type) !== "client-credentials") return undefined;
  const mark = refreshMark(`${file}.sent`);
  // After an interruption, the token is sent again only if the provider is known to keep its refresh tokens.
  if (record.rotates !== false && (await mark.isOn(stored)))
    throw await cutOff(`A refresh of ${quoteName(account.label)} was interrupted, so its refresh token may be used up.`, account, host);
  const endpoint = await tokenEndpointOf(account, auth, host);
  if (stored.refreshToken !== undefined) await mark.set(stored);
  let tokenResponse: TokenResponse;
  try {
    tokenResponse = await requestToken(
      { ...endpoint, replaces: stored.accessToken },
      stored.refreshToken === undefined ? { kind: "client-credentials" } : { kind: "refresh", refreshToken: stored.refreshToken },
    );
  } catch (error) {
    const isLost = stored.refreshToken !== undefined && !(error instanceof TokenRequestError && !error.isResponseLost);
    if (!isLost) await mark.clear();
    if (isLost && record.rotates !== false) throw await cutOff(error, account, host);
    const isForgotten = error instanceof TokenRequestError && error.isClientRefused && endpoint.client.registration !== undefined;
    // The lists of accounts show this state. A failure of the store must not hide the provider's error.
    if (isForgotten || (error instanceof TokenRequestError && error.isGrantRefused))
      await host.accounts.update(id, { unrenewable: "refused" }).catch(() => {});
    throw isForgotten ? await forgotten(error, account, endpoint.client, host) : error;
  }
  const fresh = await keep(file, account, tokenResponse, { ...record, credential: stored }, host);
  if (account.sandboxOrigin === undefined)
    await host.accounts.bindClientCredentials(account.pack, account.scope, endpoint.client, endpoint.tokenUrl, auth).catch(() => {});
  return fresh;
}

/**
 * Returns the error for a refresh token whose request got no response. It may be sent again only if the provider responded or was never
 * reached.
 */
async function cutOff(error: unknown, { id }: Account, { accounts }: RefreshHost): Promise<PackAuthError> {
  await accounts.update(id, { unrenewable: "interrupted" }).catch(() => {});
  return new PackAuthError("sign-in-again", errorMessage(error), {
    hint: "Sign in again: the refresh token may be used up. Sending it once more could make the provider end every sign-in of this account.",
    configPath: error instanceof PackAuthError ? error.configPath : undefined,
    cause: error instanceof Error ? error : undefined,
  });
}

/** Returns the error for a registration that the provider has deleted. A new sign-in registers again; the account's data stays. */
async function forgotten(error: PackAuthError, account: Account, client: ClientCredentials, host: RefreshHost): Promise<PackAuthError> {
  await host.accounts.forgetRegistration(account.pack, account.scope, client).catch(() => {});
  const { message, hint, nextStep, configPath } = error;
  return new PackAuthError("sign-in-again", message, { hint, nextStep, configPath, cause: error });
}

/** Returns the client that the account signed in with: its own registration, or the client stored for the pack. */
export const clientOf = async (
  { id, pack, scope, sandboxOrigin }: Account,
  { accounts, sandboxClient }: Pick<RefreshHost, "accounts" | "sandboxClient">,
): Promise<ClientCredentials | undefined> =>
  (await accounts.secret(id))?.client ?? (sandboxOrigin === undefined ? accounts.clientCredentials(pack, scope) : sandboxClient);

/** Stores the new token before it is used, because a lost refresh token cannot be recovered after rotation. */
async function keep(
  file: string,
  account: Account,
  tokenResponse: TokenResponse,
  replaced: SecretRecord & { readonly credential: OAuth2Credential },
  host: RefreshHost,
): Promise<OAuth2Credential> {
  const { credential, method, scopesGranted } = tokenResponse;
  const former = replaced.credential;
  const mark = refreshMark(`${file}.sent`);
  await mark.giveRoom(former);
  unsaved.set(file, { replaces: former.accessToken, tokenResponse });
  const rotated = former.refreshToken === undefined ? undefined : credential.refreshToken !== former.refreshToken;
  const outcome = await host.accounts.renew(account.id, {
    credential,
    generation: replaced.generation,
    ...(rotated === undefined ? {} : { rotates: rotated || replaced.rotates === true }),
    change: ({ expiresAt: _old, unrenewable: _refused, ...now }) => ({
      ...now,
      clientMethod: method,
      ...defined({ scopesGranted, expiresAt: credential.expiresAt }),
    }),
  });
  unsaved.delete(file);
  await mark.clear();
  const now = outcome === "stored" ? credential : await host.accounts.credential(account.id);
  if (now?.kind !== "oauth2") throw removed();
  return now;
}

const removed = (): PackAuthError => new PackAuthError("sign-in-again", "The account was removed.", { hint: "Connect an account." });

async function tokenEndpointOf(account: Account, auth: AuthenticationDefinition, host: RefreshHost): Promise<TokenEndpoint> {
  const { sandboxOrigin } = account;
  const client = await clientOf(account, host);
  if (client === undefined)
    throw new PackAuthError("sign-in-again", "The client ID and secret are no longer stored.", { nextStep: { do: "addClient" } });
  const configRoot = `${account.scope}Authentication`;
  const { tokenUrl: discovered, resource } = account.server ?? {};
  const isDiscovered = auth.tokenUrl === undefined && discovered !== undefined;
  const tokenUrl = isDiscovered ? discovered : configuredUrl(auth, "tokenUrl", { configRoot, endpoint: account.endpoint });
  if (sandboxOrigin === undefined && !mayGoTo(client, tokenUrl))
    throw new PackAuthError(
      "sign-in-again",
      `The client secret that is stored was not entered for ${tokenUrl}, so it was not sent there.`,
      {
        hint: "Sign in again. You are then asked whether the secret may go there.",
        configPath: `${configRoot}.tokenUrl`,
      },
    );
  return {
    auth: auth.resource === undefined && resource !== undefined ? { ...auth, resource } : auth,
    configRoot,
    tokenUrl,
    address: sandboxOrigin === undefined ? tokenUrl : sandboxAddress(tokenUrl, sandboxOrigin),
    client,
    fetch: isDiscovered ? publicFetch(host, []) : host.fetch,
    now: host.now,
    ...defined({ timeout: host.timeout, remembered: account.clientMethod }),
  };
}
