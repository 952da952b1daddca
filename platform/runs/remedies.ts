// Remedies for a failed run: derived from its requests, and carried out when a person clicks them.
import type { RequestTrace } from "../../protocol/run.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { covers } from "../network/url-policy.ts";

/**
 * Returns the host of the last blocked request if no declared domain covers it and no refusal of a credential follows it. The account's own
 * endpoint is excluded, because each account has another.
 */
export function undeclaredHost(
  requests: readonly RequestTrace[],
  domains: readonly string[],
  account: Pick<RunAccount, "endpoint"> | undefined,
): string | undefined {
  const telling = requests.findLast(
    ({ failure, status, credentials }) => failure === "blocked" || ((status === 401 || status === 403) && credentials.length > 0),
  );
  const url = telling?.failure === "blocked" ? telling.url : "";
  // A host with a port, an IP address or a masked host is not a domain.
  const host = /^https:\/\/((?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*)(?=[/?#]|$)/i.exec(url)?.[1]?.toLowerCase();
  const endpoint = account?.endpoint;
  if (host === undefined || domains.some((domain) => covers(domain, host))) return undefined;
  return endpoint !== undefined && URL.canParse(endpoint) && new URL(endpoint).hostname === host ? undefined : host;
}
