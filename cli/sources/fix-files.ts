// `check --fix`: applies the safe fixes repeatedly until none is left, and writes each file once at the end.
import { readFileSync } from "node:fs";
import { errorMessage } from "../../base/error-message.ts";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { replaceFile } from "../../platform/files/write-file.ts";
import type { Analysis } from "../../server/analysis/analysis.ts";
import { applyFixes, compatible, unasked } from "../../server/analysis/features/fixes/fix-all.ts";
import type { Fix } from "../../server/analysis/model/findings.ts";
import { parses } from "../../server/analysis/text/parse.ts";
import type { Disk } from "./disk.ts";

export interface AppliedFix {
  readonly path: string;
  readonly rule: string;
  readonly title: string;
}

interface FixedFiles {
  readonly appliedFixes: readonly AppliedFix[];
  /** The new texts, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files with something to fix that are not valid UTF-8: they stay unchanged. */
  readonly notText: readonly string[];
}

/** Fixes rarely cause further fixes; the limit stops two fixes that undo each other. */
const MOST_ROUNDS = 20;

interface Offer extends AppliedFix {
  readonly fix: Fix;
}

/**
 * Changes only checked files, and only while they parse: a fix that would break the syntax of a file is not applied. The analysis reads
 * `texts` in place of the disk; the function adds the fixed texts to it.
 */
export function fixFiles(paths: readonly string[], analysis: Analysis, texts: Map<string, string>, disk: Disk): FixedFiles {
  const textOf = (path: string): string => texts.get(path) ?? disk.read(path) ?? "";
  const notText = paths.filter(
    (path) => !texts.has(path) && !disk.isExact(path) && analysis.diagnostics(path).some((diagnostic) => unasked(diagnostic).length > 0),
  );
  const mayChange = createGate(paths, texts, disk);
  const appliedFixes: AppliedFix[] = [];
  /** Rejected fixes by file; they stay rejected while the text is unchanged. */
  const rejectedFixes: RejectedFixes = new Map();
  const earlierStates = new Set<string>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const offers = paths
      .flatMap((path) =>
        analysis
          .diagnostics(path)
          .flatMap((diagnostic) => unasked(diagnostic).map((fix): Offer => ({ path, rule: diagnostic.rule, title: fix.title, fix }))),
      )
      .filter(({ fix }) => !isRefused(fix, rejectedFixes) && fix.edits.length > 0 && fix.edits.every(({ file }) => mayChange(file)));
    const chosen = choose(offers, textOf, rejectedFixes);
    const changedTexts = applyFixes(
      chosen.map(({ fix }) => fix),
      textOf,
    );
    for (const [path, text] of changedTexts) {
      texts.set(path, text);
      rejectedFixes.delete(path);
    }
    const state = JSON.stringify([...texts]);
    if (changedTexts.size === 0 || earlierStates.has(state)) break;
    earlierStates.add(state);
    appliedFixes.push(...chosen.map(({ path, rule, title }) => ({ path, rule, title })));
    analysis.filesChanged([...changedTexts.keys()]);
  }
  return { appliedFixes, notText, texts: new Map([...texts].filter(([path, text]) => text !== disk.read(path))) };
}

/**
 * Returns the fixes that are compatible and leave files that parse. A fix that breaks a file on its own is not tried again for the same
 * text.
 */
function choose(offers: readonly Offer[], textOf: (path: string) => string, rejectedFixes: RejectedFixes): readonly Offer[] {
  const canApply = (chosen: readonly Offer[]): boolean =>
    [
      ...applyFixes(
        chosen.map(({ fix }) => fix),
        textOf,
      ),
    ].every(([path, text]) => parses(path, text));
  const pick = (from: readonly Offer[]): readonly Offer[] => {
    const together = compatible(from.map(({ fix }) => fix));
    return from.filter(({ fix }) => together.includes(fix));
  };
  const first = pick(offers);
  if (canApply(first)) return first;
  const harmless = offers.filter((offer) => {
    if (canApply([offer])) return true;
    getOrInsert(rejectedFixes, fileOf(offer.fix), () => new Set()).add(keyOf(offer.fix));
    return false;
  });
  const second = pick(harmless);
  return canApply(second) ? second : harmless.slice(0, 1);
}

type RejectedFixes = Map<string, Set<string>>;

const isRefused = (fix: Fix, rejectedFixes: RejectedFixes): boolean => rejectedFixes.get(fileOf(fix))?.has(keyOf(fix)) === true;

/** A safe fix edits a single file. */
const fileOf = (fix: Fix): string => fix.edits[0]?.file ?? "";

const keyOf = (fix: Fix): string => JSON.stringify(fix.edits.map(({ start, end, text }) => [start, end, text]));

/** Returns whether a file may be changed: it must be a checked file that parses, and its bytes must be valid text. */
function createGate(paths: readonly string[], texts: ReadonlyMap<string, string>, disk: Disk): (path: string) => boolean {
  const checked = new Set(paths);
  const decisions = new Map<string, boolean>();
  return (path) =>
    getOrInsert(decisions, path, () => {
      const text = texts.get(path);
      return checked.has(path) && (text !== undefined || disk.isExact(path)) && parses(path, text ?? disk.read(path) ?? "");
    });
}

/** Returns a message for each file that could not be written, by its path. A file that changed since it was read is not written. */
export async function writeFixed({ texts }: Pick<FixedFiles, "texts">, disk: Disk): Promise<ReadonlyMap<string, string>> {
  const writeFailures = new Map<string, string>();
  for (const [path, text] of texts) {
    try {
      const isWritten = await replaceFile(path, text, () => readFileSync(path, "utf8") === disk.read(path));
      if (!isWritten)
        writeFailures.set(path, `${path} changed while it was checked, so its fixes were not written. Run the command again.`);
    } catch (error) {
      const why = errorMessage(error);
      writeFailures.set(path, `${path} could not be written, so it is unchanged: ${why}.`);
    }
  }
  return writeFailures;
}
