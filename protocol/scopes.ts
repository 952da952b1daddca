// A row of an account's table of scopes: who requests the scope, and whether it is granted.

export interface ScopeRow {
  readonly scope: string;
  /** The configuration, and the names of formulas and tables. Undefined if the pack is not loaded. */
  readonly requestedBy?: readonly string[];
  readonly isGranted: boolean;
  /** A problem with the scope and its remedy, in one sentence. */
  readonly remark?: string;
}
