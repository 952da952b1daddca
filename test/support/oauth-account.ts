// An OAuth account with an older sign-in, and its refresh. Tests in one process and in several share it.
import { type Account, type Accounts, newAccountId, packKey } from "../../platform/accounts/accounts.ts";
import { snapshotOf } from "../../platform/accounts/configuration-snapshot.ts";
import type { OAuth2Credential } from "../../platform/secrets/credential.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";

export const ENTRY = "/packs/shop/pack.ts";

export const oauthDefinition = (tokenUrl: string, more: Partial<AuthenticationDefinition> = {}): AuthenticationDefinition => ({
  type: "OAuth2",
  hasGetConnectionName: false,
  postSetup: [],
  authorizationUrl: new URL("/authorize", tokenUrl).href,
  tokenUrl,
  ...more,
});

export const oauthAccount = (auth: AuthenticationDefinition, more: Partial<Account> = {}): Account => ({
  id: newAccountId(),
  pack: packKey(ENTRY),
  entry: ENTRY,
  scope: "user",
  type: auth.type,
  label: "alice",
  shared: true,
  createdAt: 1,
  configuration: snapshotOf(auth),
  clientMethod: "form",
  ...more,
});

export const oauthCredential = (tokens: { access: string; refresh: string }, more: Partial<OAuth2Credential> = {}): OAuth2Credential => ({
  kind: "oauth2",
  accessToken: tokens.access,
  refreshToken: tokens.refresh,
  expiresAt: 1_000,
  issuedAt: 0,
  ...more,
});

/** Stores an account whose token has expired, and its client credentials. */
export async function storeAccount(
  accounts: Accounts,
  auth: AuthenticationDefinition,
  tokens: { access: string; refresh: string },
  more: Partial<Account> = {},
): Promise<{ readonly account: Account; readonly credential: OAuth2Credential }> {
  const account = oauthAccount(auth, more);
  const credential = oauthCredential(tokens);
  await accounts.saveClientCredentials(account.pack, account.scope, { clientId: "client", clientSecret: "client-secret" });
  await accounts.save(account, credential);
  return { account, credential };
}
