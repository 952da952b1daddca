// Checks a URL with placeholders as if it had other values than the account's. Invariant: neither a refusal, nor its reason, nor the
// credentials sent reveal a part of a value to pack code.
import { refusal } from "../network/refusal.ts";
import { checkUrl, type UrlPolicy, type Verdict } from "../network/url-policy.ts";
import { replacePlaceholders } from "./placeholders.ts";

export interface WrittenUrl {
  readonly url: string;
  readonly method: string;
  /** The names of the values in the URL. */
  readonly names: readonly string[];
  readonly policy: UrlPolicy;
  readonly invocationToken: string;
}

/** Returns why the URL is refused, without the values in it. */
export function reasonWithoutValues(writtenUrl: WrittenUrl): string {
  const { verdict, standIns } = judgedWithoutValues(writtenUrl);
  if (verdict.allowed) return "with the account's values in it, the URL may not be fetched";
  let { reason } = verdict;
  for (const [name, standIn] of standIns) reason = reason.replaceAll(standIn, () => `{{${name}-${writtenUrl.invocationToken}}}`);
  return reason;
}

/**
 * Returns whether the host may receive credentials, whatever values are in it. Otherwise a pack could declare guesses as domains, and learn
 * from the requests which one is right.
 * The endpoint is always allowed, because the person chose it. Throws request-refused.
 */
export function getsCredentialsAsWritten(writtenUrl: WrittenUrl, host: string): boolean {
  const { endpoint = "" } = writtenUrl.policy;
  if (writtenUrl.names.length === 0 || (URL.canParse(endpoint) && new URL(endpoint).host === host)) return true;
  const { verdict } = judgedWithoutValues(writtenUrl);
  if (!verdict.allowed) throw refusal(reasonWithoutValues(writtenUrl));
  return verdict.credentials;
}

function judgedWithoutValues({ url, method, names, policy, invocationToken }: WrittenUrl): {
  readonly verdict: Verdict;
  readonly standIns: Map<string, string>;
} {
  const standIns = new Map([...new Set(names)].map((name, index) => [name, `pack-auth-value-${index}-x`]));
  const { text } = replacePlaceholders(url, "url", { invocationToken, values: Object.fromEntries(standIns) });
  return { verdict: checkUrl(text, method, policy), standIns };
}
