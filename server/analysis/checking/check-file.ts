// Diagnostics about a single file: its suppressing comments, its first syntax error, and why it was not analysed.
import type { FileFacts } from "../model/facts.ts";
import type { Diagnostic, Finding } from "../model/findings.ts";
import type { JudgedSuppressions, Looks } from "../rule.ts";
import { RULES } from "../rules/index.ts";
import type { AnalysisSettings } from "../settings/settings.ts";
import { suppress } from "../text/suppressions.ts";
import { toDiagnostic } from "./check-pack.ts";

/** Returns the diagnostics that comments do not suppress, and the findings about these comments. */
export function afterSuppressions(
  diagnostics: readonly Diagnostic[],
  { text, suppressions }: FileFacts,
  severities: AnalysisSettings["rules"],
): readonly Diagnostic[] {
  const { remaining, usedRules } = suppress(diagnostics, suppressions);
  const judged: JudgedSuppressions = {
    text,
    suppressions,
    rules: RULES.map((rule) => rule.id),
    isUsed: (suppression, rule) => usedRules.get(suppression)?.has(rule) === true,
    isOff: (rule) => severities[rule] === "off",
  };
  return [...remaining, ...findingsOf(({ suppressions: look }) => look?.(judged), severities)];
}

/** Returns the findings about a file that was not analysed. */
export function notChecked({ file, text, unread: why }: FileFacts, severities: AnalysisSettings["rules"]): readonly Diagnostic[] {
  if (why === undefined || /\.json$/i.test(file)) return [];
  return findingsOf(({ unread: look }) => look?.({ file, text, why }), severities);
}

/** Returns the findings about a file that does not parse. */
export const notParsed = ({ mistake }: FileFacts, severities: AnalysisSettings["rules"]): readonly Diagnostic[] =>
  mistake === undefined ? [] : findingsOf(({ mistake: look }) => look?.(mistake), severities);

const findingsOf = (find: (on: Looks) => Iterable<Finding> | undefined, severities: AnalysisSettings["rules"]): readonly Diagnostic[] =>
  RULES.flatMap((rule) => {
    const configuredSeverity = severities[rule.id];
    if (configuredSeverity === "off") return [];
    return [...(find(rule.on) ?? [])].map((finding) => toDiagnostic(finding, rule, configuredSeverity));
  });
