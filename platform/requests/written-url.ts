// A URL with a pack's placeholders, judged as if other values than the account's stood in it. Invariant: neither that it is refused, nor
// why, nor whether credentials go along tells pack code a part of a value.
import { refusal } from "../network/refusal.ts";
import { checkUrl, type UrlPolicy, type Verdict } from "../network/url-policy.ts";
import { replacePlaceholders } from "./placeholders.ts";

export interface WrittenUrl {
  readonly url: string;
  readonly method: string;
  /** Of the values that stand in it. */
  readonly names: readonly string[];
  readonly policy: UrlPolicy;
  readonly invocationToken: string;
}

/** Why it is refused. */
export function reasonWithoutValues(writtenUrl: WrittenUrl): string {
  const { verdict, standIns } = judgedWithoutValues(writtenUrl);
  if (verdict.allowed) return "with the account's values in it, the URL may not be fetched";
  let { reason } = verdict;
  for (const [name, standIn] of standIns) reason = reason.replaceAll(standIn, () => `{{${name}-${writtenUrl.invocationToken}}}`);
  return reason;
}

/**
 * Whether the host may have credentials whatever values stand in it: a pack could declare its guesses as domains, and learn by what is
 * sent which of them is right. Throws request-refused. The endpoint is the person's own choice.
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
