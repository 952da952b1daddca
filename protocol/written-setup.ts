// What the analysis returns for a proposal: the pack's sources with it written in, or why it cannot be written. The command line and the
// language server return the same.
import type { Range } from "./editor.ts";

/** The sources of a pack with a proposal written into them. Nothing is on disk yet. */
export interface WrittenSetup {
  readonly files: readonly WrittenFile[];
  /** The name of the formula; it has a number if the pack has the proposed name already. */
  readonly formulaName?: string;
  /** What a check finds in these texts and not in the former ones. */
  readonly findings: readonly SetupFinding[];
}

export interface WrittenFile {
  /** The absolute path, with slashes. */
  readonly path: string;
  /** Ranges of the former text; they count UTF-16 code units. */
  readonly edits: readonly WrittenEdit[];
  readonly former: string;
  /** The whole text after the edits. */
  readonly text: string;
}

export interface WrittenEdit {
  readonly range: Range;
  /** Absent if it may contain a secret. */
  readonly oldText?: string;
  readonly newText: string;
}

export interface SetupFinding {
  readonly rule: string;
  readonly severity: "error" | "warning" | "information";
  readonly message: string;
  readonly path: string;
  /** Zero-based. */
  readonly line: number;
}

/** A problem is a sentence that says what the source does not show, and what to do. */
export type SetupAnswer = WrittenSetup | { readonly problem: string };
