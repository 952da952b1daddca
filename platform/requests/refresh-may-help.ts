// Decides whether a refreshed token may be accepted after the API refused the present one.
import { readChallenges } from "../diagnosis/facts.ts";
import type { OutgoingRequest } from "../network/outgoing-request.ts";
import type { Credential } from "../secrets/credential.ts";

/**
 * Returns whether a fresh token may be accepted after this one was refused. It returns false if the token is still valid and the API asks
 * for another scheme.
 * If the token's lifetime is unknown, it returns true, because some APIs name another scheme than the one that they accept.
 */
export function refreshMayHelp(
  { headers: responseHeaders }: { readonly headers: Readonly<Record<string, string>> },
  { headers: requestHeaders }: Pick<OutgoingRequest, "headers">,
  credential: Credential | undefined,
  now: number,
): boolean {
  const isGood = credential?.kind === "oauth2" && credential.expiresAt !== undefined && credential.expiresAt > now;
  const { usedScheme, own, challenges } = readChallenges({ requestHeaders, responseHeaders });
  return !(isGood && usedScheme !== undefined && challenges.length > 0 && own.length === 0);
}
