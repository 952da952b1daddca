// What may be done to a configuration although nothing is wrong there. The edits are made when one is chosen.
import type { Draft } from "../../draft.ts";
import type { TextEdit } from "../../model/findings.ts";

export interface Refactoring {
  readonly title: string;
  readonly kind: "rewrite" | "extract";
  /** The type that it changes to: one of many. */
  readonly type?: string;
  /** Edits of the file; a draft of it is there to try things on. */
  edits(draft: () => Draft): readonly TextEdit[];
}
