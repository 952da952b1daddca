// A scope of an account, as its table shows it: requested by whom, and whether it is granted.

export interface ScopeRow {
  readonly scope: string;
  /** The configuration, and the names of formulas and tables; undefined if the pack is not loaded. */
  readonly requestedBy?: readonly string[];
  readonly isGranted: boolean;
  /** What is odd about it, and what to do: a sentence. */
  readonly remark?: string;
}
