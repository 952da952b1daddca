// What may be done to a configuration at a place although nothing is wrong there. The edits are made when one is chosen.
import type { Analysis } from "../analysis.ts";
import type { Draft } from "../draft.ts";
import type { TextEdit } from "../model.ts";
import { extractScopes } from "./extract-scopes.ts";
import { moveQuery } from "./move-query.ts";
import { switchType } from "./switch-type.ts";

export interface Refactoring {
  readonly title: string;
  readonly kind: "rewrite" | "extract";
  /** Edits of the file; a draft of it is there to try things on. */
  edits(draft: () => Draft): readonly TextEdit[];
}

export function refactoringsAt(analysis: Analysis, file: string, offset: number): readonly Refactoring[] {
  const [pack] = analysis.packsOf(file);
  if (pack === undefined) return [];
  return [...switchType(pack, file, offset), ...moveQuery(pack, file, offset), ...extractScopes(pack, file, offset)];
}
