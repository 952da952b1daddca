// Remembers the last lenses of each document, and requests new ones only if a change in the window made them differ. The editor itself
// tracks their positions.

interface ShownLenses<Document> {
  gave(document: Document, lenses: readonly unknown[]): void;
  forget(document: Document): void;
  /** Compares the lenses after an event that may change them. */
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
    // If the comparison fails, the editor requests the lenses again.
    look: () => void look().catch(onChange),
  };
}
