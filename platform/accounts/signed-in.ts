// What a sign-in gives: the credential, and what the provider said of it.
import type { ClientCredentials, ClientMethod, Credential } from "../secrets/credential.ts";
import type { AccountServer } from "./account-files.ts";

export interface SignedIn {
  readonly credential: Credential;
  /** From the token exchange, by endpointKey. */
  readonly endpoint?: string;
  readonly scopesRequested?: readonly string[];
  readonly scopesGranted?: readonly string[];
  readonly clientMethod?: ClientMethod;
  /** The client, where it was registered dynamically. */
  readonly client?: ClientCredentials;
  /** What the provider told of itself. */
  readonly server?: AccountServer;
  readonly forcePkce?: boolean;
  /** What is worth saying although it worked. */
  readonly flowNotes?: readonly string[];
}
