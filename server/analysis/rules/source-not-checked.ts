import type { Unread } from "../model/facts.ts";
import { rule, source } from "../rule.ts";
import { MOST_CHARACTERS, MOST_TOKENS } from "../text/involved.ts";

export default rule({
  id: "source-not-checked",
  severity: "warning",
  verdict: "not-judged",
  source: "design, Robustness",
  docs: `The source is too large, too complex or too deeply nested to be checked.

Check the sources that this file is made from, and leave the file out with \`"ignore"\` in \`.packauthrc.json\`. Move large data into a file of its own, without code of the pack.

A source may have 100,000 tokens (words, signs and texts in quotes) and 2,000,000 characters. A larger one, of some ten thousand lines, is generated or bundled. To read it again after each key would take seconds. Pack Auth then reports nothing about its content, nor about what the rest of the pack lacks, since this file may contain it. The same is true of a source with thousands of syntax errors. It is also true of more than 2,000 calls of the pack, 2,000 requests or 500 imports.`,
  examples: [
    {
      bad: source`
        «import * as coda from "@codahq/packs-sdk";»
        export const pack = coda.newPack();`,
      filledTo: MOST_CHARACTERS + 1,
    },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack();`,
      filledTo: MOST_CHARACTERS,
    },
  ],
  on: {
    *unread({ file, text, why }) {
      const start = text.search(/\S/);
      const line = /^[^\r\n]{0,80}/.exec(text.slice(start, start + 80))?.[0].trimEnd() ?? "";
      yield { place: { file, start, end: start + line.length }, message: MESSAGES[why] };
    },
  },
});

// Numbers are formatted by hand, because toLocaleString loads ICU, which takes 20 ms at each start.
const MESSAGES: Readonly<Record<Unread, string>> = {
  large: `Check what this file is generated from, and leave it out with "ignore" in .packauthrc.json. It is not checked: it is larger than ${MOST_TOKENS / 1_000},000 tokens, or ${MOST_CHARACTERS / 1_000_000} million characters.`,
  deep: "Close open brackets, or divide what is nested. This source is nested too deeply to be checked.",
  involved: `Correct its syntax or divide it, and leave out what is generated with "ignore" in .packauthrc.json. This source is not checked: it has more mistakes, imports, requests or calls of the pack than Pack Auth reads in one file.`,
};
