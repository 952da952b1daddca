// Detects an expired access token if the API does not answer with 401: neither the platform nor a run here renews the token then. A run
// here also renews a token before it expires, which the platform does not do.
import { defined } from "../../base/defined.ts";
import type { PlatformDifference, RequestTrace } from "../../protocol/run.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { errorWords } from "../requests/no-data.ts";

const AFTER_401 = "The platform renews a token only after a formula fails with a 401 StatusCodeError.";
const REFRESH = "Use Refresh now in the Accounts view, or pack-auth accounts refresh.";
const THROW_401 = "Throw a StatusCodeError with status 401 after such an answer.";

/** Yields the differences in token renewal between this run and the platform, as far as the run's requests show them. */
export function* expiryNotes(requests: readonly RequestTrace[], account: RunAccount | undefined): Iterable<PlatformDifference> {
  if (!isRenewable(account)) return;
  const authenticatedRequests = requests.filter(({ credentials }) => credentials.length > 0);
  if (account.renewedEarly && authenticatedRequests.length > 0)
    yield {
      message: `The access token was renewed before this run, because it was about to expire. ${AFTER_401} If the API answers an expired token in another way, throw one.`,
    };
  for (const { method, url, status, calledFrom } of authenticatedRequests.filter(saysExpired))
    yield {
      message: `${method} ${url} was answered with ${String(status)}, and the answer says that the token is not valid any more. ${AFTER_401} ${THROW_401}`,
      ...defined({ location: calledFrom }),
    };
}

/** Returns a hint for a failed run if its last response may have been caused by an expired token. */
export function expiryHint(last: RequestTrace, account: RunAccount | undefined): string | undefined {
  if (!isRenewable(account) || last.credentials.length === 0) return undefined;
  if (saysExpired(last))
    return `Refresh the account and run again, because the API says that its token is not valid any more. ${REFRESH} ${THROW_401} ${AFTER_401}`;
  if (last.status !== 403 || account.renewedEarly) return undefined;
  return `To tell an expired token from a missing right, refresh the account and run again. ${REFRESH} If that helps: ${THROW_401} ${AFTER_401}`;
}

/** Whether this is a stored account with a refresh token. The sandbox's accounts are excluded: it answers an expired token with 401. */
const isRenewable = (account: RunAccount | undefined): account is RunAccount =>
  account?.refresh !== undefined &&
  account.sandboxOrigin === undefined &&
  account.credential.kind === "oauth2" &&
  account.credential.refreshToken !== undefined;

function saysExpired(trace: RequestTrace): boolean {
  const { status = 0, responseBody = "", responseHeaders = {}, credentials } = trace;
  if (credentials.length === 0 || status === 401) return false;
  const errorText = status < 400 ? errorWords(trace) : `${responseHeaders["www-authenticate"] ?? ""} ${responseBody.slice(0, LONGEST)}`;
  return errorText !== undefined && EXPIRED.test(errorText);
}

/** The number of characters of an error response that are searched. */
const LONGEST = 4_000;

/** Matches “token_expired”, “Access token expired”, “invalid_token”, “InvalidSessionId”. Does not match tokens of pages, syncs or forms. */
const EXPIRED =
  /(?<!(?:page|sync|next|continuation|csrf|upload|refresh)[ _-]?)(?:token|session)[^.;{}]{0,40}expired|(?:expired|invalid)[ _-]?(?:access[ _-]?token|token|session)/i;
