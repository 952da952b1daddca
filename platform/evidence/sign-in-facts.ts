// Derives facts about the configuration from the masked record of a sign-in at a real provider.
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import { type Fact, namesIn } from "../../protocol/evidence.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { type CodeAbout, EVIDENCE } from "../../spec/evidence-codes.ts";
import { isScopeGranted } from "../../spec/providers.ts";
import type { SignedIn } from "../accounts/signed-in.ts";
import { PackAuthError } from "../errors.ts";
import { covers } from "../network/url-policy.ts";
import { LOCATIONS } from "../oauth/client-authentication.ts";
import { missingRefreshToken } from "../oauth/missing-refresh-token.ts";
import type { TokenExchange } from "../oauth/token-request.ts";
import { configurationFingerprint, type EvidenceUpdate } from "./evidence.ts";

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
  const shown = resultOf(record);
  const facts = Object.entries(OBSERVE).flatMap(([name, observe]): readonly Fact[] => {
    const code = name as keyof typeof OBSERVE;
    const names = observe(shown);
    return names === undefined
      ? []
      : [
          {
            code,
            entry,
            scope,
            names: namesIn(names),
            fingerprint: configurationFingerprint(code, auth),
            seenAt: now,
            ...("account" in outcome ? { account: outcome.account } : {}),
          },
        ];
  });
  return {
    entry,
    facts,
    judges({ code, scope: judged }) {
      if (judged !== scope || EVIDENCE[code] !== "sign-in") return false;
      // A failed sign-in says nothing of the steps that it did not reach.
      return code === "authorization-moved" ? authorization !== undefined : "signedIn" in outcome;
    },
  };
}

/** A sign-in with its result: the tokens, or an error that may blame a field. */
interface Result extends SignInRecord {
  readonly signedIn: (SignedIn & { readonly credential: Extract<SignedIn["credential"], { kind: "oauth2" }> }) | undefined;
  readonly failure: { readonly field: string | undefined; readonly last: TokenExchange | undefined } | undefined;
}

function resultOf(record: SignInRecord): Result {
  const { outcome, exchanges } = record;
  if ("signedIn" in outcome) {
    const { credential } = outcome.signedIn;
    return { ...record, signedIn: credential.kind === "oauth2" ? { ...outcome.signedIn, credential } : undefined, failure: undefined };
  }
  const { error } = outcome;
  const failure = error instanceof PackAuthError ? { field: error.configPath?.split(".")[1], last: exchanges.at(-1) } : undefined;
  return { ...record, signedIn: undefined, failure };
}

/** Each returns the names of its fact, or undefined if the sign-in did not show it. */
const OBSERVE: { readonly [Code in CodeAbout<"sign-in">]: (result: Result) => readonly string[] | undefined } = {
  "no-refresh-token": ({ signedIn, auth, now }) =>
    signedIn !== undefined && missingRefreshToken(signedIn.credential, auth, now) !== undefined ? [] : undefined,
  "client-authentication": ({ signedIn, auth: { credentialsLocation = "Automatic" } }) => {
    const method = signedIn?.clientMethod;
    const location = method === undefined || method === "form" ? undefined : LOCATIONS[method];
    return location !== undefined && credentialsLocation === "Automatic" ? [location] : undefined;
  },
  "nested-token": ({ failure, auth }) => {
    const tokenIn = failure?.last?.tokenIn;
    return tokenIn !== undefined && tokenIn !== auth.nestedResponseKey ? [tokenIn] : undefined;
  },
  "endpoint-in-token": ({ signedIn, auth, definition, exchanges }) => {
    const endpoint = exchanges.at(-1)?.addresses.find(({ host }) => definition.networkDomains.some((domain) => covers(domain, host)));
    const hasEndpoint = auth.endpointKey !== undefined || auth.requiresEndpointUrl === true || auth.postSetup.length > 0;
    return signedIn === undefined || endpoint === undefined || hasEndpoint ? undefined : [endpoint.name];
  },
  "scopes-differ": ({ signedIn, failure, auth }) => {
    if (failure?.field === "scopeDelimiter") return [];
    const { scopesRequested = [], scopesGranted } = signedIn ?? {};
    // Scopes that a formula needs in addition are not part of this fact.
    const missing = scopesRequested.filter(
      (scope) => scopesGranted !== undefined && !isScopeGranted(scope, scopesGranted) && auth.scopes?.includes(scope),
    );
    if (missing.length === 0) return undefined;
    const isDelimiterWrong = (auth.scopeDelimiter ?? " ") !== " " && missing.length > 1 && missing.length === scopesRequested.length;
    return isDelimiterWrong ? [] : missing;
  },
  pkce: ({ signedIn, failure, auth: { useProofKeyForCodeExchange: isOn = false } }) => {
    if (failure?.field === "useProofKeyForCodeExchange") return [isOn ? "refused" : "required"];
    return signedIn?.forcePkce && !isOn ? ["required"] : undefined;
  },
  "url-moved": ({ failure }) => {
    const { redirect, isPage } = failure?.last ?? {};
    return redirect !== undefined ? [redirect] : isPage ? [] : undefined;
  },
  "authorization-moved": ({ authorization }) => (authorization?.movedTo === undefined ? undefined : [authorization.movedTo]),
};
