// Keys that go along a row of elements (WAI-ARIA, tabs and toolbar patterns).

/** The one that a key leads to, past either end too; undefined where the key leads nowhere. */
export function neighbour<Item>(items: readonly Item[], current: number, key: string): Item | undefined {
  const to = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: items.length - 1 }[key];
  return to === undefined ? undefined : items[(to + items.length) % items.length];
}
