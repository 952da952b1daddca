// "Did you mean": the candidate that a misspelt name is nearest to.

/** The candidate within a third of its length in edits, swaps counted once; undefined where none is near. */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  let best: { candidate: string; distance: number } | undefined;
  const wanted = name.toLowerCase();
  for (const candidate of candidates) {
    const limit = Math.max(2, Math.floor(Math.max(candidate.length, name.length) / 3));
    const other = candidate.toLowerCase();
    const begins = name.length >= 4 && other.startsWith(wanted);
    // That many letters more or less are that many edits.
    if (!begins && Math.abs(other.length - wanted.length) > limit) continue;
    const found = distance(wanted, other);
    if ((begins || found <= limit) && (best === undefined || found < best.distance)) best = { candidate, distance: found };
  }
  return best?.candidate;
}

/** Optimal string alignment. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const cell = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(cell(i - 1, j) + 1, (row[j - 1] ?? 0) + 1, cell(i - 1, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, cell(i - 2, j - 2) + 1);
      row.push(best);
    }
  }
  return cell(a.length, b.length);
}
