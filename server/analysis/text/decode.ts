// Bytes of a source → its text: UTF-8, or UTF-16 where it begins with that one's mark, as editors and TypeScript read it.

/**
 * The text of a file whose bytes were taken for UTF-8. Those are asked for again only where the text begins as no UTF-8 does. The mark
 * itself stays, as UTF-8's does.
 */
export function decoded(text: string, bytes: () => Uint8Array): string {
  if (text.charCodeAt(0) !== REPLACEMENT) return text;
  const raw = bytes();
  const encoding = raw[0] === 0xff && raw[1] === 0xfe ? "utf-16le" : raw[0] === 0xfe && raw[1] === 0xff ? "utf-16be" : undefined;
  return encoding === undefined ? text : new TextDecoder(encoding, { ignoreBOM: true }).decode(raw);
}

/** What stands for a byte that is no UTF-8. */
const REPLACEMENT = 0xfffd;
