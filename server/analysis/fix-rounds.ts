// Fixes of a file made until none is left: one fix may call for the next.
import type { Draft } from "./draft.ts";
import { compatible, onlyFix } from "./fix-all.ts";
import type { Diagnostic, Fix, TextEdit } from "./model.ts";
import { parses } from "./parses.ts";

/** Fixes that call for others are rare; two that undo each other would go on for ever. */
const MOST_ROUNDS = 10;
/** More are left to the next round. */
const MOST_AT_ONCE = 300;
/** Of a long source fewer: each reads it anew, and an editor waits for all of them. */
const MOST_CHARACTERS = 1_000_000;

/** The edits of this file that the chosen fixes come to. Fixes that reach into other files are left alone: nobody looks at those now. */
export function fixInRounds(draft: Draft, file: string, fixesOf: (diagnostic: Diagnostic) => readonly Fix[]): readonly TextEdit[] {
  const seen = new Set([draft.text]);
  const didParse = parses(file, draft.text);
  let edits: readonly TextEdit[] = [];
  const rounds = Math.min(MOST_ROUNDS, Math.ceil(MOST_CHARACTERS / (draft.text.length + 1)));
  for (let round = 0; round < rounds; round++) {
    const offers = draft.analysis
      .diagnostics(file)
      .slice(0, MOST_AT_ONCE)
      .flatMap(fixesOf)
      .filter((fix) => staysIn(fix, file));
    const chosen = compatible(offers, { inRounds: true });
    if (chosen.length === 0) break;
    draft.apply(distinct(chosen.flatMap((fix) => fix.edits)));
    if (seen.has(draft.text) || (didParse && !parses(file, draft.text))) break;
    seen.add(draft.text);
    edits = draft.edits();
  }
  return edits;
}

/** Everything that may be done unasked. */
export const fixUnasked = (draft: Draft, file: string): readonly TextEdit[] =>
  fixInRounds(draft, file, (diagnostic) => unasked(diagnostic, file, draft.text));

/** What may be done while the author looks elsewhere, such as on save: there is one way, it stays in the file, and nothing is lost by it. */
export function unasked(diagnostic: Diagnostic, file: string, text: string): readonly Fix[] {
  // A field that is taken out takes what its author wrote with it, and may be half of something that is still being typed.
  return onlyFix(diagnostic).filter(
    (fix) => staysIn(fix, file) && fix.edits.every((edit) => edit.text !== "" || /^[\s,;]*$/.test(text.slice(edit.start, edit.end))),
  );
}

export const staysIn = (fix: Fix, file: string): boolean => fix.edits.length > 0 && fix.edits.every((edit) => edit.file === file);

/** An edit that two fixes want is made once. */
function distinct(edits: readonly TextEdit[]): readonly TextEdit[] {
  return edits.filter(
    (edit, index) => edits.findIndex((other) => other.start === edit.start && other.end === edit.end && other.text === edit.text) === index,
  );
}
