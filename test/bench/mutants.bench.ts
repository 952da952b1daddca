// Mistakes made in real packs: how many are flagged, how many fixes hold, and whether the toolkit's validator knows of any that we do not.
import { compare } from "../mutants/agreement.ts";
import { basePacks } from "../mutants/corpus.ts";
import { isJudged, judge, sample } from "../mutants/judge.ts";
import { mutantsOf } from "../mutants/mistakes.ts";

const ASKED = 400;

export async function benchMutants(): Promise<void> {
  const seed = Number(process.env.PACK_AUTH_SEED ?? Math.floor(Math.random() * 2 ** 31));
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
  const { rejected, problems, ...agreement } = await compare(sample(mutants, ASKED, seed));
  const percent = (part: number, whole: number): string => `${part} of ${whole}, ${((100 * part) / Math.max(1, whole)).toFixed(2)} %`;
  console.log(
    `\nMistakes in real packs (${mutants.length} mutants of ${bases.length} files, ${new Set(mutants.map(({ mistake }) => mistake)).size} kinds)`,
  );
  console.log(`  flagged by the right rule, where they stand   ${percent(mutants.length - missed.length, mutants.length)}`);
  console.log(`  findings for each mistake                     ${(findings / mutants.length).toFixed(2)}`);
  console.log(`  fixes that parse and take the finding away    ${percent(fixes - badFixes.length, fixes)}`);
  console.log(
    `  the upload validator's errors that we have     ${percent(problems - agreement.missed.length - agreement.unknowable.length, problems)} (${rejected} of ${ASKED} rejected, ${agreement.unknowable.length} unknowable from the source, seed ${seed})`,
  );
  for (const line of [...missed.map((text) => `missed: ${text}`), ...badFixes.map((text) => `fix: ${text}`)]) console.log(`    ${line}`);
  for (const text of agreement.missed) console.log(`    the validator alone: ${text}`);
  for (const text of agreement.unknowable) console.log(`    unknowable: ${text}`);
}
