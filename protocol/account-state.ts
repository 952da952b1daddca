// An account's state, its reason and the next step. The accounts view, the lenses, the panel and the command line print it.

/** One word for each state, which people see, and whether signing in again resolves the state. */
export const NEEDS_SIGN_IN = {
  /** The next run can use the account. */
  ready: false,
  /** The token has expired, and the next run renews it. */
  renewable: false,
  /** The credential has expired and cannot be renewed. */
  expired: true,
  /** The provider refused to renew the token, or the API refused the credential. */
  refused: true,
  /** The configuration differs from the one that the account signed in with. */
  changed: true,
  /** The secret store does not return the account's credentials. */
  sealed: true,
  /** The account is of an account file, and the person has not accepted its references, or they cannot be used. */
  unaccepted: false,
} as const;

export type AccountStateName = keyof typeof NEEDS_SIGN_IN;

export type AccountState =
  | { readonly state: "ready" }
  | {
      readonly state: Exclude<AccountStateName, "ready">;
      /** A clause without a full stop. */
      readonly reason: string;
      /** A sentence. */
      readonly nextStep: string;
    };

export const READY: AccountState = { state: "ready" };

/** Returns whether signing in again resolves the state. */
export const needsSignIn = ({ state }: AccountState): boolean => NEEDS_SIGN_IN[state];

/** Returns the state, its reason and the next step as one text. */
export const stateText = (state: AccountState): string =>
  state.state === "ready" ? "ready" : `${state.state}: ${state.reason}. ${state.nextStep}`;
