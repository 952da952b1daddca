// What lenses each document was given last: whatever may have changed them, the editor is told only where they would be others now.
// Where they stand is the editor's own to follow.

interface ShownLenses<Document> {
  gave(document: Document, lenses: readonly unknown[]): void;
  forget(document: Document): void;
  /** Something happened that lenses may hang on. */
  look(): void;
}

export function createShownLenses<Document>(
  lensesOf: (document: Document) => Promise<readonly unknown[]>,
  onChange: () => void,
): ShownLenses<Document> {
  const lensesByDocument = new Map<Document, string>();
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
        for (const document of [...lensesByDocument.keys()]) {
          const now = JSON.stringify(await lensesOf(document));
          const before = lensesByDocument.get(document);
          if (before === undefined || before === now) continue;
          onChange();
          break;
        }
      } while (again);
    } finally {
      looking = false;
    }
  }
  return {
    gave: (document, lenses) => void lensesByDocument.set(document, JSON.stringify(lenses)),
    forget: (document) => void lensesByDocument.delete(document),
    // What cannot be told is asked for.
    look: () => void look().catch(onChange),
  };
}
