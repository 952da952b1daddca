// Where an application's client ID and secret may go: to the token endpoints that they were entered for, or worked at. A tokenUrl that
// the pack has changed since gets them only from somebody who was asked.
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { ClientCredentials } from "../secrets/credential.ts";

/** A token endpoint as it is remembered: origin and path. */
export function tokenAddress(tokenUrl: string): string {
  const { origin, pathname } = new URL(tokenUrl);
  return `${origin}${pathname}`;
}

/** A client ID alone is no secret, and goes along in every sign-in's address. */
export const mayGoTo = ({ clientSecret, tokenEndpoints }: ClientCredentials, tokenUrl: string): boolean =>
  clientSecret === undefined || tokenEndpoints === undefined || tokenEndpoints.includes(tokenAddress(tokenUrl));

/** The same credentials, which may go to this token endpoint too. */
export const boundTo = (client: ClientCredentials, tokenUrl: string): ClientCredentials => ({
  ...client,
  tokenEndpoints: [...new Set([...(client.tokenEndpoints ?? []), tokenAddress(tokenUrl)])],
});

/**
 * Credentials that are entered outside of a sign-in: for the configuration's tokenUrl. Where that is relative, left to discovery or not
 * known, for no endpoint yet, so that the sign-in asks.
 */
export const enteredFor = (client: ClientCredentials, { tokenUrl }: Pick<AuthenticationDefinition, "tokenUrl">): ClientCredentials => ({
  ...client,
  tokenEndpoints: tokenUrl !== undefined && URL.canParse(tokenUrl) ? [tokenAddress(tokenUrl)] : [],
});

/** A new secret of the same client may go where the former one did. */
export const inPlaceOf = (client: ClientCredentials, former: ClientCredentials | undefined): ClientCredentials =>
  former?.clientId !== client.clientId || former.tokenEndpoints === undefined
    ? client
    : { ...client, tokenEndpoints: [...new Set([...former.tokenEndpoints, ...(client.tokenEndpoints ?? [])])] };

/** Whether two are one client with one secret, wherever they may go. */
export const isSameClient = (one: ClientCredentials, other: ClientCredentials | undefined): boolean =>
  one.clientId === other?.clientId && one.clientSecret === other.clientSecret;
