// Derives facts about the configuration from the masked record of a sign-in at a real provider.
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import { type Fact, namesIn } from "../../protocol/evidence.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { type ConfigurationCode, isConfigurationCode } from "../../spec/evidence-codes.ts";
import { isScopeGranted } from "../../spec/providers.ts";
import type { SignedIn } from "../accounts/signed-in.ts";
import { PackAuthError } from "../errors.ts";
import { covers } from "../network/url-policy.ts";
import { LOCATIONS } from "../oauth/client-authentication.ts";
import { missingRefreshToken } from "../oauth/missing-refresh-token.ts";
import type { TokenExchange } from "../oauth/token-request.ts";
import { configurationFingerprint, type EvidenceUpdate, OF_REQUESTS } from "./evidence.ts";

export interface SignInRecord {
  readonly entry: string;
  readonly definition: Pick<PackDefinition, "networkDomains">;
  readonly auth: AuthenticationDefinition;
  readonly scope: AuthScope;
  /** The exchanges with the token endpoint, in their order. */
  readonly exchanges: readonly TokenExchange[];
  /** The response of the authorization endpoint, if there was one. */
  readonly authorization?: { readonly movedTo?: string };
  readonly outcome: { readonly signedIn: SignedIn; readonly account: string } | { readonly error: unknown };
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function signInFacts(record: SignInRecord): EvidenceUpdate {
  const { entry, auth, scope, outcome, authorization, now } = record;
  const observations: ReadonlyMap<ConfigurationCode, readonly string[]> = new Map([
    ...("signedIn" in outcome ? afterSuccess(record, outcome.signedIn) : afterFailure(record, outcome.error)),
    ...(authorization?.movedTo === undefined ? [] : [["authorization-moved", [authorization.movedTo]] as const]),
  ]);
  const facts = [...observations].map(
    ([code, names]): Fact => ({
      code,
      entry,
      scope,
      names: namesIn(names),
      fingerprint: configurationFingerprint(code, auth),
      seenAt: now,
      ...("account" in outcome ? { account: outcome.account } : {}),
    }),
  );
  return {
    entry,
    facts,
    judges({ code, scope: judged }) {
      if (judged !== scope || !isConfigurationCode(code) || OF_REQUESTS.has(code)) return false;
      // A failed sign-in says nothing of the steps that it did not reach.
      return code === "authorization-moved" ? authorization !== undefined : "signedIn" in outcome;
    },
  };
}

type Observation = readonly [code: ConfigurationCode, names: readonly string[]];

function* afterSuccess({ auth, definition, exchanges, now }: SignInRecord, signedIn: SignedIn): Iterable<Observation> {
  const { credential, clientMethod, forcePkce } = signedIn;
  if (credential.kind !== "oauth2") return;
  if (missingRefreshToken(credential, auth, now) !== undefined) yield ["no-refresh-token", []];
  const { credentialsLocation = "Automatic", scopeDelimiter = " " } = auth;
  const location = clientMethod === undefined || clientMethod === "form" ? undefined : LOCATIONS[clientMethod];
  if (location !== undefined && credentialsLocation === "Automatic") yield ["client-authentication", [location]];
  if (forcePkce && auth.useProofKeyForCodeExchange !== true) yield ["pkce", ["required"]];
  // Scopes that a formula needs in addition are not part of this fact.
  const missing = scopesNotGranted(signedIn).filter((scope) => auth.scopes?.includes(scope));
  if (missing.length > 0)
    yield [
      "scopes-differ",
      scopeDelimiter !== " " && missing.length > 1 && missing.length === signedIn.scopesRequested?.length ? [] : missing,
    ];
  const endpoint = exchanges.at(-1)?.addresses.find(({ host }) => definition.networkDomains.some((domain) => covers(domain, host)));
  if (endpoint !== undefined && auth.endpointKey === undefined && auth.requiresEndpointUrl !== true && auth.postSetup.length === 0)
    yield ["endpoint-in-token", [endpoint.name]];
}

const scopesNotGranted = ({ scopesRequested = [], scopesGranted }: SignedIn): readonly string[] =>
  scopesGranted === undefined ? [] : scopesRequested.filter((scope) => !isScopeGranted(scope, scopesGranted));

function* afterFailure({ auth, exchanges }: SignInRecord, error: unknown): Iterable<Observation> {
  if (!(error instanceof PackAuthError)) return;
  const field = error.configPath?.split(".")[1];
  if (field === "useProofKeyForCodeExchange") yield ["pkce", [auth.useProofKeyForCodeExchange === true ? "refused" : "required"]];
  if (field === "scopeDelimiter") yield ["scopes-differ", []];
  const last = exchanges.at(-1);
  if (last?.redirect !== undefined) yield ["url-moved", [last.redirect]];
  else if (last?.isPage) yield ["url-moved", []];
  if (last?.tokenIn !== undefined && last.tokenIn !== auth.nestedResponseKey) yield ["nested-token", [last.tokenIn]];
}
