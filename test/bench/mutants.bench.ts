// Mistakes made in real packs: how many are flagged, how many fixes hold, and whether the toolkit's validator knows of any that we do not.
import { basename, dirname } from "node:path";
import { compare } from "../mutants/agreement.ts";
import { basePacks } from "../mutants/corpus.ts";
import { isJudged, judge, sample } from "../mutants/judge.ts";
import { mutantsOf } from "../mutants/mistakes.ts";
import { findFalseErrors } from "./false-errors.ts";
import { judge as judgeFigure, notRun } from "./figures.ts";

const SAMPLE_SIZE = 400;

export async function benchMutants(): Promise<void> {
  const seed = Number(process.env.TESTS_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const bases = basePacks();
  const mutants = bases.flatMap(mutantsOf).filter(isJudged);
  const missed: string[] = [];
  const badFixes: string[] = [];
  let fixes = 0;
  let findings = 0;
  for (const mutant of mutants) {
    const verdict = judge(mutant, { fixes: true });
    fixes += verdict.fixes;
    findings += verdict.findings.filter(({ severity }) => severity !== "information").length;
    badFixes.push(...verdict.badFixes);
    if (verdict.flagged === undefined) missed.push(`${mutant.base.name}, ${mutant.mistake}: wants ${mutant.rules.join(" or ")}`);
  }
  const { rejected, problems, ...agreement } = await compare(sample(mutants, SAMPLE_SIZE, seed));
  const share = (what: string, part: number, whole: number, least: number, how: string): void =>
    judgeFigure({
      what,
      target: least === 100 ? "100 %" : `≥ ${least} %`,
      measured: `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`,
      isMet: part * 100 >= least * whole,
      how: `${part} of ${whole}${how}`,
    });
  console.log("\nMistakes in real packs");
  const kinds = new Set(mutants.map(({ mistake }) => mistake)).size;
  share(
    "mistakes made in real packs, flagged by the right rule where they stand",
    mutants.length - missed.length,
    mutants.length,
    99,
    `, ${kinds} kinds of mistakes in ${bases.length} files; ${(findings / mutants.length).toFixed(2)} findings for each`,
  );
  share("fixes after which the file parses and the finding is gone", fixes - badFixes.length, fixes, 100, " that were offered for them");
  share(
    "errors of the toolkit's upload validator that we have too",
    problems - agreement.missed.length - agreement.unknowable.length,
    problems - agreement.unknowable.length,
    100,
    `, in ${rejected} rejected of ${agreement.judgedCount} mutants; ${agreement.unknowable.length} more cannot be known from the source; seed ${seed}`,
  );
  for (const entry of agreement.notLoaded)
    notRun(`the validator on mutants of ${basename(dirname(entry))}/${basename(entry)}: it does not load. Are its packages installed?`);
  const errors = await findFalseErrors();
  judgeFigure({
    what: "errors in real packs that the validator does not reject",
    target: "0",
    measured: `${errors.messages.length}`,
    isMet: errors.messages.length === 0,
    how: `every source of the toolkit's samples${process.env.TESTS_CORPUS ? " and of further checkouts" : ""}: ${errors.files} files; ${errors.shared} errors that the validator has too`,
  });
  for (const text of errors.messages) console.log(`    an error of ours alone: ${text}`);
  for (const line of [...missed.map((text) => `missed: ${text}`), ...badFixes.map((text) => `fix: ${text}`)]) console.log(`    ${line}`);
  for (const text of agreement.missed) console.log(`    the validator alone: ${text}`);
  for (const text of agreement.unknowable) console.log(`    unknowable: ${text}`);
}
