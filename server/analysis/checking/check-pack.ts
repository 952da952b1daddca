// Checks a pack against the rules, with the configured severities. The fixes of the diagnostics are computed on demand.

import { defined } from "../../../base/defined.ts";
import { getOrInsert } from "../../../base/get-or-insert.ts";
import { rejectionOf, type UploadVerdict, unjudgedNote } from "../../../protocol/verdict.ts";
import { allAuths, isResolved, isUnknown, propertyOf } from "../configuration/config.ts";
import { findObservation } from "../configuration/observation.ts";
import type { Diagnostic, Finding, Fix, Severity } from "../model/findings.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import type { Expression, FileSpan, ObjectValue, Place } from "../model/values.ts";
import { withImports } from "../modules/toolkit-imports.ts";
import { makeAuth } from "../pack/pack.ts";
import { requestsOf } from "../requests/requests.ts";
import type { PackParts, PartLooks, Rule } from "../rule.ts";
import { type ReportedCode, RULES } from "../rules/index.ts";
import type { SettingsFinder } from "../settings/settings.ts";
import { isWithin } from "../text/edit.ts";

/** Maximum number of findings of one rule in one pack. Nobody reads more, and findings are compared with each other. */
const MOST_FINDINGS = 1_000;

type Check = (pack: PackModel) => readonly Diagnostic[];

/** Collects the findings of the rules in a pack. */
interface FindingCollector {
  add(rule: Rule, finding: Finding): void;
  isEnough(rule: Rule): boolean;
}

/** Returns a function that passes every part of one kind to all rules that check this kind. */
function lookAt<Kind extends keyof PackParts>(kind: Kind, partsOf: (pack: PackModel) => readonly PackParts[Kind][]) {
  const rules = RULES.flatMap((rule) => {
    const looks: PartLooks = rule.on;
    const look = looks[kind];
    return look === undefined ? [] : [{ rule, look }];
  });
  return (pack: PackModel, collector: FindingCollector): void => {
    for (const part of partsOf(pack))
      for (const { rule, look } of rules) {
        if (collector.isEnough(rule)) continue;
        for (const finding of look(pack, part)) {
          collector.add(rule, finding);
          if (collector.isEnough(rule)) break;
        }
      }
  };
}

const LOOKS: Readonly<Record<keyof PackParts, ReturnType<typeof lookAt>>> = {
  pack: lookAt("pack", (pack) => [pack]),
  auth: lookAt("auth", (pack) => allAuths(pack).filter(isResolved)),
  configuration: lookAt("configuration", allAuths),
  domain: lookAt("domain", ({ domains }) => domains.declared),
  call: lookAt("call", ({ facts }) => facts.flatMap(({ calls }) => calls)),
  runnable: lookAt("runnable", ({ runnables }) => runnables),
  mcpServer: lookAt("mcpServer", ({ mcpServers }) => mcpServers),
  request: lookAt("request", (pack) => requestsOf(pack).all),
  placeholder: lookAt("placeholder", ({ placeholders }) => placeholders),
  file: lookAt("file", ({ facts }) => facts),
  // The compiler names a fact that no rule reports.
  observation: lookAt("observation", (pack) => pack.evidence.flatMap((fact) => findObservation<ReportedCode>(pack, fact) ?? [])),
};

export function createCheck(settings: Pick<SettingsFinder, "of">): Check {
  function findingsIn(pack: PackModel): Diagnostic[] {
    const all: Diagnostic[] = [];
    /** Reported findings by rule, since a rule may reach one place several times, such as through all calls of a function. */
    const reportedKeys = new Map<Rule, Set<string>>();
    const collector: FindingCollector = {
      add(rule, finding) {
        const { place, message } = finding;
        const ruleKeys = getOrInsert(reportedKeys, rule, () => new Set());
        const key = `${place.start} ${place.end} ${place.file} ${message}`;
        if (ruleKeys.has(key)) return;
        ruleKeys.add(key);
        const configuredSeverity = settings.of(place.file).rules[rule.id];
        if (configuredSeverity !== "off") all.push(toDiagnostic(finding, rule, configuredSeverity, pack));
      },
      isEnough: (rule) => (reportedKeys.get(rule)?.size ?? 0) >= MOST_FINDINGS,
    };
    for (const look of Object.values(LOOKS)) look(pack, collector);
    return all;
  }

  return (pack) => {
    const all = findingsIn(pack);
    for (const { packs, places } of packsByCondition(pack)) {
      const byOption = packs.map((one) => findingsIn(one).filter((finding) => !all.some((diagnostic) => areSame(diagnostic, finding))));
      const isOfEvery = ({ rule, place }: Diagnostic): boolean =>
        byOption.every((findings) => findings.some((other) => other.rule === rule && areAtOnePlace(other.place, place)));
      for (const finding of byOption.flat())
        if (
          (places.some((place) => isWithin(finding.place, place)) || isOfEvery(finding)) &&
          !all.some((diagnostic) => areSame(diagnostic, finding))
        )
          all.push(finding);
    }
    return withoutSuperseded(all);
  };
}

/** Maximum number of variants, since each is a check of the whole pack. */
const MOST_CONDITIONS = 8;

/** Variants of the pack for one condition, and the places that it affects. Elsewhere, only a finding of every variant is certain. */
interface ByCondition {
  readonly packs: readonly PackModel[];
  readonly places: readonly Place[];
}

/**
 * Returns variants of the pack for fields and configurations that a condition chooses. Each variant has one of the values as its only one.
 * Other conditions stay unknown, so that no finding combines values that never occur together.
 */
function packsByCondition(pack: PackModel): readonly ByCondition[] {
  const conditions: ByCondition[] = [];
  let count = 0;
  const add = (auth: AuthConfig, configs: readonly ObjectValue[], places: readonly Place[]): void => {
    if (count + configs.length > MOST_CONDITIONS) return;
    count += configs.length;
    const packs = configs.map((config): PackModel => {
      const own = makeAuth(auth.scope, auth.place, config, pack.resolve, auth.call);
      const one: AuthConfig = auth.definition === undefined ? own : { ...own, definition: auth.definition };
      return { ...pack, auths: pack.auths.map((other) => (other === auth ? one : other)) };
    });
    conditions.push({ packs, places });
  };
  for (const auth of pack.auths) {
    const { alternatives = [], sources = [] } = auth.config.merged ?? {};
    if (alternatives.length > 0) add(auth, alternatives, [auth.place, auth.config.place, ...sources.map(({ place }) => place)]);
    for (const property of auth.config.properties) {
      if (propertyOf(auth.config, property.name) !== property) continue;
      const options = pack.options(property.value);
      // An unknown option, such as a value from outside the source, cannot be checked.
      if (options.length < 2 || options.some((option) => isUnknown(pack, option))) continue;
      const configs = options.map((option) => {
        // If the option is declared elsewhere, findings are placed at its use.
        const { place } = property.value;
        const value: Expression = isWithin(option.place, place) ? option : { kind: "bound", place, value: option };
        const properties = auth.config.properties.map((other) => (other === property ? { ...property, value } : other));
        return { ...auth.config, properties };
      });
      // A finding about what a type needs applies to the whole property.
      add(auth, configs, [property.span]);
    }
  }
  return conditions;
}

const areAtOnePlace = (a: FileSpan, b: FileSpan): boolean => a.start === b.start && a.end === b.end && a.file === b.file;

const areSame = (a: Diagnostic, b: Diagnostic): boolean =>
  a.rule === b.rule && a.message === b.message && a.place.file === b.place.file && a.place.start === b.place.start;

const SILENCES = new Map(RULES.flatMap((rule) => (rule.supersedes.length === 0 ? [] : [[rule.id, rule.supersedes] as const])));
const SILENCED = new Set([...SILENCES.values()].flat());

/** Keeps one finding per cause: at one place, the most specific rule wins. */
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

const ORIGIN = Symbol("madeOf");

interface WithFixes {
  readonly [ORIGIN]: { readonly finding: Finding; readonly pack: PackModel | undefined; fixes?: readonly Fix[] };
}

/** One descriptor for all diagnostics. With a closure each, every diagnostic would get its own hidden class, which outlives it. */
const FIXES: PropertyDescriptor & ThisType<WithFixes> = {
  enumerable: true,
  get() {
    const of = this[ORIGIN];
    const { finding, pack } = of;
    const { fixes = [] } = finding;
    of.fixes ??= (typeof fixes === "function" ? fixes() : fixes).flatMap((fix) =>
      pack === undefined ? fix : insertsInVain(pack, fix) ? [] : withImports(pack, fix),
    );
    return of.fixes;
  },
};

/** Whether a fix inserts a property that code deletes again, or inserts it into code that only returns an object. */
const insertsInVain = (pack: PackModel, { edits }: Fix): boolean =>
  allAuths(pack).some(({ config }) =>
    edits.some((edit) => {
      const name = /^[\s,]*([\w$]+)\s*:/.exec(edit.text)?.[1];
      const isLiteral = pack.text(config.place.file)[config.place.start] === "{";
      return name !== undefined && (!isLiteral || config.deleted?.includes(name) === true) && isWithin(edit, config.place);
    }),
  );

/** Returns the diagnostic of a finding. Its fixes are computed from the pack. */
export function toDiagnostic(finding: Finding, rule: Rule, configuredSeverity: Severity | undefined, pack?: PackModel): Diagnostic {
  const { place, message } = finding;
  const verdict = verdictOf(finding, rule, pack?.toolkit?.version);
  const isUnjudged = verdict === "not-judged" && rule.verdict !== verdict;
  const diagnostic = {
    rule: rule.id,
    severity: configuredSeverity ?? finding.severity ?? rule.severity,
    // The place is copied to plain numbers, since places of facts move with the next edit.
    place: { file: place.file, start: place.start, end: place.end },
    message: isUnjudged ? `${message} ${unjudgedNote(pack?.toolkit?.version)}` : message,
    ...defined({ verdict }),
  };
  Object.defineProperty(diagnostic, ORIGIN, { value: { finding, pack } });
  return Object.defineProperty(diagnostic, "fixes", FIXES) as typeof diagnostic & Pick<Diagnostic, "fixes">;
}

/** Returns the verdict of an error, or of advice about an approval or about a source that could not be read. */
function verdictOf(
  finding: Finding,
  { verdict: own, severity, rejectedSince }: Rule,
  version: string | undefined,
): UploadVerdict | undefined {
  const verdict = finding.verdict ?? own;
  if (verdict === "needs-approval" || verdict === "not-judged") return verdict;
  if ((finding.severity ?? severity) !== "error") return undefined;
  return verdict === "will-be-rejected" ? rejectionOf(version, rejectedSince) : verdict;
}

const IN_ALL_PACKS = new Set(RULES.flatMap((rule) => (rule.inSharedFiles === "all-packs" ? rule.id : [])));

/** Returns the findings without duplicates. Of rules with `inSharedFiles`, returns only findings that every pack has. */
export function ofSharedFile(byPack: readonly (readonly Diagnostic[])[]): readonly Diagnostic[] {
  if (byPack.length === 1 && (byPack[0]?.length ?? 0) < 2) return byPack[0] ?? [];
  const at = ({ rule, place }: Diagnostic): string => `${rule}:${place.start}:${place.end}`;
  const keys = byPack.map((diagnostics) => new Set(diagnostics.map(at)));
  const reportedKeys = new Set<string>();
  return byPack.flat().filter((diagnostic) => {
    const key = `${at(diagnostic)}:${IN_ALL_PACKS.has(diagnostic.rule) ? "" : diagnostic.message}`;
    const counts = !IN_ALL_PACKS.has(diagnostic.rule) || keys.every((packKeys) => packKeys.has(at(diagnostic)));
    return counts && !reportedKeys.has(key) && reportedKeys.add(key) !== undefined;
  });
}
