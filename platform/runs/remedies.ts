// Remedies for a failed run: derived from its requests, and carried out when a person clicks them.
import { defined } from "../../base/defined.ts";
import { isLoopback } from "../../base/is-loopback.ts";
import type { ErrorReport, Remedy, RequestTrace } from "../../protocol/run.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { covers } from "../network/url-policy.ts";

/**
 * Offers to declare the host of the last blocked request if no declared domain covers it. The account's own endpoint is excluded, because
 * each account has another.
 */
export function domainRemedies(
  requests: readonly RequestTrace[],
  domains: readonly string[],
  account: Pick<RunAccount, "endpoint"> | undefined,
): readonly (Remedy & { readonly kind: "addNetworkDomain" })[] {
  const url = requests.findLast(({ failure }) => failure === "blocked")?.url ?? "";
  // A host with a port, an IP address or a masked host is not a domain.
  const host = /^https:\/\/((?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*)(?=[/?#]|$)/i.exec(url)?.[1]?.toLowerCase();
  const endpoint = account?.endpoint;
  if (host === undefined || domains.some((domain) => covers(domain, host))) return [];
  if (endpoint !== undefined && URL.canParse(endpoint) && new URL(endpoint).hostname === host) return [];
  return [{ kind: "addNetworkDomain", host, label: "Add network domain" }];
}

/** Offers to allow servers on this machine if that setting would have permitted the last blocked request. */
export function loopbackRemedies(
  requests: readonly RequestTrace[],
  domains: readonly string[],
  allowLoopback: boolean | undefined,
): readonly (Remedy & { readonly kind: "allowLoopback" })[] {
  const url = requests.findLast(({ failure }) => failure === "blocked")?.url ?? "";
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  const isRefused = allowLoopback !== true && isLoopback(host) && domains.some((domain) => covers(domain, host));
  return isRefused ? [{ kind: "allowLoopback", label: "Allow this machine" }] : [];
}

/** Returns the error with the remedies and a hint that describes them. */
export function withDomainRemedies(
  error: ErrorReport,
  remedies: ReturnType<typeof domainRemedies>,
  requests: readonly RequestTrace[],
): ErrorReport {
  return remedies.length === 0 ? error : { ...error, ...defined({ hint: error.hint ?? domainHint(remedies, requests) }), remedies };
}

/** Returns the hint for the remedies, or undefined if there are none. */
export function domainHint([first]: ReturnType<typeof domainRemedies>, requests: readonly RequestTrace[]): string | undefined {
  if (first === undefined) return undefined;
  const { host } = first;
  // The URL of a redirect is not in the author's source.
  return requests.findLast(({ failure }) => failure === "blocked")?.redirectedFrom === undefined
    ? `Declare the domain of ${host} with pack.addNetworkDomain, or correct the URL.`
    : `If ${host} is where people sign in, the API did not accept the credential: sign in again. If the API answers from there, declare its domain with pack.addNetworkDomain.`;
}
