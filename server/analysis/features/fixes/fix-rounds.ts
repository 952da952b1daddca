// Applies the fixes of a file until none is left, because one fix may require another.

import type { Draft } from "../../draft.ts";
import type { Diagnostic, Fix, TextEdit } from "../../model/findings.ts";
import { parses } from "../../text/parse.ts";
import { compatible, distinct, staysIn } from "./fix-all.ts";

/** Limits the rounds: fixes that require others are rare, and two that undo each other would never end. */
const MOST_ROUNDS = 10;
/** The most fixes of one round; the next round applies the others. */
const MOST_AT_ONCE = 300;
/** A long source gets fewer rounds, because each reads it again while the editor waits. */
const MOST_CHARACTERS = 1_000_000;

export interface InRounds {
  readonly edits: readonly TextEdit[];
  /** The number of applied fixes. */
  readonly fixed: number;
  /** The number of remaining findings. */
  readonly left: number;
}

/** Applies the chosen fixes of this file. Fixes that edit other files are skipped, because the author does not see those files. */
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
