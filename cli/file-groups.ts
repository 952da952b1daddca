// Files that belong together, as far as their texts say: those that name each other by relative paths. What they name by other ways is
// found out by those who look at them.
import { dirname, join } from "node:path/posix";

/** Specifiers in any of the forms that import; texts that look like one only bring files together. */
const RELATIVE = /["'`](\.\.?(?:\/[^"'`\n]*)?)["'`]/g;

const ENDING = /(?:\/index)?(?:\.(?:[cm]?[jt]sx?|json))?$/;

/**
 * Lists of about so many characters, the longest first, each in the files' order. Files that name each other are in one list, however long
 * that makes it; those that stand near each other mostly are too, and share what stands above them.
 */
export function groupFiles(paths: readonly string[], textOf: (path: string) => string, size: number): readonly (readonly string[])[] {
  const leaders = connect(paths, textOf);
  const sizes = new Map<number, number>();
  for (const [index, leader] of leaders.entries()) sizes.set(leader, (sizes.get(leader) ?? 0) + textOf(paths[index] ?? "").length);
  const groups: { size: number; readonly paths: string[] }[] = [];
  const groupOf = new Map<number, (typeof groups)[number]>();
  for (const [leader, length] of sizes) {
    let group = groups.at(-1);
    if (group === undefined || group.size + length > size) {
      group = { size: 0, paths: [] };
      groups.push(group);
    }
    group.size += length;
    groupOf.set(leader, group);
  }
  for (const [index, leader] of leaders.entries()) groupOf.get(leader)?.paths.push(paths[index] ?? "");
  return groups.sort((a, b) => b.size - a.size).map((group) => group.paths);
}

/** For each file the number of one that stands for all that it is connected with. */
function connect(paths: readonly string[], textOf: (path: string) => string): readonly number[] {
  const leaders = paths.map((_, index) => index);
  const find = (index: number): number => {
    let at = index;
    while (leaders[at] !== at) {
      leaders[at] = leaders[leaders[at] ?? at] ?? at;
      at = leaders[at] ?? at;
    }
    return at;
  };
  const byStem = new Map<string, number>();
  const unite = (a: number, b: number): void => {
    leaders[Math.max(find(a), find(b))] = Math.min(find(a), find(b));
  };
  for (const [index, path] of paths.entries()) {
    const stem = path.replace(ENDING, "");
    const same = byStem.get(stem);
    if (same === undefined) byStem.set(stem, index);
    else unite(same, index);
  }
  for (const [index, path] of paths.entries()) {
    for (const [, specifier = ""] of textOf(path).matchAll(RELATIVE)) {
      const other = byStem.get(join(dirname(path), specifier).replace(/\/$/, "").replace(ENDING, ""));
      if (other !== undefined) unite(other, index);
    }
  }
  return leaders.map((_, index) => find(index));
}
