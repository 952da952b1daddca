// Fixes of a file made until none is left: one fix may call for the next.

import type { Draft } from "../../draft.ts";
import type { Diagnostic, Fix, TextEdit } from "../../model/findings.ts";
import { parses } from "../../text/parse.ts";
import { compatible, distinct, staysIn } from "./fix-all.ts";

/** Fixes that call for others are rare; two that undo each other would go on for ever. */
const MOST_ROUNDS = 10;
/** More are left to the next round. */
const MOST_AT_ONCE = 300;
/** Of a long source fewer: each reads it anew, and an editor waits for all of them. */
const MOST_CHARACTERS = 1_000_000;

export interface InRounds {
  readonly edits: readonly TextEdit[];
  /** How many fixes were made. */
  readonly fixed: number;
  /** How many findings are left. */
  readonly left: number;
}

/** What the chosen fixes of this file come to. Fixes that reach into other files are left alone: nobody looks at those now. */
export function fixInRounds(draft: Draft, file: string, fixesOf: (diagnostic: Diagnostic) => readonly Fix[]): InRounds {
  const pastTexts = new Set([draft.text]);
  const didParse = parses(file, draft.text);
  let diagnostics = draft.analysis.diagnostics(file);
  let result: InRounds = { edits: [], fixed: 0, left: diagnostics.length };
  const rounds = Math.min(MOST_ROUNDS, Math.ceil(MOST_CHARACTERS / (draft.text.length + 1)));
  for (let round = 0; round < rounds; round++) {
    const offers = diagnostics
      .slice(0, MOST_AT_ONCE)
      .flatMap(fixesOf)
      .filter((fix) => staysIn(fix, file));
    const chosen = compatible(offers);
    if (chosen.length === 0) break;
    draft.apply(distinct(chosen.flatMap((fix) => fix.edits)));
    if (pastTexts.has(draft.text) || (didParse && !parses(file, draft.text))) break;
    pastTexts.add(draft.text);
    diagnostics = draft.analysis.diagnostics(file);
    result = { edits: draft.edits(), fixed: result.fixed + chosen.length, left: diagnostics.length };
  }
  return result;
}
