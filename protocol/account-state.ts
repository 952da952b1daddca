// What state an account is in, why, and what to do about it: the accounts view, the lenses, the panel and the command line print this.

export type AccountStateName =
  /** The next run can use it. */
  | "ready"
  /** Its token has expired, and the next run renews it. */
  | "renewable"
  /** Nothing renews what has expired. */
  | "expired"
  /** The provider refused to renew its token, or the API refused its credential. */
  | "refused"
  /** The configuration is another one than it was signed in with. */
  | "changed"
  /** The secret store does not give its credentials. */
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

/** Whether "Sign in again" is what helps. */
export const needsSignIn = ({ state }: AccountState): boolean => NEEDS_SIGN_IN[state];

/** The state in a word. */
export const STATE_NAMES: Readonly<Record<AccountStateName, string>> = {
  ready: "ready",
  renewable: "renewable",
  expired: "expired",
  refused: "refused",
  changed: "changed",
  sealed: "sealed",
};

/** The state first, then the reason and what to do. */
export const stateText = (state: AccountState): string =>
  state.state === "ready" ? STATE_NAMES.ready : `${STATE_NAMES[state.state]}: ${state.reason}. ${state.nextStep}`;
