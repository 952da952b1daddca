// What rules find, and the fixes for it.
import type { FileSpan, Place } from "./values.ts";

export type Severity = "error" | "warning" | "information";

export interface TextEdit extends FileSpan {
  readonly text: string;
}

export interface Fix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** One that its author has to look at, since it puts in what nobody can know, takes out what somebody wrote, or changes what the pack does. */
  readonly proposal?: true;
  /** A name put right: what is meant, whatever else could be done. */
  readonly spelling?: true;
}

export interface Finding {
  readonly place: Place;
  readonly message: string;
  /** A function where it takes work to make them: most findings are shown and never fixed, and a keystroke makes them all anew. */
  readonly fixes?: readonly Fix[] | (() => readonly Fix[]);
  /** Where it differs from the rule's own. */
  readonly severity?: Severity;
}

export interface Diagnostic {
  readonly rule: string;
  readonly severity: Severity;
  readonly place: FileSpan;
  readonly message: string;
  /** Made when first asked for, from the model that the diagnostic was found in. */
  readonly fixes: readonly Fix[];
}
