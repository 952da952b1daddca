// The toolkit's own upload validator and we, asked about the same mutants: whatever it rejects, we have an error for.
import type { Diagnostic } from "../../server/analysis/model/findings.ts";
import { uploadProblems, type ValidationProblem } from "../support/validator.ts";
import { judge } from "./judge.ts";
import { type Mutant, mutatedText } from "./mutant.ts";
import { readPackSyntax } from "./pack-syntax.ts";

export interface Agreement {
  readonly judgedCount: number;
  /** Packs that do not load as they are, such as those whose packages are not installed: nothing was asked about them. */
  readonly notLoaded: readonly string[];
  readonly rejected: number;
  /** What the validator reports of them about authentication and domains. */
  readonly problems: number;
  /** What of that we say nothing about. */
  readonly missed: readonly string[];
  /** Missed too, but because what decides is no literal of the source. */
  readonly unknowable: readonly string[];
  /** Reported about something else: formulas, schemas. */
  readonly otherProblems: readonly string[];
}

export async function compare(mutants: readonly Mutant[]): Promise<Agreement> {
  const missed: string[] = [];
  const unknowable: string[] = [];
  const otherProblems: string[] = [];
  const loaded = new Map<string, Promise<boolean>>();
  let judgedCount = 0;
  let rejected = 0;
  let problems = 0;
  for (const mutant of mutants) {
    const { entry } = mutant.base;
    const loadCheck = loaded.get(entry) ?? uploadProblems(entry).then(isThere, isNotThere);
    loaded.set(entry, loadCheck);
    if (!(await loadCheck)) continue;
    judgedCount++;
    const validatorProblems = await uploadProblems(entry, new Map([[mutant.base.file, mutatedText(mutant)]])).catch((error: unknown) => [
      { path: "defaultAuthentication", message: `does not load: ${String(error)}` },
    ]);
    if (validatorProblems.length === 0) continue;
    rejected++;
    const errors = judge(mutant, { fixes: false }).findings.filter(({ severity }) => severity === "error");
    for (const problem of validatorProblems) {
      const label = `${mutant.base.name}, ${mutant.mistake}: ${problem.path ?? ""} ${problem.message}`;
      if (!concernsUs(problem)) {
        otherProblems.push(label);
        continue;
      }
      problems++;
      if (!isReported(problem, errors, mutant)) (isComputed(mutant) ? unknowable : missed).push(label);
    }
  }
  const notLoaded: string[] = [];
  for (const [entry, isLoaded] of loaded) if (!(await isLoaded)) notLoaded.push(entry);
  return { judgedCount, notLoaded, rejected, problems, missed, unknowable, otherProblems };
}

const isThere = (): boolean => true;
const isNotThere = (): boolean => false;

const concernsUs = ({ path = "", message }: ValidationProblem): boolean =>
  /uthentication|networkDomain|mcpServers|network domain/i.test(`${path} ${message}`);

/** By an error on the same field, or about domains where it is about those. */
function isReported({ path = "", message }: ValidationProblem, errors: readonly Diagnostic[], mutant: Mutant): boolean {
  if (/network ?domain|Domain \S+ is used/i.test(`${path} ${message}`))
    return errors.some(({ rule }) => /domain|fetch-host|mcp-host/.test(rule));
  const named = /Unrecognized key/.test(message)
    ? [...message.matchAll(/"(\w+)"/g)].map((match) => match[1] ?? "")
    : [/^\w+\.(\w+)/.exec(path)?.[1] ?? ""];
  const { setters } = readPackSyntax(mutant.base.file, mutatedText(mutant));
  const isOn = ({ place }: Diagnostic, field: string): boolean =>
    setters.some((setter) => {
      const property = setter.field(field);
      return property !== undefined && property.getStart() <= place.end && place.start <= property.end;
    });
  // "… must be relative when requiresEndpointUrl is true": either of the two may be what is wrong.
  const condition = /\bwhen (\w+) is\b/.exec(message)?.[1];
  // Where no schema fits, nothing more is said than that.
  return named.every((field) =>
    errors.some((error) =>
      [field, condition].some((name) => name === "" || (name !== undefined && (error.message.includes(name) || isOn(error, name)))),
    ),
  );
}

/** A configuration of which a part is computed. */
function isComputed({ base }: Mutant): boolean {
  return base.analysis.packsOf(base.file).some((pack) => pack.auths.some(({ config }) => config.open));
}
