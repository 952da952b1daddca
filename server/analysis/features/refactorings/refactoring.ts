// A change to a configuration that has no problem. The edits are computed when the author chooses it.
import type { Draft } from "../../draft.ts";
import type { TextEdit } from "../../model/findings.ts";

export interface Refactoring {
  readonly title: string;
  readonly kind: "rewrite" | "extract";
  /** The new type, for a refactoring that changes the type. */
  readonly type?: string;
  /** Returns the edits of the file. `draft` creates a copy of the file on which edits can be tried. */
  edits(draft: () => Draft): readonly TextEdit[];
}
