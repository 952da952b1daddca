// A flow of OAuth 2.0 → the configuration.
import type { ProposedField } from "../../../protocol/setup.ts";
import { certaintyOf } from "../curl/names.ts";
import { askOAuthUrl, chooseClientScope, field } from "../proposal-parts.ts";
import type { ReaderContext } from "../reader.ts";
import type { Flow, Operation } from "./api-description.ts";
import type { Configuration, Surroundings } from "./configuration.ts";
import { lineOf, urlOf } from "./raw.ts";
import type { Carrier } from "./ways.ts";

type OAuthCarrier = Extract<Carrier, { readonly kind: "oauth2" }>;

export function oauthConfiguration(
  { flow, scheme, origin }: OAuthCarrier,
  surroundings: Surroundings,
  context: ReaderContext,
): Configuration {
  const isCode = flow.grant === "authorizationCode";
  const remarks: string[] = flow.isNamedImplicit
    ? [
        "The description names the implicit grant, which the platform has not. Its token URL is one of the authorization code grant: check that the provider accepts that.",
      ]
    : [];
  const url = (name: "authorizationUrl" | "tokenUrl"): ProposedField => {
    const value = absoluteUrl(flow[name], surroundings) ?? askOAuthUrl(name, context);
    if (value.startsWith("http:"))
      remarks.push(`The ${name} of the description begins with http:. The platform accepts only https: check that the address exists.`);
    return { name, value: value.replace(/^http:/, "https:"), origin: `${flow.origin}.${name}` };
  };
  const urls = isCode ? [url("authorizationUrl"), url("tokenUrl")] : [url("tokenUrl")];
  const scopes = scopesOf(flow, scheme, surroundings, context);
  if (flow.tokenName !== undefined && flow.tokenName !== "access_token")
    remarks.push(
      `The description says that the token is ${lineOf(flow.tokenName, 80)} in the token response. The platform reads access_token.`,
    );
  return {
    scope: isCode ? "user" : chooseClientScope(context),
    type: isCode ? "OAuth2" : "OAuth2ClientCredentials",
    typeOrigin: origin,
    fields: [...urls, ...scopes],
    remarks,
  };
}

/** Returns whether a URL of the flow is on the account's own endpoint. */
export const isOnEndpoint = ({ authorizationUrl, tokenUrl }: Flow): boolean =>
  [authorizationUrl, tokenUrl].every((url) => url === undefined || /^\/(?!\/)/.test(url));

/** Returns the URL as the configuration has it, or undefined if the description has none that can be used. */
function absoluteUrl(url: string | undefined, { server }: Surroundings): string | undefined {
  if (url === undefined || /[{}\s]/.test(url)) return undefined;
  // The platform appends root-relative URLs to the account's endpoint.
  if (server.url === undefined && /^\/(?!\/)/.test(url)) return url;
  const absolute = urlOf(url, server.url === undefined ? undefined : `${server.url}/`);
  if (absolute === undefined || !/^https?:$/.test(absolute.protocol)) return undefined;
  absolute.username = "";
  absolute.password = "";
  absolute.hash = "";
  // A provider's address has parameters, but nobody's secret.
  for (const [parameter, value] of [...absolute.searchParams])
    if (certaintyOf(parameter, value) === "credential") absolute.searchParams.delete(parameter);
  return absolute.href;
}

/** The scopes of the operations that the proposal calls; else those that the author chooses. */
function scopesOf(flow: Flow, scheme: string, { operations, callees }: Surroundings, context: ReaderContext): readonly ProposedField[] {
  const needs = scopesIn(callees, scheme);
  if (needs.length > 0) return field("scopes", needs, callees.map((callee) => `${callee.origin}.security`).join(" and "));
  const all = [...flow.scopes.keys()];
  if (all.length === 0) return [];
  const reading = scopesIn(
    operations.filter(({ method }) => method === "GET"),
    scheme,
  );
  const answer = context.choose({
    id: "scopes",
    text: "Which scopes does the pack ask for?",
    options: [
      { value: "all", label: all.length === 1 ? "The only scope" : `All ${all.length} scopes`, detail: lineOf(all.join(", ")) },
      ...(reading.length > 0 && reading.length < all.length
        ? [{ value: "reading", label: "Those of operations that read", detail: lineOf(reading.join(", ")) }]
        : []),
      { value: "none", label: "None", detail: "The provider grants its default, or you add scopes later." },
    ],
  });
  return field("scopes", answer === "all" ? all : answer === "reading" ? reading : undefined, `${flow.origin}.scopes`);
}

/** Returns the scopes that the operations demand of the scheme, each once. */
const scopesIn = (operations: readonly Operation[], scheme: string): readonly string[] => [
  ...new Set(operations.flatMap(({ security }) => security.find((requirement) => requirement.has(scheme))?.get(scheme) ?? [])),
];
