// A pack → what the rules find in it, as the settings want it.
import { concernsOf } from "./concerns.ts";
import { toDiagnostic } from "./diagnostic.ts";
import type { Diagnostic, PackModel } from "./model.ts";
import { RULES } from "./rules/index.ts";
import type { AnalysisSettings, SettingsFinder } from "./settings.ts";

type RuleSettings = AnalysisSettings["rules"];

export type Check = (pack: PackModel) => readonly Diagnostic[];

export function createCheck(settings: Pick<SettingsFinder, "of">): Check {
  const on = new WeakMap<RuleSettings, ReturnType<typeof concernsOf>>();

  /** Those that the settings of one of the files leave on. */
  function rulesFor(files: readonly string[]): ReturnType<typeof concernsOf> {
    const [first = {}, ...others] = rulesOf(files, settings);
    if (others.length > 0) return concernsOf(RULES.filter(({ id }) => first[id] !== "off" || others.some((rules) => rules[id] !== "off")));
    let known = on.get(first);
    if (known === undefined) {
      known = concernsOf(RULES.filter(({ id }) => first[id] !== "off"));
      on.set(first, known);
    }
    return known;
  }

  return (pack) => {
    const all: Diagnostic[] = [];
    for (const { id, severity, check } of rulesFor(pack.files)(pack)) {
      for (const finding of check(pack)) {
        const wanted = settings.of(finding.place.file).rules[id];
        if (wanted !== "off") all.push(toDiagnostic(finding, id, wanted ?? finding.severity ?? severity, pack));
      }
    }
    return withoutSuperseded(all);
  };
}

/** What is configured for the files, each once: most packs have one settings file or none. */
function rulesOf(files: readonly string[], settings: Pick<SettingsFinder, "of">): readonly RuleSettings[] {
  const found: RuleSettings[] = [];
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
