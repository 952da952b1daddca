// An account as a run uses it: its current credential, and a way to refresh it.
import type { AuthScope } from "../../protocol/run.ts";
import type { ClientMethod, Credential } from "../secrets/credential.ts";

/** The account of a run. */
export interface RunAccount {
  readonly scope: AuthScope;
  /** The current credential: once refreshed for one request, the next request uses the new one. */
  readonly credential: Credential;
  /** The ID of a stored account; absent if the account is not stored. */
  readonly id?: string;
  /** The granted scopes, if known. */
  readonly grantedScopes?: readonly string[];
  /** Receives whether the API refused the credential at its last use; absent if this is not stored. */
  readonly judged?: (isRefused: boolean) => Promise<void>;
  /** How the client authenticated at the token endpoint. */
  readonly clientMethod?: ClientMethod;
  /** The ID of the sign-in, which renewals keep. Absent if the account is not stored. */
  readonly signIn?: string;
  /** True if the token was about to expire and was refreshed before the run. */
  readonly renewedEarly?: boolean;
  readonly endpoint?: string;
  readonly sandboxOrigin?: string;
  readonly refresh?: Refresh;
  /** Returns secrets that no request of the pack carries, such as the client secret. */
  readonly otherSecrets?: () => Promise<readonly string[]>;
}

/**
 * Returns another credential to replace the one that was refused with 401, or undefined if there is none. If several requests were refused
 * with the same credential, it is refreshed once.
 */
export type Refresh = (refusedCredential: Credential) => Promise<Refreshed | undefined>;

interface Refreshed {
  readonly credential: Credential;
  /** False if the credential already existed when the refusal came. */
  readonly isNew: boolean;
}
