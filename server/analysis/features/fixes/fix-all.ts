// Fixing many findings at once: which fixes may be made unasked, which go together, and what they make of the sources.
import type { Diagnostic, Fix, TextEdit } from "../../model/findings.ts";

/**
 * What may be made unasked, by the editor and by `--fix` alike: a misspelt name is put right; else there is one way to fix it, and its
 * author need not look at what comes of it. Nothing that reaches into other files: nobody looks at those now.
 */
export function unasked({ fixes, place }: Diagnostic): readonly Fix[] {
  const [first, second] = fixes;
  const chosen = fixes.find(({ spelling }) => spelling === true) ?? (second === undefined && first?.proposal !== true ? first : undefined);
  return chosen !== undefined && staysIn(chosen, place.file) ? [chosen] : [];
}

export const staysIn = (fix: Fix, file: string): boolean => fix.edits.length > 0 && fix.edits.every((edit) => edit.file === file);

/** What came of it, as people read it: `2 fixed, 4 need you`. */
export const fixedText = (fixed: number, left: number): string =>
  left === 0 ? `${fixed} fixed` : left === 1 ? `${fixed} fixed, 1 needs you` : `${fixed} fixed, ${left} need you`;

/**
 * Fixes that can be applied in one go: of those that touch the same text the first is kept. The same edit wanted twice is no clash. Two
 * insertions at one place are one, since which comes first would be chance: there is a next round for the second.
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

/** An edit that several fixes want, such as the same domain declared, is made once. */
export const distinct = (edits: readonly TextEdit[]): readonly TextEdit[] =>
  edits.filter((edit, index) => edits.findIndex((other) => same(edit, other)) === index);

const same = (a: TextEdit, b: TextEdit): boolean => a.file === b.file && a.start === b.start && a.end === b.end && a.text === b.text;

/** The texts of the files that the fixes change, as they become. */
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
