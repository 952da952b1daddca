// Random configurations, judged by the toolkit's own upload validator and by us: an error where it rejects, and none where it accepts.
import { createAnalysis } from "../../server/analysis/analysis.ts";
import { createRandom } from "../fuzz/random.ts";
import { fromToolkit } from "../support/analyse.ts";
import { createQuickValidator } from "../support/validator.ts";
import { type RandomPack, randomPack } from "./random-configurations.ts";

const FILE = "/pack/pack.ts";

/** Accepted at upload, and an error all the same, because it cannot work, with the reason. */
const BROKEN_AT_RUN_TIME: readonly (readonly [error: RegExp, reason: string])[] = [
  [/^field-type .*cannot be called/, "what is called is no function"],
  [/^field-empty /, "what is filled in is empty"],
  [/^auth-type-missing /, "no type at all"],
  [/^set-endpoint-incomplete .*cannot know what to ask/, "a step of no type at all"],
  [/^header-name-invalid .*every request would fail/, "no request can carry the header"],
  [/^network-domain-form .*no host matches it/, "no host is the domain's"],
  [/^endpoint-domain-form .*no account could be connected/, "no endpoint is the domain's"],
  [/^url-insecure /, "credentials would travel unencrypted"],
  [/^url-invalid /, "nothing can read the URL"],
  [/^oauth2-url-form .*nobody gets a token there/, "no token can be got over another protocol"],
  [/^requirement-unknown .*so the default takes its place/, "the enum has no such member"],
];

/** What decides does not stand in the source, with the reason. */
const UNKNOWABLE: readonly (readonly [problem: RegExp, reason: string])[] = [];

export interface RandomAgreement {
  readonly rejected: number;
  /** Rejected, and no error of ours. */
  readonly missed: readonly string[];
  /** An error of ours, and accepted. */
  readonly ours: readonly string[];
  /** Rejections that nobody can know of, by reason. */
  readonly unknowable: ReadonlyMap<string, number>;
}

/** So many, from the seed on. */
export function compareRandom(count: number, first: number): RandomAgreement {
  const firstProblem = createQuickValidator();
  const analysis = createAnalysis({ readFile: fromToolkit });
  analysis.open(FILE, "");
  const missed: string[] = [];
  const ours: string[] = [];
  const unknowable = new Map<string, number>();
  let rejected = 0;
  let length = 0;
  for (let seed = first; seed < first + count; seed++) {
    const generatedPack = randomPack(createRandom(seed));
    const problem = firstProblem(inJavaScript(generatedPack));
    const text = inTypeScript(generatedPack);
    analysis.change(FILE, [{ start: 0, end: length, text }]);
    length = text.length;
    const errors = analysis
      .diagnostics(FILE)
      .filter(({ severity }) => severity === "error")
      .map(({ rule, message }) => `${rule} ${message}`);
    if (problem !== undefined) rejected++;
    if (problem !== undefined && errors.length === 0) {
      const reason = UNKNOWABLE.find(([pattern]) => pattern.test(problem))?.[1];
      if (reason === undefined) missed.push(`seed ${seed}: ${problem}\n${generatedPack.body}`);
      else unknowable.set(reason, (unknowable.get(reason) ?? 0) + 1);
    }
    const own = errors.find((error) => BROKEN_AT_RUN_TIME.every(([pattern]) => !pattern.test(error)));
    if (problem === undefined && own !== undefined) ours.push(`seed ${seed}: ${own}\n${generatedPack.body}`);
  }
  return { rejected, missed, ours, unknowable };
}

export const inJavaScript = ({ body }: Pick<RandomPack, "body">): string =>
  `const coda = require("@codahq/packs-sdk");\nconst pack = (exports.pack = coda.newPack());\n${body}`;

export const inTypeScript = ({ body }: RandomPack): string =>
  `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n${body}`;
