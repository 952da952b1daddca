// What an analysis says of files, as text: that of one process can be held against that of another.
import type { Analysis } from "../../server/analysis/analysis.ts";
import { concernsOf } from "../../server/analysis/concerns.ts";
import { createDraft } from "../../server/analysis/draft.ts";
import { unasked } from "../../server/analysis/fix-all.ts";
import { fixInRounds } from "../../server/analysis/fix-rounds.ts";
import type { PackModel } from "../../server/analysis/model.ts";
import { RULES } from "../../server/analysis/rules/index.ts";
import { requestsAsText } from "../support/requests-as-text.ts";

const concerned = concernsOf(RULES);

/** With fixes: each that is offered, and what all that may be made unasked come to; that is asked first, since it looks at drafts. */
export function answerOf(analysis: Analysis, paths: readonly string[], withFixes: boolean): string {
  const fixed = withFixes
    ? paths.map((path) =>
        fixInRounds(
          createDraft(analysis, path, () => {}),
          path,
          unasked,
        ),
      )
    : [];
  const found = paths.map((path) =>
    analysis.diagnostics(path).map(({ rule, severity, place, message, fixes }) => ({
      rule,
      severity,
      place,
      message,
      fixes: withFixes ? fixes.map(({ title, edits }) => ({ title, edits })) : [],
    })),
  );
  const asked = packsOf(analysis, paths).map((pack) => `${pack.entry}: ${concerned(pack).map(({ id }) => id)}`);
  const requests = paths.map((path) => requestsAsText(analysis, path));
  return JSON.stringify({ found, fixed, asked, requests });
}

/** The rules that a pack is said not to concern, and that find something in it all the same. */
export const wronglyUnasked = (analysis: Analysis, paths: readonly string[]): readonly string[] =>
  packsOf(analysis, paths).flatMap((pack) => {
    const asked = new Set(concerned(pack).map(({ id }) => id));
    return RULES.filter((rule) => !asked.has(rule.id) && [...rule.check(pack)].length > 0).map(({ id }) => id);
  });

const packsOf = (analysis: Analysis, paths: readonly string[]): readonly PackModel[] => [
  ...new Set(paths.flatMap((path) => analysis.packsOf(path))),
];
