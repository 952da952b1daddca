// Keys that move along a row of elements (WAI-ARIA, tabs and toolbar patterns).

/** Returns the element that a key moves to, with wrap-around; undefined for other keys. */
export function neighbour<Item>(items: readonly Item[], current: number, key: string): Item | undefined {
  const to = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: items.length - 1 }[key];
  return to === undefined ? undefined : items[(to + items.length) % items.length];
}
