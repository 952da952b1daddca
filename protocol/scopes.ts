// The scopes of an account, as its table shows them: asked by whom, granted, and needed by which runs.

import { t } from "@vscode/l10n";

/** How many runs that needed a scope were let through (2xx), and refused (403). */
export interface ScopeUse {
  readonly succeeded: number;
  readonly refused: number;
}

/** By scope. */
export type ScopeUses = Readonly<Record<string, ScopeUse>>;

export interface ScopeRow extends ScopeUse {
  readonly scope: string;
  /** The configuration, and the names of formulas and tables; undefined where the pack is not loaded. */
  readonly askedBy?: readonly string[];
  readonly granted: boolean;
  /** What is odd about it, and what to do: a sentence. */
  readonly remark?: string;
}

/** How often it was needed, in words. */
export function useText({ succeeded, refused }: ScopeUse): string {
  const parts = [
    ...(succeeded > 0 ? [succeeded === 1 ? t`1 run` : t`${succeeded} runs`] : []),
    ...(refused > 0 ? [t`refused in ${refused} (403)`] : []),
  ];
  return parts.length === 0 ? t`never` : parts.join(", ");
}
