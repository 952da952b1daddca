// Extension host ↔ formula panel (webview). Invariant: the panel never gets a credential; account entries are labels and ids.
import type { FormulaDefinition, ParameterDefinition, SyncTableDefinition } from "./definition.ts";
import type { ConsoleEntry, ErrorReport, ParameterValue, RequestTrace, RunReport, SourceLocation } from "./run.ts";

export interface PanelAccount {
  readonly id: string;
  readonly label: string;
  readonly sandbox: boolean;
  /** "ready" or why it cannot be used. */
  readonly state: "ready" | "signInAgain";
}

/** The formula or sync table that the panel shows. */
export type Runnable =
  | { readonly kind: "formula"; readonly definition: FormulaDefinition }
  | { readonly kind: "syncTable"; readonly definition: SyncTableDefinition };

/** Host → panel. */
export type ToPanel =
  | { readonly type: "loading"; readonly pack: string; readonly name: string }
  | {
      readonly type: "show";
      readonly pack: string;
      readonly runnable: Runnable;
      /** None: no account field; optional: may stay empty; required. A pack without user authentication gives "none". */
      readonly accountRequirement: "none" | "optional" | "required";
      readonly accounts: readonly PanelAccount[];
      readonly selectedAccount?: string;
      readonly values?: Readonly<Record<string, unknown>>;
    }
  | { readonly type: "accounts"; readonly accounts: readonly PanelAccount[]; readonly selectedAccount?: string }
  | { readonly type: "started" }
  | { readonly type: "request"; readonly request: RequestTrace }
  | { readonly type: "console"; readonly entry: ConsoleEntry }
  | { readonly type: "rows"; readonly count: number }
  | { readonly type: "finished"; readonly report: RunReport }
  | { readonly type: "unavailable"; readonly error: ErrorReport };

/** Panel → host. */
export type FromPanel =
  | { readonly type: "ready" }
  | {
      readonly type: "run";
      readonly account?: string;
      readonly parameters: readonly ParameterValue[];
      readonly values: Readonly<Record<string, unknown>>;
    }
  | { readonly type: "cancel" }
  | { readonly type: "connect" }
  | { readonly type: "open"; readonly location: SourceLocation }
  | { readonly type: "openResult" }
  | { readonly type: "copy"; readonly text: string };

export type { ParameterDefinition };
