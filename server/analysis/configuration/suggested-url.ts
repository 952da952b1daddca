// A starter URL for an OAuth configuration that lacks one: the provider's own, if the rest of the pack identifies the provider.
import { type OAuth2Provider, oauth2ProvidersOfHost, SUBDOMAIN_SLOT } from "../../../spec/providers.ts";
import { hostOf, staticText, UNKNOWN_PART } from "../domains/url-value.ts";
import type { Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import { insertProperty, quoteIn, replace } from "../text/edit.ts";
import { fieldValue, isAbsent, isTrue, propertyOf, propose, type ResolvedAuth } from "./config.ts";

type UrlField = "authorizationUrl" | "tokenUrl";

/** Returns the fix that adds the field with its starter URL, or gives it this value. */
export function withUrl(pack: PackModel, auth: ResolvedAuth, field: UrlField): readonly Fix[] {
  const property = propertyOf(auth.config, field);
  const url = quoteIn(pack, auth.config, suggestedUrl(pack, auth, field));
  return property === undefined
    ? [propose(`Add ${field}`, insertProperty(pack, auth.config, `${field}: ${url}`))]
    : [propose(`Give ${field} a value`, replace(property.value.place, url))];
}

/** The most common paths. */
const USUAL: Readonly<Record<UrlField, string>> = { authorizationUrl: "/oauth/authorize", tokenUrl: "/oauth/token" };

/**
 * Returns the URL of the provider's page, or one derived from the other URL, or one under the pack's domain. The author has to check it against the
 * provider's documentation.
 */
export function suggestedUrl(pack: PackModel, auth: ResolvedAuth, field: UrlField): string {
  if (isTrue(pack, auth, "requiresEndpointUrl") && isAbsent(pack, auth, "endpointKey")) return USUAL[field];
  const other = staticText(fieldValue(pack, auth, field === "tokenUrl" ? "authorizationUrl" : "tokenUrl")) ?? "";
  const candidateHost = hostOf(other);
  const otherHost = candidateHost?.includes(UNKNOWN_PART) ? undefined : candidateHost;
  const domains = pack.domains.declared.map(({ value }) => value);
  const [provider] = [otherHost, ...domains].flatMap((host) => (host === undefined ? [] : usable(oauth2ProvidersOfHost(host), field)));
  if (provider !== undefined) return provider.oauth2[field];
  if (otherHost !== undefined && !other.includes(UNKNOWN_PART)) {
    const alike = field === "tokenUrl" ? other.replace(/\/auth(?:orize|orization)?$/, "/token") : other.replace(/\/token$/, "/authorize");
    if (alike !== other) return alike;
  }
  const host = otherHost ?? domains.find((domain) => /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(domain));
  return host === undefined ? "https://" : `https://${host}${USUAL[field]}`;
}

const usable = (providers: readonly OAuth2Provider[], field: UrlField): readonly OAuth2Provider[] =>
  providers.filter((provider) => !provider.oauth2[field].includes(SUBDOMAIN_SLOT));
