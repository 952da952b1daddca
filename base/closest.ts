// "Did you mean": the candidate that a misspelt name is nearest to.

/**
 * The candidate within a third of its length in edits, and less than half of the name's, swaps counted once; of those that begin with the
 * name, if there are such, the shortest. Undefined where none is near.
 */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  let best: { candidate: string; distance: number; begins: boolean } | undefined;
  const lowerName = name.toLowerCase();
  // Of a short name, most letters stay: `Foo` is no `Tool`.
  const half = Math.max(1, Math.ceil(name.length / 2) - 1);
  for (const candidate of candidates) {
    const limit = Math.min(Math.max(2, Math.floor(Math.max(candidate.length, name.length) / 3)), half);
    const other = candidate.toLowerCase();
    const begins = name.length >= 4 && other.startsWith(lowerName);
    // That many letters more or less are that many edits.
    if (!begins && Math.abs(other.length - lowerName.length) > limit) continue;
    // What is typed so far says more than letters that would be too many: `CustomH` is no Custom.
    if (best?.begins === true && !begins) continue;
    const isBetter = best === undefined || (begins && !best.begins);
    const most = Math.min(begins ? Infinity : limit, isBetter ? Infinity : (best?.distance ?? 0) - 1);
    const edits = distance(lowerName, other, most);
    if (edits <= most) best = { candidate, distance: edits, begins };
  }
  return best?.candidate;
}

/** Whether one becomes the other by so many edits. */
export const areNear = (a: string, b: string, most: number): boolean =>
  Math.abs(a.length - b.length) <= most && distance(a, b, most) <= most;

/** The last two rows of a table that grows with the longest name that was met. */
let [twoBefore, before, row]: [number[], number[], number[]] = [[], [], []];

/** Optimal string alignment; of more than `most`, any number above that. */
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
    // What comes of a row is no less than the least in it.
    if (least > most) return least;
    const spare = twoBefore;
    twoBefore = before;
    before = row;
    row = spare;
  }
  return before[b.length] ?? 0;
}
