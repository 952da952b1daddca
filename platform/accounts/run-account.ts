// An account as a run uses it: the credential that is good now, and how another one is obtained.
import type { AuthScope } from "../../protocol/run.ts";
import type { Credential } from "../secrets/credential.ts";

/** An account as a run uses it. */
export interface RunAccount {
  readonly scope: AuthScope;
  /** The one that is good now: what was renewed for one request, the next one starts with. */
  readonly credential: Credential;
  /** Of a stored account. */
  readonly id?: string;
  /** The scopes that it has, where that is known. */
  readonly grantedScopes?: readonly string[];
  /** Hears whether the API refused the credential at its last use, where that is kept. */
  readonly judged?: (isRefused: boolean) => Promise<void>;
  /** The sign-in that it comes from: stays over renewals. Absent where nothing is stored. */
  readonly signIn?: string;
  /** Its token was about to expire, and was renewed before the run. */
  readonly renewedEarly?: boolean;
  readonly endpoint?: string;
  readonly sandboxOrigin?: string;
  readonly refresh?: Refresh;
  /** Secrets that no request of the pack carries, such as the client's. */
  readonly otherSecrets?: () => Promise<readonly string[]>;
}

/**
 * Another credential in place of the one that was refused with 401, or undefined where there is none. However many requests were refused
 * with the same one, it is renewed once.
 */
export type Refresh = (refusedCredential: Credential) => Promise<Refreshed | undefined>;

interface Refreshed {
  readonly credential: Credential;
  /** False: it was there already when the refusal came. */
  readonly isNew: boolean;
}
