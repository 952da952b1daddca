// Mistakes made in real packs: each is flagged by the right rule where it stands, every fix takes its finding away, and whatever the
// toolkit's own validator rejects is an error here. A small sample of what `npm run bench mutants` looks at whole.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RULES } from "../../server/analysis/rules/index.ts";
import { compare } from "./agreement.ts";
import { basePacks } from "./corpus.ts";
import { badFix, judge, sample, withMutant } from "./judge.ts";
import { mutantsOf } from "./mistakes.ts";

/** Another one each day would find more, and fail on a day when nothing was changed. */
const SEED = 20;

/** Rules that no mutant is made for: what they flag does not come of one mistake in a right pack. */
const WITHOUT_MUTANTS = new Set([
  "network-domain-shared-host",
  "requirement-without-auth",
  "requirement-never",
  "coda-token-domain",
  "context-member-unknown",
  "credential-as-parameter",
  "source-not-checked",
  "suppression-unused",
  "syntax-error",
  "toolkit-missing",
  // No pack of the samples signs in at such a provider.
  "oauth2-provider-demand",
  // Few real packs have any; mcp-agreement.test.ts holds servers beside the validator.
  "mcp-host-undeclared",
  "mcp-server-name",
  "mcp-server-several",
  "mcp-server-url",
  "registration-without-pkce",
  "extra-scopes-without-oauth2",
  // scopes-agreement.test.ts holds these beside the validator.
  "extra-scopes-form",
  "authentication-name-unknown",
  "admin-authentication",
  // No mistake, and quiet in tests.
  "approval-needed",
  // swallowed-errors.test.ts has its kinds.
  "unauthorized-swallowed",
  "update-scopes-narrower",
]);

/** What a run showed is no mistake that a source alone has. */
const isOfRuns = (rule: string): boolean => rule.startsWith("seen-");

describe("mistakes in real packs", function () {
  this.timeout(120_000);
  const bases = basePacks();
  const mutants = bases.flatMap(mutantsOf);

  it("mutants exist of many packs, and for nearly every rule", () => {
    assert.ok(bases.length > 40 && mutants.length > 1_500, `${mutants.length} mutants of ${bases.length} files`);
    const mutatedRules = new Set(mutants.flatMap(({ rules }) => rules));
    assert.deepEqual(
      RULES.map(({ id }) => id).filter((id) => !mutatedRules.has(id) && !WITHOUT_MUTANTS.has(id) && !isOfRuns(id)),
      [],
    );
  });

  it("mutants are flagged by the right rule in place, and fixes resolve the findings", () => {
    // One of each kind, from whichever pack the seed says, and more.
    const kinds = new Map(sample(mutants, mutants.length, SEED).map((mutant) => [mutant.mistake, mutant]));
    const drawn = [...kinds.values(), ...sample(mutants, 60, SEED)];
    const missed: string[] = [];
    const badFixes: string[] = [];
    let fixes = 0;
    for (const mutant of drawn) {
      const verdict = judge(mutant, { fixes: true });
      fixes += verdict.fixes;
      badFixes.push(...verdict.badFixes);
      if (verdict.flagged === undefined)
        missed.push(`${mutant.base.name}, ${mutant.mistake}: wants ${mutant.rules}, has ${verdict.findings.map(({ rule }) => rule)}`);
    }
    assert.deepEqual(missed, []);
    assert.deepEqual(badFixes, []);
    assert.ok(fixes > 50, `${fixes} fixes`);
  });

  it("a silent or misplaced rule, and a useless or breaking fix, would be detected", () => {
    const mutant = mutants.find(({ mistake }) => mistake === "field misspelt");
    assert.ok(mutant);
    const { findings, flagged } = judge(mutant, { fixes: false });
    assert.ok(flagged);
    assert.equal(judge({ ...mutant, rules: ["auth-set-late"] }, { fixes: false }).flagged, undefined);
    assert.equal(judge({ ...mutant, where: [{ start: 0, end: 1 }] }, { fixes: false }).flagged, undefined);
    const problems = withMutant(mutant, () =>
      [[], ["}"], ["instructionsUrl: 0, instructionsUrl"], ["instructionsUrl"]].map((texts) => {
        const edits = texts.map((text) => ({ ...flagged.place, text }));
        return badFix(mutant, flagged, { title: "Try", edits }, findings);
      }),
    );
    assert.match(problems[0] ?? "", /leaves the finding/);
    assert.match(problems[1] ?? "", /does not parse/);
    assert.match(problems[2] ?? "", /a key that is there already/);
    assert.equal(problems[3], undefined);
  });

  it("a mutant that the upload validator rejects gets an error", async () => {
    const { rejected, missed } = await compare(sample(mutants, 40, SEED));
    assert.ok(rejected > 10, `${rejected} are rejected`);
    assert.deepEqual(missed, []);
  });

  it("a pack with missing packages is left out of the comparison, and named", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pack-auth-mutants-"));
    const entry = join(folder, "pack.ts");
    writeFileSync(entry, 'import "not-installed";\n');
    const [some] = mutants;
    assert.ok(some !== undefined);
    const { judgedCount, notLoaded } = await compare([{ ...some, base: { ...some.base, entry } }, some]);
    rmSync(folder, { recursive: true });
    assert.deepEqual({ asked: judgedCount, notLoaded }, { asked: 1, notLoaded: [entry] });
  });
});
