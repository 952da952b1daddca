// Decides where a client ID and secret may be sent: to the token endpoints that they were entered for or worked at. A tokenUrl that the
// pack changed later needs the person's consent.
import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { AcceptedWith, ClientCredentials } from "../secrets/credential.ts";

/** Returns a token endpoint in its stored form: origin and path. */
export function tokenAddress(tokenUrl: string): string {
  const { origin, pathname } = new URL(tokenUrl);
  return `${origin}${pathname}`;
}

/**
 * Returns whether the client may be sent to the token endpoint. A client ID alone is not secret: it is part of every authorization request.
 */
export const mayGoTo = ({ clientSecret, tokenEndpoints }: ClientCredentials, tokenUrl: string): boolean =>
  clientSecret === undefined || tokenEndpoints === undefined || tokenEndpoints.includes(tokenAddress(tokenUrl));

/** Returns the same credentials, allowed for this token endpoint too. */
export const boundTo = (client: ClientCredentials, tokenUrl: string): ClientCredentials => ({
  ...client,
  tokenEndpoints: [...new Set([...(client.tokenEndpoints ?? []), tokenAddress(tokenUrl)])],
});

/** Returns the same credentials, which this token endpoint accepted in a sign-in with this configuration. */
export const acceptedAt = (client: ClientCredentials, tokenUrl: string, auth: AcceptedWith): ClientCredentials => ({
  ...boundTo(client, tokenUrl),
  acceptedWith: [
    ...(client.acceptedWith ?? []).filter((former) => !isSameSignIn(former, auth)),
    { type: auth.type, ...defined({ tokenUrl: auth.tokenUrl }) },
  ],
});

/**
 * Returns whether a sign-in with this type and tokenUrl used the client successfully. The addresses that it may be sent to do not show this:
 * the person may have allowed one that refused it.
 */
export const hasWorkedWith = ({ acceptedWith = [] }: ClientCredentials, auth: AcceptedWith): boolean =>
  acceptedWith.some((former) => isSameSignIn(former, auth));

const isSameSignIn = (one: AcceptedWith, other: AcceptedWith): boolean => one.type === other.type && one.tokenUrl === other.tokenUrl;

/**
 * Returns credentials entered outside of a sign-in, allowed for the configuration's tokenUrl. If tokenUrl is relative, left to discovery or
 * unknown, they are allowed for no endpoint, so that the sign-in asks.
 */
export const enteredFor = (client: ClientCredentials, { tokenUrl }: Pick<AuthenticationDefinition, "tokenUrl">): ClientCredentials => ({
  ...client,
  tokenEndpoints: tokenUrl !== undefined && URL.canParse(tokenUrl) ? [tokenAddress(tokenUrl)] : [],
});

/** Returns the new credentials. If they belong to the same client, they may be sent wherever the former ones could. */
export const inPlaceOf = (client: ClientCredentials, former: ClientCredentials | undefined): ClientCredentials =>
  former?.clientId !== client.clientId || former.tokenEndpoints === undefined
    ? client
    : { ...client, tokenEndpoints: [...new Set([...former.tokenEndpoints, ...(client.tokenEndpoints ?? [])])] };

/** Returns whether both have the same client ID and secret, wherever they may be sent. */
export const isSameClient = (one: ClientCredentials, other: ClientCredentials | undefined): boolean =>
  one.clientId === other?.clientId && one.clientSecret === other.clientSecret;
