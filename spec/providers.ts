// Facts about OAuth 2.0 providers: the catalogue's URLs by host, and the parameters that some providers require before they issue a refresh
// token. These are hints: a missing provider or field means that nothing is known.
import { PROVIDERS } from "./provider-catalogue.ts";
import type { ProviderFacts } from "./provider-facts.ts";

export { PROVIDERS, type ProviderFacts };

/** The placeholder in a catalogue URL for a subdomain or host that differs between accounts. */
export const SUBDOMAIN_SLOT = "[subdomain]";

/** Returns the providers whose domains contain the host (in lower case, without a port); several if they share a domain. */
export function providersOfHost(host: string): readonly ProviderFacts[] {
  const domainsAbove = host.split(".").map((_, start, labels) => labels.slice(start).join("."));
  return PROVIDERS.filter(({ domains }) => domains.some((domain) => domainsAbove.includes(domain)));
}

/** Providers of one company, or with a shared sign-in: an authorization URL of one with a token URL of another is not a mistake. */
export const SAME_HOUSE: readonly (readonly string[])[] = [
  ["microsoft", "live", "visualstudio", "yammer", "linkedin"],
  ["google", "nest", "fitbit"],
  ["facebook", "instagram"],
  ["mapmyfitness", "underarmour"],
  ["atlassian", "bitbucket"],
  ["amazon", "twitch", "cognito"],
  ["adobe", "echosign"],
  ["dropbox", "hellosign"],
  ["zendesk", "getbase"],
  ["paypal", "venmo"],
  ["salesforce", "slack", "heroku"],
  ["qq", "wechat"],
];

/** A parameter of the authorization request. */
interface AuthorizationParam {
  readonly name: string;
  /** One of the words that the value must contain. */
  readonly value: string;
  /** An older parameter with the same effect. */
  readonly orParam?: string;
  /** The consequence if the parameter is missing. */
  readonly without: string;
}

/**
 * The parameters or scopes that a provider requires before it issues a refresh token. Without a refresh token, every user must sign in
 * again when the access token expires.
 */
export interface RefreshTokenAsk {
  readonly title: string;
  /** Hosts of the authorization URL; `*.` matches any subdomain. */
  readonly hosts: readonly string[];
  /** Limits the entry to authorization URLs that contain this string. */
  readonly path?: string;
  readonly params?: readonly AuthorizationParam[];
  /** One of these scopes is required; fixes add the first. */
  readonly scopes?: readonly string[];
  /** True if a request without scopes grants all scopes, including the required one. */
  readonly allByDefault?: boolean;
  /** The provider's own documentation. */
  readonly source: string;
}

const NO_REFRESH = "it gives no refresh token";

const OFFLINE: AuthorizationParam = { name: "access_type", value: "offline", without: NO_REFRESH };

/** The requirements that the providers document. Providers that always issue a refresh token, or whose tokens do not expire, are absent. */
export const REFRESH_TOKEN_ASKS: readonly RefreshTokenAsk[] = [
  {
    title: "Google",
    hosts: ["accounts.google.com"],
    params: [
      OFFLINE,
      { name: "prompt", value: "consent", orParam: "approval_prompt", without: "a user who signs in again gets no new refresh token" },
    ],
    source: "https://developers.google.com/identity/protocols/oauth2/web-server",
  },
  {
    title: "Zoho",
    // One host for each data center: https://www.zoho.com/accounts/protocol/oauth/multi-dc.html, and
    // https://www.zoho.com/crm/developer/docs/api/multi-dc.html for China.
    hosts: [
      "accounts.zoho.com",
      "accounts.zoho.eu",
      "accounts.zoho.in",
      "accounts.zoho.com.au",
      "accounts.zoho.jp",
      "accounts.zoho.com.cn",
      "accounts.zohocloud.ca",
      "accounts.zoho.sa",
      "accounts.zoho.uk",
    ],
    params: [OFFLINE],
    source: "https://www.zoho.com/accounts/protocol/oauth/web-apps/authorization.html",
  },
  {
    title: "Dropbox",
    hosts: ["www.dropbox.com", "dropbox.com"],
    params: [{ name: "token_access_type", value: "offline", without: NO_REFRESH }],
    source: "https://www.dropbox.com/developers/documentation/http/documentation#oauth2-authorize",
  },
  {
    title: "Reddit",
    hosts: ["www.reddit.com", "ssl.reddit.com", "old.reddit.com"],
    params: [{ name: "duration", value: "permanent", without: NO_REFRESH }],
    source: "https://github.com/reddit-archive/reddit/wiki/OAuth2",
  },
  {
    title: "Microsoft",
    // National clouds: https://learn.microsoft.com/entra/identity-platform/authentication-national-cloud. Azure AD B2C needs the scope too:
    // https://learn.microsoft.com/azure/active-directory-b2c/authorization-code-flow.
    hosts: ["login.microsoftonline.com", "login.microsoftonline.us", "login.partner.microsoftonline.cn", "*.b2clogin.com"],
    // The older endpoint always issues a refresh token.
    path: "/v2.0/",
    scopes: ["offline_access"],
    source: "https://learn.microsoft.com/entra/identity-platform/scopes-oidc",
  },
  {
    title: "Microsoft",
    hosts: ["login.live.com"],
    scopes: ["offline_access", "wl.offline_access"],
    source: "https://learn.microsoft.com/onedrive/developer/rest-api/getting-started/msa-oauth",
  },
  {
    title: "Atlassian",
    hosts: ["auth.atlassian.com"],
    scopes: ["offline_access"],
    source: "https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/",
  },
  { title: "Auth0", hosts: ["*.auth0.com"], scopes: ["offline_access"], source: "https://auth0.com/docs/secure/tokens/refresh-tokens" },
  {
    title: "Okta",
    // Org URLs: https://developer.okta.com/docs/concepts/okta-organizations/. The government's are in okta-commons-java's
    // ConfigurationValidator.
    hosts: ["*.okta.com", "*.oktapreview.com", "*.okta-emea.com", "*.okta-gov.com", "*.okta.mil"],
    scopes: ["offline_access"],
    source: "https://developer.okta.com/docs/guides/refresh-tokens/main/",
  },
  {
    title: "Xero",
    hosts: ["login.xero.com"],
    scopes: ["offline_access"],
    source: "https://developer.xero.com/documentation/guides/oauth2/auth-flow/",
  },
  {
    title: "X (Twitter)",
    hosts: ["twitter.com", "x.com"],
    path: "/oauth2/",
    scopes: ["offline.access"],
    source: "https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code",
  },
  {
    title: "Salesforce",
    hosts: ["login.salesforce.com", "test.salesforce.com", "*.my.salesforce.com"],
    scopes: ["refresh_token", "offline_access"],
    allByDefault: true,
    source: "https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_tokens_scopes.htm",
  },
  {
    title: "Snowflake",
    hosts: ["*.snowflakecomputing.com"],
    scopes: ["refresh_token"],
    source: "https://docs.snowflake.com/user-guide/oauth-custom",
  },
];

/** Returns the requirements of the provider at this authorization URL (host in lower case), or undefined if none are known. */
export function refreshTokenAsk(host: string, url: string): RefreshTokenAsk | undefined {
  return REFRESH_TOKEN_ASKS.find(
    (ask) =>
      ask.hosts.some((hostPattern) => (hostPattern.startsWith("*.") ? host.endsWith(hostPattern.slice(1)) : host === hostPattern)) &&
      (ask.path === undefined || url.includes(ask.path)),
  );
}

/** A provider's alternative spellings of scopes: it may grant a scope under another name than the requested one. */
interface ScopeSpelling {
  readonly title: string;
  /** Short name → the granted name. */
  readonly names?: Readonly<Record<string, string>>;
  /** An optional prefix of a scope's name. */
  readonly prefix?: string;
  /** The provider's own documentation. */
  readonly source: string;
}

/** The spellings that the providers document. The names are specific to their providers, so no host needs to be compared. */
export const SCOPE_SPELLINGS: readonly ScopeSpelling[] = [
  {
    title: "Google",
    names: {
      email: "https://www.googleapis.com/auth/userinfo.email",
      profile: "https://www.googleapis.com/auth/userinfo.profile",
    },
    source: "https://github.com/googleapis/google-api-python-client/pull/1088",
  },
  {
    title: "Microsoft",
    prefix: "https://graph.microsoft.com/",
    source: "https://learn.microsoft.com/entra/identity-platform/scopes-oidc",
  },
];

/** Returns whether the scope was granted, in any of its spellings. No provider has two scopes that differ only in case. */
export function isScopeGranted(scope: string, grantedScopes: readonly string[]): boolean {
  const requestedScope = canonicalScope(scope);
  return grantedScopes.some((name) => canonicalScope(name) === requestedScope);
}

function canonicalScope(scope: string): string {
  const lower = scope.toLowerCase();
  for (const { names = {}, prefix } of SCOPE_SPELLINGS) {
    if (prefix !== undefined && lower.startsWith(prefix)) return lower.slice(prefix.length);
    if (Object.hasOwn(names, lower)) return names[lower] ?? lower;
  }
  return lower;
}
