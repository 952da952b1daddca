// Finds the candidate for "Did you mean" suggestions.

/**
 * Returns the candidate with the fewest edits from the name, or undefined if none is near. The limit is a third of the longer name, and
 * less than half of the name; a swap counts as one edit. Candidates that begin with the name come first, the shortest before the others.
 */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  let best: { candidate: string; distance: number; begins: boolean } | undefined;
  const lowerName = name.toLowerCase();
  // A short name must keep most of its letters: `Foo` does not become `Tool`.
  const half = Math.max(1, Math.ceil(name.length / 2) - 1);
  for (const candidate of candidates) {
    const limit = Math.min(Math.max(2, Math.floor(Math.max(candidate.length, name.length) / 3)), half);
    const other = candidate.toLowerCase();
    const begins = name.length >= 4 && other.startsWith(lowerName);
    // The difference in length is a lower bound of the edits.
    if (!begins && Math.abs(other.length - lowerName.length) > limit) continue;
    // A common beginning weighs more than few edits: `CustomH` does not become Custom.
    if (best?.begins === true && !begins) continue;
    const isBetter = best === undefined || (begins && !best.begins);
    const most = Math.min(begins ? Infinity : limit, isBetter ? Infinity : (best?.distance ?? 0) - 1);
    const edits = distance(lowerName, other, most);
    if (edits <= most) best = { candidate, distance: edits, begins };
  }
  return best?.candidate;
}

/** Returns whether at most `most` edits turn one name into the other. */
export const areNear = (a: string, b: string, most: number): boolean =>
  Math.abs(a.length - b.length) <= most && distance(a, b, most) <= most;

/** The last rows of the distance table, reused between calls; they grow with the longest name. */
let [twoBefore, before, row]: [number[], number[], number[]] = [[], [], []];

/** Returns the optimal string alignment distance. If it exceeds `most`, the result is any number above `most`. */
function distance(a: string, b: string, most: number): number {
  for (let j = 0; j <= b.length; j++) before[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const sign = a.charCodeAt(i - 1);
    const earlier = a.charCodeAt(i - 2);
    let left = i;
    row[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const other = b.charCodeAt(j - 1);
      const diagonal = before[j - 1] ?? 0;
      let best = sign === other ? diagonal : 1 + Math.min(before[j] ?? 0, left, diagonal);
      if (i > 1 && j > 1 && sign !== other && sign === b.charCodeAt(j - 2) && earlier === other)
        best = Math.min(best, (twoBefore[j - 2] ?? 0) + 1);
      row[j] = best;
      left = best;
      if (best < least) least = best;
    }
    // No later value can be less than the minimum of this row.
    if (least > most) return least;
    const spare = twoBefore;
    twoBefore = before;
    before = row;
    row = spare;
  }
  return before[b.length] ?? 0;
}
