// The result of a sign-in: the credential, and what the provider said about it.
import type { ClientCredentials, ClientMethod, Credential } from "../secrets/credential.ts";
import type { AccountServer } from "./account-files.ts";

export interface SignedIn {
  readonly credential: Credential;
  /** The endpoint from the token response, by endpointKey. */
  readonly endpoint?: string;
  readonly scopesRequested?: readonly string[];
  readonly scopesGranted?: readonly string[];
  readonly clientMethod?: ClientMethod;
  /** The client, if it was registered dynamically. */
  readonly client?: ClientCredentials;
  /** The provider's metadata. */
  readonly server?: AccountServer;
  readonly forcePkce?: boolean;
  /** Notes about a successful sign-in. */
  readonly flowNotes?: readonly string[];
}
