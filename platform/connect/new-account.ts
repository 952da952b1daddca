// The account that a sign-in creates: its name, and notes about it for the person. Nothing here asks or stores anything.

import { defined } from "../../base/defined.ts";
import { quoteName } from "../../base/quote.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { asksProvider, configRoot } from "../../spec/auth-types.ts";
import { isScopeGranted } from "../../spec/providers.ts";
import { distinctName, SANDBOX_USER } from "../accounts/account-name.ts";
import { type Account, newAccountId } from "../accounts/accounts.ts";
import { snapshotOf } from "../accounts/configuration-snapshot.ts";
import type { SignedIn } from "../accounts/signed-in.ts";
import { canonicalPath } from "../files/file-names.ts";
import { isJson, JSON_ALONE } from "../oauth/client-authentication.ts";
import { missingRefreshToken } from "../oauth/missing-refresh-token.ts";
import { SHORTEST_SECRET } from "../secrets/redact.ts";
import { shortSecrets } from "../secrets/short-secrets.ts";
import { endpointNote, type Note } from "./account-endpoint.ts";
import type { SandboxSignIn } from "./flows/flow.ts";
import type { Attempt } from "./sign-in-attempt.ts";
import type { SignInPlan } from "./sign-in-plan.ts";

export function accountOf(plan: SignInPlan, attempt: Attempt): Account {
  const { pack, options, key, auth } = plan;
  const { scope, host, sandbox } = options;
  const { signedIn, placed, isRefused, otherAccounts, replaced } = attempt;
  const { endpoint } = placed;
  const { credential } = signedIn;
  const label = labelOf(plan, attempt);
  const shared = options.shared ?? replaced?.shared ?? false;
  const former = replaced ?? (sandbox === undefined ? undefined : formerUser(otherAccounts, label, { scope, sandbox, endpoint }));
  const unrenewable = credential.kind === "oauth2" && credential.refreshToken === undefined && asksProvider(auth.type) ? true : undefined;
  return {
    id: former?.id ?? newAccountId(),
    pack: key,
    entry: canonicalPath(pack.entry),
    scope,
    type: auth.type,
    label,
    shared,
    createdAt: replaced?.createdAt ?? host.now(),
    configuration: snapshotOf(auth),
    ...defined({
      renamed: replaced?.renamed,
      connectionName: placed.label ?? replaced?.connectionName,
      unnamed: isWithoutName(attempt) || undefined,
      refused: isRefused || undefined,
      workspace: shared ? undefined : host.workspace,
      endpoint,
      sandboxOrigin: sandbox?.origin,
      scopesRequested: signedIn.scopesRequested,
      scopesGranted: signedIn.scopesGranted,
      clientMethod: signedIn.clientMethod,
      server: signedIn.server,
      forcePkce: signedIn.forcePkce,
      expiresAt: credential.kind === "oauth2" ? credential.expiresAt : undefined,
      unrenewable,
    }),
  };
}

/** Whether neither this sign-in nor an earlier one found the user's name. */
export const isWithoutName = ({ placed, replaced }: Attempt): boolean =>
  placed.label === undefined && (replaced === undefined || replaced.unnamed === true);

function labelOf({ options }: SignInPlan, { placed, replaced }: Attempt): string {
  if (replaced?.renamed) return replaced.label;
  const label = placed.label ?? replaced?.label;
  if (label !== undefined) return label;
  if (options.sandbox !== undefined) return SANDBOX_USER;
  return placed.hasFailed ? `${options.packName} account` : options.host.userName();
}

/**
 * Returns the account that the same user has from an earlier sandbox, to be replaced. Otherwise each start would leave one more account.
 * Labels of the current sandbox's accounts are already taken.
 */
function formerUser(
  accounts: readonly Account[],
  label: string,
  { scope, sandbox, endpoint }: { readonly scope: AuthScope; readonly sandbox: SandboxSignIn; readonly endpoint: string | undefined },
): Account | undefined {
  const isFormer = (other: Account): boolean =>
    other.sandboxOrigin !== undefined && other.sandboxOrigin !== sandbox.origin && other.scope === scope && other.endpoint === endpoint;
  const free = distinctName(
    label,
    endpoint,
    accounts.filter((other) => !isFormer(other)).map((other) => other.label),
  );
  return accounts.find((other) => isFormer(other) && other.label === free);
}

/** Returns notes about what the author or the user should know of a successful sign-in. */
export function notesOf({ auth, options }: SignInPlan, { signedIn, placed, typedEndpoint }: Attempt): readonly Note[] {
  const { scope, host, sandbox } = options;
  const outside = typedEndpoint === undefined ? endpointNote(placed.endpoint, auth) : undefined;
  return [
    ...scopeNotes(signedIn, auth, scope),
    ...(signedIn.flowNotes ?? []).map((message) => ({ message })),
    ...(sandbox === undefined ? credentialNotes(signedIn, auth, host.now()) : []).map((message) => ({ message })),
    ...[placed.note, outside].filter((note) => note !== undefined),
  ];
}

/** Returns notes about the credential of a real provider. */
function credentialNotes({ credential, clientMethod }: SignedIn, auth: AuthenticationDefinition, now: number): readonly string[] {
  const short = shortSecrets(credential);
  const shortLived = credential.kind === "oauth2" ? missingRefreshToken(credential, auth, now) : undefined;
  return [
    ...(clientMethod === "basic-encoded"
      ? [
          "Let the provider issue a client ID and secret without special characters. It accepts these in HTTP Basic only with percent-encoding, and the platform sends them as they are.",
        ]
      : []),
    ...(isJson(clientMethod) ? [JSON_ALONE] : []),
    ...(short.length > 0
      ? [`Too short to be masked in results and requests (under ${SHORTEST_SECRET} characters): ${short.join(", ")}`]
      : []),
    ...(shortLived === undefined ? [] : [shortLived]),
  ];
}

function scopeNotes({ scopesRequested, scopesGranted }: SignedIn, auth: AuthenticationDefinition, scope: AuthScope): readonly Note[] {
  if (scopesRequested === undefined || scopesGranted === undefined) return [];
  const missing = scopesRequested.filter((name) => !isScopeGranted(name, scopesGranted));
  if (missing.length === 0) return [];
  const { scopeDelimiter = " " } = auth;
  const field = missing.length > 1 && missing.length === scopesRequested.length && scopeDelimiter !== " " ? "scopeDelimiter" : "scopes";
  const message =
    field === "scopes"
      ? `Not granted of scopes: ${missing.join(", ")} (asked for: ${scopesRequested.join(", ")}; granted: ${scopesGranted.map(quoteName).join(", ") || "none"}). Compare them with the scopes that the provider allows the application.`
      : `No scope was granted of those that scopeDelimiter joins by “${scopeDelimiter}”: ${missing.join(", ")}. The standard's delimiter is a space.`;
  return [{ message, configPath: `${configRoot(scope)}.${field}` }];
}
