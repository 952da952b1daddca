// The result of a sign-in: the credential, and what the provider said about it.
import type { ClientCredentials, Credential } from "../secrets/credential.ts";
import type { SignInTerms } from "./account-files.ts";

export interface SignedIn extends Partial<SignInTerms> {
  readonly credential: Credential;
  /** The client, if it was registered dynamically. */
  readonly client?: ClientCredentials;
  /** Notes about a successful sign-in. */
  readonly flowNotes?: readonly string[];
}
