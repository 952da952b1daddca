// Shows edits as a unified diff without context.
import { isPlainCode } from "../../base/plain-value.ts";
import type { WrittenEdit } from "../../protocol/written-setup.ts";

type Edits = readonly Omit<WrittenEdit, "oldText">[];

/** Returns the text after the edits. */
export function edited(text: string, edits: Edits): string {
  const lineStarts = [0, ...[...text.matchAll(/\r\n|[\r\n]/g)].map(({ index, 0: end }) => index + end.length)];
  const offset = ({ line, character }: Edits[number]["range"]["start"]): number => (lineStarts[line] ?? text.length) + character;
  return edits
    .map(({ range, newText }) => ({ start: offset(range.start), end: offset(range.end), newText }))
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((result, { start, end, newText }) => result.slice(0, start) + newText + result.slice(end), text);
}

/** Returns the lines of a diff; `before` is undefined for a new file. */
export function diffLines(path: string, before: string | undefined, after: string, edits: Edits): readonly string[] {
  if (before === undefined) {
    const lines = linesOf(after.replace(/\n$/, ""));
    return ["--- /dev/null", `+++ ${path}`, `@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`)];
  }
  const former = linesOf(before);
  let shift = 0;
  const hunks = regionsOf(edits).flatMap(({ start, end, own }) => {
    const removed = former.slice(start, end + 1);
    const moved = own.map(({ range, newText }) => ({ newText, range: { start: up(range.start, start), end: up(range.end, start) } }));
    const added = linesOf(edited(removed.join("\n"), moved));
    const [above, below] = shared(removed, added);
    const [old, now] = [removed, added].map((lines) => lines.slice(above, lines.length - below)) as [string[], string[]];
    const head = `@@ -${start + above + (old.length === 0 ? 0 : 1)},${old.length} +${start + above + shift + (now.length === 0 ? 0 : 1)},${now.length} @@`;
    shift += now.length - old.length;
    const isShown = old.every(isPlainCode);
    const shown = (line: string, number: number): string =>
      isShown || isPlainCode(line) ? line : `(line ${number} may contain a secret, and is not shown)`;
    return [
      head,
      ...old.map((line, index) => `-${shown(line, start + above + index + 1)}`),
      ...now.map((line, index) => `+${shown(line, start + above + index + 1)}`),
    ];
  });
  return [`--- ${path}`, `+++ ${path}`, ...hunks];
}

const linesOf = (text: string): readonly string[] => text.split(/\r\n|[\r\n]/);

const up = <P extends { readonly line: number; readonly character: number }>({ line, character }: P, by: number) => ({
  line: line - by,
  character,
});

/** Joins edits that touch the same line. */
function regionsOf(edits: Edits): readonly { readonly start: number; readonly end: number; readonly own: Edits }[] {
  const regions: { start: number; end: number; own: Edits[number][] }[] = [];
  for (const edit of [...edits].sort((a, b) => a.range.start.line - b.range.start.line)) {
    const { start, end } = edit.range;
    const last = regions.at(-1);
    if (last !== undefined && start.line <= last.end) {
      last.end = Math.max(last.end, end.line);
      last.own.push(edit);
    } else regions.push({ start: start.line, end: end.line, own: [edit] });
  }
  return regions;
}

/** Returns the number of equal lines at the beginning, and of further ones at the end. */
function shared(one: readonly string[], other: readonly string[]): readonly [number, number] {
  const most = Math.min(one.length, other.length);
  let above = 0;
  while (above < most && one[above] === other[above]) above++;
  let below = 0;
  while (below < most - above && one[one.length - 1 - below] === other[other.length - 1 - below]) below++;
  return [above, below];
}
