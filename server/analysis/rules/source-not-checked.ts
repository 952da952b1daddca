import { t } from "@vscode/l10n";
import type { Unread } from "../model/facts.ts";
import { rule, source } from "../rule.ts";
import { MOST_CHARACTERS, MOST_TOKENS } from "../text/source-size.ts";

export default rule({
  id: "source-not-checked",
  severity: "warning",
  source: "design, Robustness",
  docs: `The source is too large, too involved, or nested too deeply, to be checked.

No source of more than 100,000 words and signs, or 2,000,000 characters, is looked at: that much (some ten thousand lines of code) is generated or bundled, and reading it again at each key would take seconds. Nothing is said about its content, and nothing about what the rest of its pack lacks, since it may be in there. The same is said of a source with thousands of mistakes in its syntax, or with more imports, calls of the pack or suppressions than anybody writes. Check the sources that it is made from, and leave the file itself out with \`"ignore"\` in \`.packauthrc.json\`; large data is better kept in a file of its own, without code of the pack.`,
  examples: [
    {
      bad: source`
        «import * as coda from "@codahq/packs-sdk";»
        export const pack = coda.newPack();
      `,
      filledTo: MOST_CHARACTERS + 1,
    },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack();
      `,
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

// Numbers are put together by hand: toLocaleString loads ICU, which takes 20 ms at each start.
const MESSAGES: Readonly<Record<Unread, string>> = {
  large: t`Check what this file is generated from, and leave it out with "ignore" in .packauthrc.json. It is not checked: it is larger than ${MOST_TOKENS / 1_000},000 words and signs, or ${MOST_CHARACTERS / 1_000_000} million characters.`,
  deep: t`Look for brackets that are not closed, or divide what is nested. This source is nested too deeply to be checked.`,
  involved: t`This source is not checked: it has so many mistakes, imports or calls that to read it would take seconds. Mend its syntax or divide it; leave out what is generated with "ignore" in .packauthrc.json.`,
};
