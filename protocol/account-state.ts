// An account's state, its reason and the next step. The accounts view, the lenses, the panel and the command line print it.

/** One word for each state; people see it. */
export type AccountStateName =
  /** The next run can use the account. */
  | "ready"
  /** The token has expired, and the next run renews it. */
  | "renewable"
  /** The credential has expired and cannot be renewed. */
  | "expired"
  /** The provider refused to renew the token, or the API refused the credential. */
  | "refused"
  /** The configuration differs from the one that the account signed in with. */
  | "changed"
  /** The secret store does not return the account's credentials. */
  | "sealed";

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

const NEEDS_SIGN_IN: Readonly<Record<AccountStateName, boolean>> = {
  ready: false,
  renewable: false,
  expired: true,
  refused: true,
  changed: true,
  sealed: true,
};

/** Returns whether signing in again resolves the state. */
export const needsSignIn = ({ state }: AccountState): boolean => NEEDS_SIGN_IN[state];

/** Returns the state, its reason and the next step as one text. */
export const stateText = (state: AccountState): string =>
  state.state === "ready" ? "ready" : `${state.state}: ${state.reason}. ${state.nextStep}`;
