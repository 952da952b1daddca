// Detects an expired access token if the API does not answer with 401: neither the platform nor a run here renews the token then. A run
// here also renews a token before it expires, which the platform does not do.
import { defined } from "../../base/defined.ts";
import type { PlatformDifference, RequestTrace } from "../../protocol/run.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { AFTER_401, THROW_401 } from "../diagnosis/advice.ts";
import { saysExpired } from "../diagnosis/api-words.ts";

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

/** Returns whether this is a stored account with a refresh token. The sandbox's accounts are excluded: it answers an expired token with 401. */
export const isRenewable = (account: RunAccount | undefined): account is RunAccount =>
  account?.refresh !== undefined &&
  account.sandboxOrigin === undefined &&
  account.credential.kind === "oauth2" &&
  account.credential.refreshToken !== undefined;
