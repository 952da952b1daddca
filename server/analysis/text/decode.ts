// Decodes the bytes of a source: UTF-8, or UTF-16 if it begins with a UTF-16 byte order mark, as editors and TypeScript do.

/**
 * Returns the text of a file that was decoded as UTF-8. The bytes are read again only if the text begins with an invalid character. A byte
 * order mark is kept, as for UTF-8.
 */
export function decoded(text: string, bytes: () => Uint8Array): string {
  if (text.charCodeAt(0) !== REPLACEMENT) return text;
  const raw = bytes();
  const encoding = raw[0] === 0xff && raw[1] === 0xfe ? "utf-16le" : raw[0] === 0xfe && raw[1] === 0xff ? "utf-16be" : undefined;
  return encoding === undefined ? text : new TextDecoder(encoding, { ignoreBOM: true }).decode(raw);
}

/** The code unit that replaces a byte that is invalid in UTF-8. */
const REPLACEMENT = 0xfffd;
