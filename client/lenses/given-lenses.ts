// What lenses each document was given last: whatever may have changed them, the editor is told only where they would be others now.
// Where they stand is the editor's own to follow.

interface GivenLenses<Document> {
  gave(document: Document, lenses: readonly unknown[]): void;
  closed(document: Document): void;
  /** Something happened that lenses may hang on. */
  look(): void;
}

export function createGivenLenses<Document>(
  lensesOf: (document: Document) => Promise<readonly unknown[]>,
  changed: () => void,
): GivenLenses<Document> {
  const given = new Map<Document, string>();
  let looking = false;
  let again = false;
  async function look(): Promise<void> {
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    try {
      do {
        again = false;
        for (const document of [...given.keys()]) {
          const now = JSON.stringify(await lensesOf(document));
          const before = given.get(document);
          if (before === undefined || before === now) continue;
          changed();
          break;
        }
      } while (again);
    } finally {
      looking = false;
    }
  }
  return {
    gave: (document, lenses) => void given.set(document, JSON.stringify(lenses)),
    closed: (document) => void given.delete(document),
    // What cannot be told is asked for.
    look: () => void look().catch(changed),
  };
}
