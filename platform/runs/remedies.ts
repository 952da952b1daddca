// What can be done at once about a run that failed: told by its requests, and carried out by a person's click.
import { defined } from "../../base/defined.ts";
import { isLoopback } from "../../base/is-loopback.ts";
import type { ErrorReport, Remedy, RequestTrace } from "../../protocol/run.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { covers } from "../network/url-policy.ts";

/** For the host of the last request that was blocked, where no declared domain covers it; the account's own endpoint is one of many. */
export function domainRemedies(
  requests: readonly RequestTrace[],
  domains: readonly string[],
  account: Pick<RunAccount, "endpoint"> | undefined,
): readonly (Remedy & { readonly kind: "addNetworkDomain" })[] {
  const url = requests.findLast(({ failure }) => failure === "blocked")?.url ?? "";
  // A port, an address or what was masked is no domain.
  const host = /^https:\/\/((?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*)(?=[/?#]|$)/i.exec(url)?.[1]?.toLowerCase();
  const endpoint = account?.endpoint;
  if (host === undefined || domains.some((domain) => covers(domain, host))) return [];
  if (endpoint !== undefined && URL.canParse(endpoint) && new URL(endpoint).hostname === host) return [];
  return [{ kind: "addNetworkDomain", host, label: "Add network domain" }];
}

/** For the last request that was blocked, where the setting for servers on this machine would have let it through. */
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

/** The error with them, and with the same in words. */
export function withDomainRemedies(
  error: ErrorReport,
  remedies: ReturnType<typeof domainRemedies>,
  requests: readonly RequestTrace[],
): ErrorReport {
  return remedies.length === 0 ? error : { ...error, ...defined({ hint: error.hint ?? domainHint(remedies, requests) }), remedies };
}

/** The same in words; undefined where there are none. */
export function domainHint([first]: ReturnType<typeof domainRemedies>, requests: readonly RequestTrace[]): string | undefined {
  if (first === undefined) return undefined;
  const { host } = first;
  // Nobody wrote that URL.
  return requests.findLast(({ failure }) => failure === "blocked")?.redirectedFrom === undefined
    ? `Declare the domain of ${host} with pack.addNetworkDomain, or correct the URL.`
    : `If ${host} is where people sign in, the API did not accept the credential: sign in again. If the API answers from there, declare its domain with pack.addNetworkDomain.`;
}
