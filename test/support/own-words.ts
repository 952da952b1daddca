// Finds words of a server in what Pack Auth says as its own: outside of the quotation marks.
import { splitQuotes } from "../../base/quote.ts";

/** Words in a row that no sentence of ours shares with a server by chance. */
const SENTENCE = 5;

const wordsIn = (text: string): string =>
  ` ${text
    .replace(/\\[nrt"]|<[^<>]*>|&[a-z#0-9]+;|%20|\+/gi, " ")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;

/**
 * Returns the first words in a row that the text has from the source without quoting them; undefined if there are none. Words of the
 * configuration are the author's, whoever repeats them.
 */
export function unquotedWords(text: string, source: string, configuration = ""): string | undefined {
  const [sourceWords, authorWords] = [wordsIn(source), wordsIn(configuration)];
  const ownParts = splitQuotes(text).filter((_, index) => index % 2 === 0);
  for (const part of ownParts) {
    const words = wordsIn(part).trim().split(" ");
    for (let at = 0; at + SENTENCE <= words.length; at++) {
      const run = words.slice(at, at + SENTENCE).join(" ");
      if (sourceWords.includes(` ${run} `) && !authorWords.includes(` ${run} `)) return run;
    }
  }
  return undefined;
}
