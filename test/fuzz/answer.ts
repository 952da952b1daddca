// What an analysis says of files, as text: that of one process can be held against that of another.
import { createHash } from "node:crypto";
import type { Analysis } from "../../server/analysis/analysis.ts";
import { createDraft } from "../../server/analysis/draft.ts";
import { unasked } from "../../server/analysis/features/fixes/fix-all.ts";
import { fixInRounds } from "../../server/analysis/features/fixes/fix-rounds.ts";
import { requestsAsText } from "../support/requests-as-text.ts";

/** With fixes: each that is offered, and what all that may be made unasked come to; that is asked first, since it looks at drafts. */
export function describeAnalysis(analysis: Analysis, paths: readonly string[], withFixes: boolean): string {
  const fixed = withFixes
    ? paths.map((path) =>
        fixInRounds(
          createDraft(analysis, path, () => {}),
          path,
          unasked,
        ),
      )
    : [];
  const diagnostics = paths.map((path) =>
    analysis.diagnostics(path).map(({ rule, severity, place, message, fixes }) => ({
      rule,
      severity,
      place,
      message,
      fixes: withFixes ? fixes.map(({ title, edits }) => ({ title, edits })) : [],
    })),
  );
  const requests = paths.map((path) => requestsAsText(analysis, path));
  return JSON.stringify({ packs: [...analysis.packs()].sort(), diagnostics, fixed, requests });
}

/** Shorter than an answer, and the same for the same. */
export const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64");
