// What becomes of mutants: is the mistake flagged, by the right rule, where it stands; does every fix take its finding away.
import { transformSync } from "esbuild";
import { ts } from "ts-morph";
import type { Analysis, OffsetEdit } from "../../server/analysis/analysis.ts";
import type { Diagnostic, Fix } from "../../server/analysis/model/findings.ts";
import { RULES } from "../../server/analysis/rules/index.ts";
import { createRandom } from "../fuzz/random.ts";
import { type Mutant, mutatedText } from "./mutant.ts";

const ruleIds = new Set(RULES.map(({ id }) => id));

/** Whether one of the rules that the mistake is a matter of exists. */
export const isJudged = (mutant: Mutant): boolean => mutant.rules.some((rule) => ruleIds.has(rule));

export interface Verdict {
  /** The finding that is right; undefined where the mistake is missed. */
  readonly flagged: Diagnostic | undefined;
  /** All findings of the mutant's file, and of the other files of its pack. */
  readonly findings: readonly Diagnostic[];
  /** What was wrong with fixes, in words; empty where all are right. */
  readonly badFixes: readonly string[];
  readonly fixes: number;
}

/** Looks at the mutant by an edit of the pack's file, which is taken back. */
export function judge(mutant: Mutant, options: { readonly fixes: boolean }): Verdict {
  const { base, rules, where } = mutant;
  return withMutant(mutant, () => {
    const findings = allFindings(mutant);
    const flagged = findings.find(
      ({ rule, place }) =>
        rules.includes(rule) &&
        (where === undefined || (place.file === base.file && where.some(({ start, end }) => place.start <= end && start <= place.end))),
    );
    // Fixes belong to the text as it is: all are made before one is tried.
    const offered = options.fixes ? findings.flatMap((finding) => finding.fixes.map((fix) => ({ finding, fix }))) : [];
    const judged = offered.map(({ finding, fix }) => badFix(mutant, finding, fix, findings));
    return { flagged, findings, badFixes: judged.filter((problem) => problem !== undefined), fixes: judged.length };
  });
}

/** The pack as it is with the edit; afterwards it is as it was. */
export function withMutant<T>(mutant: Mutant, look: () => T): T {
  const { base } = mutant;
  const restore = replaceText(base.analysis, base.file, mutatedText(mutant));
  try {
    return look();
  } finally {
    restore();
  }
}

/** By one edit of what differs, as an editor would send it. */
function replaceText(analysis: Analysis, file: string, text: string): () => void {
  const before = analysis.text(file) ?? "";
  if (!openFiles.has(analysis)) openFiles.set(analysis, new Set());
  if (openFiles.get(analysis)?.has(file) === false) {
    analysis.open(file, before);
    openFiles.get(analysis)?.add(file);
  }
  analysis.change(file, [difference(before, text)]);
  return () => analysis.change(file, [difference(text, before)]);
}

const openFiles = new WeakMap<Analysis, Set<string>>();

function difference(before: string, after: string): OffsetEdit {
  let start = 0;
  const most = Math.min(before.length, after.length);
  while (start < most && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < most - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

function allFindings({ base }: Mutant): readonly Diagnostic[] {
  const pack = base.analysis.packsOf(base.file).find(({ entry }) => entry === base.entry) ?? base.analysis.packsOf(base.file)[0];
  return (pack?.files ?? [base.file]).flatMap((file) => base.analysis.diagnostics(file));
}

const alike = (findings: readonly Diagnostic[], { rule, message }: Diagnostic): number =>
  findings.filter((finding) => finding.rule === rule && finding.message === message).length;

/** Why the fix is not right; undefined where it is. */
export function badFix(mutant: Mutant, finding: Diagnostic, fix: Fix, before: readonly Diagnostic[]): string | undefined {
  const { base } = mutant;
  const { analysis } = base;
  const label = `${base.name}, ${mutant.mistake}: ${finding.rule}, "${fix.title}"`;
  const files = new Map<string, string>();
  for (const edit of [...fix.edits].sort((a, b) => b.start - a.start)) {
    const text = files.get(edit.file) ?? analysis.text(edit.file) ?? "";
    files.set(edit.file, text.slice(0, edit.start) + edit.text + text.slice(edit.end));
  }
  for (const [file, text] of files) {
    const { parseDiagnostics } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest) as unknown as {
      parseDiagnostics: readonly unknown[];
    };
    if (parseDiagnostics.length > 0) return `${label} leaves a file that does not parse`;
    if (keysTwice(text) > keysTwice(analysis.text(file) ?? "")) return `${label} writes a key that is there already`;
  }
  const restore = [...files].map(([file, text]) => replaceText(analysis, file, text));
  const left = alike(allFindings(mutant), finding);
  for (const undo of restore) undo();
  return left < alike(before, finding) ? undefined : `${label} leaves the finding`;
}

/** How many keys of its objects a source has twice, as the bundler tells. */
const keysTwice = (text: string): number =>
  transformSync(text, { loader: "tsx", logLevel: "silent" }).warnings.filter(({ id }) => id === "duplicate-object-key").length;

/** So many of the items, drawn by the seed, in their own order. */
export function sample<T>(items: readonly T[], size: number, seed: number): readonly T[] {
  const { int } = createRandom(seed);
  const indexes = items.map((_, index) => index);
  for (let last = indexes.length - 1; last > 0; last--) {
    const other = int(last + 1);
    [indexes[last], indexes[other]] = [indexes[other] ?? 0, indexes[last] ?? 0];
  }
  return indexes
    .slice(0, size)
    .sort((a, b) => a - b)
    .flatMap((index) => items[index] ?? []);
}
