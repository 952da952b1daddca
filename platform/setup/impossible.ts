// What the platform cannot do, and the way out.

/** A way to authenticate that no configuration of the platform expresses. */
export type Impossibility =
  | "oauth1"
  | "implicit-grant"
  | "password-grant"
  | "jwt-assertion"
  | "device-grant"
  | "mutual-tls"
  | "session-login"
  | "dpop"
  | "digest"
  | "negotiate"
  | "signed-request"
  | "pushed-authorization-request"
  | "header-and-query"
  | "oauth-and-key";

interface ImpossibleWay {
  /** What the API demands, as a noun phrase: `OAuth 1.0a`. */
  readonly title: string;
  /** Why the platform cannot do it. */
  readonly because: string;
  /** What the author can do instead. */
  readonly wayOut: string;
  /** What was read: a section of the specification, or of the Packs SDK. */
  readonly source: string;
}

/** A proxy that the author runs: the platform signs in at it by an ordinary type. */
const OWN_SERVICE = "Or run a service of your own between pack and API: it signs in, and the pack sends it a key by CustomHeaderToken.";

export const IMPOSSIBLE: Readonly<Record<Impossibility, ImpossibleWay>> = {
  oauth1: {
    title: "OAuth 1.0a",
    because:
      "Each request needs a signature over its method, URL and parameters (RFC 5849, section 3.4). The platform has no type that computes it.",
    wayOut: `Look in the API's documentation for OAuth 2.0, a personal token or an API key. If it takes a key and a token as parameters, as Trello does, use MultiQueryParamToken. ${OWN_SERVICE}`,
    source: "auth-spec 5.5.2; packs-sdk docs/guides/basics/authentication/oauth2.md",
  },
  "implicit-grant": {
    title: "the OAuth 2.0 implicit grant",
    because: "The platform gets its tokens from the token endpoint, and this grant has none (RFC 6749, section 4.2).",
    wayOut:
      "Register the application for the authorization code grant at the provider, and use OAuth2 with its authorizationUrl and tokenUrl. RFC 9700, section 2.1.2, recommends that grant.",
    source: "auth-spec 5.5.1, 5.5.2",
  },
  "password-grant": {
    title: "the OAuth 2.0 password grant",
    because: "The platform's token request is that of the authorization code or of client credentials. It never sends a user's password.",
    wayOut: `Ask the provider for the authorization code grant, or for a personal token, which HeaderBearerToken sends. RFC 9700, section 2.4, forbids the password grant. ${OWN_SERVICE}`,
    source: "auth-spec 5.5.2; sdk-facts 1",
  },
  "jwt-assertion": {
    title: "a JWT that the client signs",
    because:
      "The platform signs no JWT, neither as a grant nor as the client's authentication (RFC 7523). GoogleServiceAccount does, but is for the platform's own packs only.",
    wayOut: `Look for the authorization code grant, a client secret or an API key at the provider. For Google's APIs, use OAuth2 with each user's consent. ${OWN_SERVICE}`,
    source: "auth-spec 5.5.2, 5.5.5; sdk-facts 1",
  },
  "device-grant": {
    title: "the OAuth 2.0 device grant",
    because: "The platform does not poll for a token that a user approves on another device (RFC 8628).",
    wayOut:
      "Register the application for the authorization code grant, and use OAuth2. The platform has a browser, so it needs no device code.",
    source: "auth-spec 5.5.2",
  },
  "pushed-authorization-request": {
    title: "authorization requests that the client pushes",
    because:
      "The provider refuses parameters in the authorization URL, where the platform puts them. It wants them by a request of the client (RFC 9126).",
    wayOut: `Ask the provider to accept plain authorization requests of this application. RFC 9126, section 5, lets it decide for each client. ${OWN_SERVICE}`,
    source: "auth-spec 2.3, 4; sdk-facts 1",
  },
  "mutual-tls": {
    title: "a TLS client certificate",
    because: "The platform's fetcher connects without a certificate, and no type has a field for one (RFC 8705).",
    wayOut: `Ask the provider for a client secret, a token or an API key in place of the certificate. ${OWN_SERVICE}`,
    source: "auth-spec 2.2, 2.5; sdk-facts 1",
  },
  "session-login": {
    title: "a login that answers with a session",
    because:
      "The platform adds credentials that a user enters, or gets them by OAuth 2.0. It exchanges no password for a session, and stores no cookie.",
    wayOut: `Look for a personal token, an API key or Basic authentication in the API's documentation. ${OWN_SERVICE}`,
    source: "auth-spec 1, 5.2; packs-sdk docs/guides/basics/authentication/index.md, Token exchange",
  },
  dpop: {
    title: "tokens that are bound to a key (DPoP)",
    because: "Each request needs a proof that the client signs (RFC 9449, section 4). The platform signs no proof.",
    wayOut: `Have the application registered for Bearer tokens at the provider, and use OAuth2. ${OWN_SERVICE}`,
    source: "auth-spec 5.5; sdk-facts 1",
  },
  digest: {
    title: "HTTP Digest",
    because:
      "The answer to each challenge is computed from the password (RFC 7616, section 3.4). The platform only sends values as they were entered.",
    wayOut: `Look for Basic authentication, which WebBasic sends, or for an API key at the provider. ${OWN_SERVICE}`,
    source: "auth-spec 5.1.4, 5.3",
  },
  negotiate: {
    title: "Negotiate or NTLM",
    because:
      "The handshake needs a Windows or Kerberos account, and several requests on one connection (RFC 4559). The platform has neither.",
    wayOut: `Ask the server's administrator for an API key, Basic authentication over https, or OAuth 2.0 by Entra ID or AD FS. ${OWN_SERVICE}`,
    source: "auth-spec 1, 2.2",
  },
  "signed-request": {
    title: "a signature over each request",
    because:
      "Packs never see the credential, so they cannot compute an HMAC or another signature. The platform computes none but Signature Version 4 of AWS.",
    wayOut: `For an AWS service, use AWSAccessKey or AWSAssumeRole. Else look for a token or OAuth 2.0 at the provider. ${OWN_SERVICE}`,
    source: "auth-spec 1, 5.4; sdk-facts 1",
  },
  "oauth-and-key": {
    title: "a token of OAuth 2.0 and a key in one request",
    because: "OAuth2 sends its token and nothing else. A pack has one configuration for each account.",
    wayOut: `Ask the provider whether the key is needed beside the token: many APIs want it without a token only. ${OWN_SERVICE}`,
    source: "auth-spec 2.3, 5.5; sdk-facts 1",
  },
  "header-and-query": {
    title: "a key in a header and another in the query, without an approval",
    because: "MultiHeaderToken only fills headers, and MultiQueryParamToken only the query. A pack has one configuration for each account.",
    wayOut:
      "Use Custom with a value for each key, and write its placeholder in the header and in the URL. The platform approves each pack with Custom before its upload. Without that approval, ask the provider whether both keys may be headers.",
    source: "auth-spec 5.2, 5.4; sdk-facts 1; sdk-facts-2 10",
  },
};

/** Returns why the platform cannot do what the evidence demands, what says so, and the way out. */
export function explainImpossible({ reason, origin }: { readonly reason: Impossibility; readonly origin: string }): string {
  const { title, because, wayOut } = IMPOSSIBLE[reason];
  return `The API demands ${title}, which the platform cannot do (${origin}). ${because} ${wayOut}`;
}
