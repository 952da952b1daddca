// A pack → what the rules find in it, as the settings want it.
import { concernsOf } from "./concerns.ts";
import { toDiagnostic } from "./diagnostic.ts";
import type { Diagnostic, PackModel } from "./model.ts";
import { RULES } from "./rules/index.ts";
import type { AnalysisSettings, SettingsFinder } from "./settings.ts";

export type Check = (pack: PackModel) => readonly Diagnostic[];

const concerned = concernsOf(RULES);

export function createCheck(settings: Pick<SettingsFinder, "of">): Check {
  return (pack) => {
    const configured = rulesOf(pack.files, settings);
    const all: Diagnostic[] = [];
    for (const rule of concerned(pack)) {
      if (configured.every((rules) => rules[rule.id] === "off")) continue;
      for (const finding of rule.check(pack)) {
        const severity = settings.of(finding.place.file).rules[rule.id];
        if (severity !== "off") all.push(toDiagnostic(finding, rule.id, severity ?? finding.severity ?? rule.severity, pack));
      }
    }
    return withoutSuperseded(all);
  };
}

/** What is configured for the files, each once: most packs have one settings file or none. */
function rulesOf(files: readonly string[], settings: Pick<SettingsFinder, "of">): readonly AnalysisSettings["rules"][] {
  const found: AnalysisSettings["rules"][] = [];
  for (const file of files) {
    const { rules } = settings.of(file);
    if (!found.includes(rules)) found.push(rules);
  }
  return found;
}

const SILENCES = new Map(RULES.flatMap((rule) => (rule.supersedes === undefined ? [] : [[rule.id, rule.supersedes] as const])));

/** One finding per cause: the most specific rule wins on the same spot. */
function withoutSuperseded(all: readonly Diagnostic[]): readonly Diagnostic[] {
  if (all.length < 2) return all;
  return all.filter(
    (weaker) =>
      !all.some(
        (stronger) =>
          SILENCES.get(stronger.rule)?.includes(weaker.rule) === true &&
          stronger.place.file === weaker.place.file &&
          stronger.place.start < Math.max(weaker.place.end, weaker.place.start + 1) &&
          weaker.place.start < Math.max(stronger.place.end, stronger.place.start + 1),
      ),
  );
}
