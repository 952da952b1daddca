// Fixes many findings at once: selects the fixes that need no confirmation, combines compatible ones, and applies them to the sources.
import type { Diagnostic, Fix, TextEdit } from "../../model/findings.ts";

/**
 * Returns the fixes that the editor and `--fix` apply without confirmation: a corrected spelling, or the only fix if it is not a proposal.
 * A fix that edits other files is excluded, because the author does not see those files.
 */
export function unasked({ fixes, place }: Diagnostic): readonly Fix[] {
  const [first, second] = fixes;
  const chosen = fixes.find(({ kind }) => kind === "spelling") ?? (second === undefined && first?.kind !== "proposal" ? first : undefined);
  return chosen !== undefined && staysIn(chosen, place.file) ? [chosen] : [];
}

export const staysIn = (fix: Fix, file: string): boolean => fix.edits.length > 0 && fix.edits.every((edit) => edit.file === file);

/** Returns the counts for people to read: `2 fixed, 4 need you`. */
export const fixedText = (fixed: number, left: number): string =>
  left === 0 ? `${fixed} fixed` : left === 1 ? `${fixed} fixed, 1 needs you` : `${fixed} fixed, ${left} need you`;

/**
 * Returns the fixes that can be applied together: of several that touch the same text, the first. Identical edits do not conflict. Two
 * insertions at one place do, since their order would be arbitrary; the second waits for the next round.
 */
export function compatible(fixes: readonly Fix[]): readonly Fix[] {
  const acceptedEdits: TextEdit[] = [];
  return fixes.filter((fix) => {
    const clash = fix.edits.some((edit) => acceptedEdits.some((other) => overlap(edit, other) && !same(edit, other)));
    if (!clash) acceptedEdits.push(...fix.edits);
    return !clash;
  });
}

const overlap = (a: TextEdit, b: TextEdit): boolean => a.file === b.file && ((a.start < b.end && b.start < a.end) || a.start === b.start);

/** Removes duplicate edits, such as the same domain that several fixes declare. */
export const distinct = (edits: readonly TextEdit[]): readonly TextEdit[] =>
  edits.filter((edit, index) => edits.findIndex((other) => same(edit, other)) === index);

const same = (a: TextEdit, b: TextEdit): boolean => a.file === b.file && a.start === b.start && a.end === b.end && a.text === b.text;

/** Returns the new texts of the files that the fixes change. */
export function applyFixes(fixes: readonly Fix[], text: (file: string) => string): ReadonlyMap<string, string> {
  const edits = distinct(fixes.flatMap((fix) => fix.edits));
  const files = new Map<string, string>();
  for (const file of new Set(edits.map((edit) => edit.file))) {
    const own = edits.filter((edit) => edit.file === file).sort((a, b) => b.start - a.start || b.end - a.end);
    files.set(
      file,
      own.reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text(file)),
    );
  }
  return files;
}
