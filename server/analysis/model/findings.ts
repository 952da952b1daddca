// The findings of rules, and their fixes.
import type { UploadVerdict } from "../../../protocol/verdict.ts";
import type { FileSpan, Place } from "./values.ts";

export type Severity = "error" | "warning" | "information";

export interface TextEdit extends FileSpan {
  readonly text: string;
}

export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /**
   * A proposal needs the author's review: it inserts a placeholder value, removes the author's code, or changes what the pack does. The
   * correction of a misspelt name is preferred over other fixes.
   */
  readonly kind?: "proposal" | "spelling";
}

export interface Finding {
  readonly place: Place;
  readonly message: string;
  /**
   * A function if computing the fixes takes work: most findings are shown and never fixed, and every keystroke computes all findings again.
   */
  readonly fixes?: readonly Fix[] | (() => readonly Fix[]);
  /** Overrides the rule's severity. */
  readonly severity?: Severity;
  /** Overrides the rule's verdict. */
  readonly verdict?: UploadVerdict;
}

export interface Diagnostic {
  readonly rule: string;
  readonly severity: Severity;
  /** Undefined if the finding does not decide what becomes of the pack. */
  readonly verdict?: UploadVerdict;
  readonly place: FileSpan;
  readonly message: string;
  /** Computed on first access, from the model in which the diagnostic was found. */
  readonly fixes: readonly Fix[];
}
