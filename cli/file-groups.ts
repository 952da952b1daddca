// Files that belong together, as far as their texts say: those that name each other by relative paths. What they name by other ways is
// found out by those who look at them.
import { dirname, join } from "node:path/posix";

/** Specifiers in any of the forms that import; texts that look like one only bring files together. */
const RELATIVE = /["'`](\.\.?(?:\/[^"'`\n]*)?)["'`]/g;

const ENDING = /(?:\/index)?(?:\.(?:[cm]?[jt]sx?|json))?$/;

/** As many lists as asked for or fewer, of about the same size in characters; files that name each other are in one. Each is in the files' order. */
export function groupFiles(paths: readonly string[], textOf: (path: string) => string, count: number): readonly (readonly string[])[] {
  const leaders = connect(paths, textOf);
  const sizes = new Map<number, number>();
  for (const [index, path] of paths.entries()) {
    const leader = leaders[index] ?? index;
    sizes.set(leader, (sizes.get(leader) ?? 0) + textOf(path).length);
  }
  // The largest first, each to where there is least so far.
  const totals = Array.from({ length: count }, () => 0);
  const groupOf = new Map<number, number>();
  for (const [leader, size] of [...sizes].sort(([a, x], [b, y]) => y - x || a - b)) {
    const least = totals.indexOf(Math.min(...totals));
    groupOf.set(leader, least);
    totals[least] = (totals[least] ?? 0) + size;
  }
  const groups = totals.map((): string[] => []);
  for (const [index, path] of paths.entries()) groups[groupOf.get(leaders[index] ?? index) ?? 0]?.push(path);
  return groups.filter((group) => group.length > 0);
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
