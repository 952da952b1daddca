// A pack → what the rules find in it, as the settings want it.
import { type AskedRule, concernsOf } from "./concerns.ts";
import { packsByCondition } from "./conditional-fields.ts";
import { toDiagnostic } from "./diagnostic.ts";
import { isWithin } from "./edit.ts";
import type { Diagnostic, PackModel } from "./model.ts";
import { RULES } from "./rules/index.ts";
import { type AnalysisSettings, DEFAULT_SETTINGS, type SettingsFinder } from "./settings.ts";

/** Of one rule in one pack; nobody reads more, and each is held against others. */
const MOST_FINDINGS = 1_000;

type RuleSettings = AnalysisSettings["rules"];

export type Check = (pack: PackModel) => readonly Diagnostic[];

/** By the settings that leave rules on; for all analyses, since most packs have no settings, and those without any share theirs. */
const on = new WeakMap<RuleSettings, ReturnType<typeof concernsOf>>();

export function createCheck(settings: Pick<SettingsFinder, "of">): Check {
  /** Those that the settings of one of the files leave on. */
  function rulesFor(files: readonly string[]): ReturnType<typeof concernsOf> {
    const configured = rulesOf(files, settings);
    if (configured.length > 1) return concernsOf(RULES.filter(({ id }) => configured.some((rules) => rules[id] !== "off")));
    const first = configured[0] ?? DEFAULT_SETTINGS.rules;
    let known = on.get(first);
    if (known === undefined) {
      known = concernsOf(RULES.filter(({ id }) => first[id] !== "off"));
      on.set(first, known);
    }
    return known;
  }

  function findingsIn(pack: PackModel): Diagnostic[] {
    const all: Diagnostic[] = [];
    const rules = rulesFor(pack.files)(pack);
    for (let index = 0; index < rules.length; index++) {
      const { id, severity, check } = rules[index] as AskedRule;
      let found = 0;
      for (const finding of check(pack)) {
        if (++found > MOST_FINDINGS) break;
        const wanted = settings.of(finding.place.file).rules[id];
        if (wanted !== "off") all.push(toDiagnostic(finding, id, wanted ?? finding.severity ?? severity, pack));
      }
    }
    return all;
  }

  return (pack) => {
    const all = findingsIn(pack);
    for (const { pack: one, place } of packsByCondition(pack)) {
      const isNew = (found: Diagnostic): boolean => isWithin(found.place, place) && !all.some((known) => areSame(known, found));
      all.push(...findingsIn(one).filter(isNew));
    }
    return withoutSuperseded(all);
  };
}

const areSame = (a: Diagnostic, b: Diagnostic): boolean =>
  a.rule === b.rule && a.message === b.message && a.place.file === b.place.file && a.place.start === b.place.start;

/** What is configured for the files, each once: most packs have one settings file or none. */
function rulesOf(files: readonly string[], settings: Pick<SettingsFinder, "of">): readonly RuleSettings[] {
  const [only] = files;
  if (files.length === 1 && only !== undefined) return [settings.of(only).rules];
  const found: RuleSettings[] = [];
  for (const file of files) {
    const { rules } = settings.of(file);
    if (!found.includes(rules)) found.push(rules);
  }
  return found;
}

const SILENCES = new Map(RULES.flatMap((rule) => (rule.supersedes === undefined ? [] : [[rule.id, rule.supersedes] as const])));
const SILENCED = new Set([...SILENCES.values()].flat());

/** One finding per cause: the most specific rule wins on the same spot. */
function withoutSuperseded(all: readonly Diagnostic[]): readonly Diagnostic[] {
  if (all.length < 2) return all;
  const silencing = all.filter(({ rule }) => SILENCES.has(rule));
  if (silencing.length === 0) return all;
  return all.filter(
    (weaker) =>
      !SILENCED.has(weaker.rule) ||
      !silencing.some(
        (stronger) =>
          stronger.place.start < Math.max(weaker.place.end, weaker.place.start + 1) &&
          weaker.place.start < Math.max(stronger.place.end, stronger.place.start + 1) &&
          stronger.place.file === weaker.place.file &&
          SILENCES.get(stronger.rule)?.includes(weaker.rule) === true,
      ),
  );
}
