// Runs a formula, a sync table or another function of a pack, and reports what happened. Invariant: everything in a report went
// through the run's redactor.
import { defined } from "../../base/defined.ts";
import { isOfMcp, type McpTarget } from "../../protocol/mcp.ts";
import type { RequestTrace, ResultWarning, RunReport, RunTarget } from "../../protocol/run.ts";
import { errorInSuccess, isSignInPage } from "../diagnosis/api-words.ts";
import { explainMissingData } from "../diagnosis/missing-data.ts";
import { PackAuthError } from "../errors.ts";
import type { Pack } from "../process/pack.ts";
import type { Redactor } from "../secrets/redact.ts";
import { redactLarge } from "../secrets/redact-large.ts";
import { inSlices } from "../slices.ts";
import { runnableOf } from "./authentication-in-force.ts";
import { choiceWarnings, givesChoices } from "./check-choices.ts";
import { ResultChecker } from "./check-result.ts";
import { execute } from "./execute.ts";
import { explainEmptyList, explainRun } from "./explain-run.ts";
import { runMcp } from "./mcp-run.ts";
import { normaliseResult } from "./normalise-result.ts";
import { Observations } from "./observations.ts";
import { checkParameters, checkPartialParameters } from "./parameters.ts";
import { runNotes } from "./platform-differences.ts";
import { findPropertyOptions } from "./property-options.ts";
import { isTimezone, ownTimezone } from "./read-date.ts";
import { refuseMasked } from "./row-updates.ts";
import type { RunInput } from "./run-input.ts";
import type { RunObserver } from "./run-observer.ts";
import { inProcess, type OpenWorld, type RunWorld } from "./run-world.ts";
import { asSchema, type Schema } from "./schema.ts";
import { runSyncTable } from "./sync-run.ts";
import { requireUrl } from "./table-schema.ts";
import { runUpdate } from "./update-run.ts";
import { validate } from "./validate-parameters.ts";

/** Runs a target and returns a report. A failure is an outcome, not an exception. */
export async function run(input: RunInput<RunTarget | McpTarget>, world: RunWorld, observer: RunObserver): Promise<RunReport> {
  const startedAt = Date.now();
  const { target, parameters } = input;
  const { redactor } = world;
  const observations = new Observations(target, redactor, observer);
  let failure: unknown;
  const credentialBefore = world.account?.credential;
  const targetResult = await inProcess(world, async (openWorld): Promise<TargetResult> => {
    try {
      refuseMasked([target, parameters]);
      return isOfMcp(target)
        ? await runMcp(target, openWorld, observations.observer)
        : await runTarget({ ...input, target }, openWorld, observations.observer);
    } catch (error) {
      failure = error;
      const explainedError = explainRun(error, {
        definition: world.pack.definition,
        target,
        requests: observations.requests,
        account: world.account,
        credentialBefore,
        refreshFailure: observations.refreshFailure,
        unansweredRequest: isOfMcp(target) ? undefined : observations.unanswered[0],
        now: Date.now(),
      });
      return {
        outcome: { status: "failed", error: redactor.redactValue(explainedError) },
        ...defined({ field: error instanceof PackAuthError ? error.field : undefined }),
      };
    }
  });
  const { requests, responses } = observations;
  const { status } = targetResult.outcome;
  const over = { pack: world.pack, target, account: world.account, requests, responses, status, error: failure };
  for (const note of runNotes(over)) observations.observer.onPlatformDifference(note);
  return {
    // A person may have typed anything into the target.
    target: redactor.redactValue(target),
    startedAt,
    duration: Date.now() - startedAt,
    requests: observations.requestsWithReads(),
    console: observations.console,
    platformDifferences: redactor.redactValue(observations.platformDifferences),
    ...withoutData(targetResult, target, requests.at(-1), world),
  };
}

/** The part of a report that depends on the target; masked. */
type TargetResult = Pick<RunReport, "outcome" | "warnings" | "schema" | "sync" | "content" | "field">;

/**
 * Adds a warning if the result is empty, or if the last response was a sign-in page or an error with a successful status. A pack may mistake
 * such a response for data.
 */
function withoutData(
  targetResult: TargetResult,
  target: RunReport["target"],
  last: RequestTrace | undefined,
  world: RunWorld,
): TargetResult {
  const { outcome, warnings = [] } = targetResult;
  if (outcome.status !== "succeeded" || last === undefined) return targetResult;
  const { value } = outcome;
  const isNothing = (value ?? null) === null || (Array.isArray(value) && value.length === 0);
  const mayBeRefused = isNothing || isSignInPage(last) || errorInSuccess(last) !== undefined;
  const { pack, account } = world;
  const message =
    givesChoices(target) && (isNothing || !Array.isArray(value))
      ? explainEmptyList(last, world)
      : mayBeRefused
        ? explainMissingData(last, pack.definition[`${account?.scope ?? "user"}Authentication`])
        : undefined;
  return message === undefined ? targetResult : { ...targetResult, warnings: [...warnings, { path: "", message }] };
}

async function runTarget(input: RunInput, world: OpenWorld, observer: RunObserver): Promise<TargetResult> {
  const { target, timezone } = input;
  const { pack, redactor } = world;
  if (timezone !== ownTimezone && !isTimezone(timezone))
    throw new PackAuthError("invalid-parameter", `There is no time zone ${timezone}.`, { hint: "Give a name such as Europe/Lisbon." });
  switch (target.kind) {
    case "syncTable": {
      const { outcome, summary, schema, checker } = await runSyncTable(checkedInput(input, target, pack), world, observer);
      return { outcome, sync: summary, ...maskDetails(checker.warnings(), schema, redactor) };
    }
    case "formula":
      return runFormula(checkedInput(input, target, pack), world, observer);
    case "update": {
      const { outcome, schema } = await runUpdate(checkedInput(input, target, pack), world, observer);
      return { outcome, ...maskDetails([], schema, redactor) };
    }
    case "validateParameters": {
      const value = await validate(checkedInput(input, target, pack), world, observer);
      return { outcome: value === undefined ? { status: "cancelled" } : { status: "succeeded", value: redactor.redactValue(value) } };
    }
    case "propertyOptions": {
      const partialInput = checkedInput(input, target, pack, checkPartialParameters);
      return createPlainResult(await findPropertyOptions(partialInput, world, observer), redactor);
    }
    case "table": {
      const table = pack.definition.syncTables.find((candidate) => candidate.name === target.name);
      if (table !== undefined && !target.function.endsWith("DynamicUrls")) requireUrl(table, target.dynamicUrl);
      const partialInput = checkedInput(input, target, pack, checkPartialParameters);
      return createPlainResult(await execute(partialInput, world, observer), redactor, givesChoices(target));
    }
    default:
      return createPlainResult(await execute(input, world, observer), redactor, givesChoices(target));
  }
}

/** Returns the input for a target whose parameters fit. Throws invalid-parameter and unknown-formula. */
const checkedInput = <T extends Exclude<RunTarget, { kind: "authentication" }>>(
  { parameters, ...input }: RunInput,
  target: T,
  pack: Pack,
  check = checkParameters,
): RunInput<T> => ({ ...input, target, parameters: check(parameters, runnableOf(pack, target), input.timezone) });

async function runFormula(
  input: RunInput<RunTarget & { kind: "formula" }>,
  world: OpenWorld,
  observer: RunObserver,
): Promise<TargetResult> {
  const { pack, redactor } = world;
  const execution = await execute(input, world, observer);
  if (execution === undefined) return { outcome: { status: "cancelled" } };
  const formula = pack.definition.formulas.find((candidate) => candidate.name === input.target.name);
  const schema = asSchema(formula?.schema);
  const value = await finishValue(execution.value, schema, redactor);
  const checker = new ResultChecker();
  await checker.result(value, formula?.resultType, schema, execution.value);
  checker.lostValues(execution);
  if (formula?.resultType !== "date") checker.dates(execution.dates ?? [], schema === undefined ? "the result type" : "the schema");
  return { outcome: { status: "succeeded", value }, ...maskDetails(checker.warnings(), schema, redactor) };
}

async function createPlainResult(
  execution: { readonly value: unknown } | undefined,
  redactor: Redactor,
  isChoices = false,
): Promise<TargetResult> {
  if (execution === undefined) return { outcome: { status: "cancelled" } };
  const outcome = { status: "succeeded", value: await finishValue(execution.value, undefined, redactor) } as const;
  return { outcome, ...maskDetails(isChoices ? choiceWarnings(execution.value) : [], undefined, redactor) };
}

const maskDetails = (warnings: readonly ResultWarning[], schema: unknown, redactor: Redactor): Pick<TargetResult, "warnings" | "schema"> =>
  defined({ warnings: warnings.length === 0 ? undefined : redactor.redactValue(warnings), schema: redactor.redactValue(schema) });

/** Returns a result as the platform would show it, masked. */
async function finishValue(value: unknown, schema: Schema | undefined, redactor: Redactor): Promise<unknown> {
  if (!Array.isArray(value)) return redactLarge(normaliseResult(value, schema), redactor);
  const items = schema?.type === "array" ? asSchema(schema.items) : undefined;
  return redactLarge(await inSlices(value, (item) => normaliseResult(item, items)), redactor);
}
