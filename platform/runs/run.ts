// Runs a formula, a sync table or another function of a pack, and reports what happened. Invariant: everything in a report went
// through the run's redactor.
import { defined } from "../../base/defined.ts";
import { isOfMcp, type McpContent, type McpTarget } from "../../protocol/mcp.ts";
import type {
  ConsoleEntry,
  ParameterValue,
  RequestTrace,
  ResultWarning,
  RunOutcome,
  RunReport,
  RunTarget,
  SyncSummary,
} from "../../protocol/run.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { isSignInPage } from "../diagnosis/api-words.ts";
import { explainMissingData } from "../diagnosis/missing-data.ts";
import { PackAuthError } from "../errors.ts";
import type { Pack } from "../process/pack.ts";
import { createFetchCache } from "../requests/fetch-cache.ts";
import { createRedactor, type Redactor } from "../secrets/redact.ts";
import { redactLarge } from "../secrets/redact-large.ts";
import { inSlices } from "../slices.ts";
import { runnableOf } from "./authentication-in-force.ts";
import { choiceWarnings, givesChoices } from "./check-choices.ts";
import { createResultChecker } from "./check-result.ts";
import { execute } from "./execute.ts";
import { explainRun } from "./explain-run.ts";
import { runMcp } from "./mcp-run.ts";
import { normaliseResult } from "./normalise-result.ts";
import { checkParameters, checkPartialParameters } from "./parameters.ts";
import { createPlatformDifferences, responseNotes, runNotes } from "./platform-differences.ts";
import { findPropertyOptions } from "./property-options.ts";
import { isTimezone } from "./read-date.ts";
import { refuseMasked } from "./row-updates.ts";
import type { ResponseTrace, RunOptions } from "./run-options.ts";
import { asSchema, type Schema } from "./schema.ts";
import { runSyncTable } from "./sync-run.ts";
import { requireUrl } from "./table-schema.ts";
import { runUpdate } from "./update-run.ts";
import { validate } from "./validate-parameters.ts";

export type { RunAccount, RunOptions };
export { execute };

/** The number of requests whose headers and bodies are kept. Further requests are kept without them. */
const MOST_FULL_TRACES = 500;
const MOST_ECHO_READS = 50;

/** Runs a target and returns a report. A failure is an outcome, not an exception. */
export async function run(
  pack: Pack,
  target: RunTarget | McpTarget,
  parameters: readonly ParameterValue[],
  options: RunOptions,
): Promise<RunReport> {
  const startedAt = Date.now();
  const requests: RequestTrace[] = [];
  const console: ConsoleEntry[] = [];
  const responses: ResponseTrace[] = [];
  const echoReads = new Map<number, string[]>();
  /** Requests that were sent and are not answered yet, by number. */
  const unanswered = new Map<number, string>();
  const process = {};
  const redactor = options.redactor ?? createRedactor();
  const platformDifferences = createPlatformDifferences(options.onPlatformDifference);
  const observed: RunOptions = {
    ...options,
    fetchCache: options.fetchCache ?? createFetchCache(),
    redactor,
    run: process,
    traceIds: { next: 1, sending: 1 },
    onRequest: (trace) => {
      const boundedTrace = requests.length < MOST_FULL_TRACES ? trace : withoutBodies(trace);
      requests.push(boundedTrace);
      if (boundedTrace.echoed !== undefined) echoReads.set(boundedTrace.id, []);
      options.onRequest?.(boundedTrace);
    },
    onSending: (sending) => {
      unanswered.set(sending.id, `${sending.method} ${sending.url}`);
      options.onSending?.(sending);
    },
    onSent: (id) => {
      unanswered.delete(id);
      options.onSent?.(id);
    },
    onConsole: (entry) => {
      console.push(entry);
      options.onConsole?.(entry);
    },
    onPlatformDifference: (note) => platformDifferences.add(redactor.redactValue(note)),
    onRefreshFailed: (error) => {
      if (error instanceof PackAuthError) refreshFailure = error;
    },
    onResponse: (response) => {
      responses.push(response);
      if (!isOfMcp(target)) for (const note of responseNotes(response)) observed.onPlatformDifference?.(note);
    },
    onEchoRead: (request, field) => {
      const reads = echoReads.get(request);
      if (reads !== undefined && reads.length < MOST_ECHO_READS) reads.push(field);
    },
  };
  let targetResult: TargetResult;
  let failure: unknown;
  const credentialBefore = options.account?.credential;
  let refreshFailure: PackAuthError | undefined;
  try {
    refuseMasked([target, parameters]);
    targetResult = isOfMcp(target)
      ? await runMcp(pack, target, observed, redactor)
      : await runTarget(pack, target, parameters, observed, redactor);
  } catch (error) {
    failure = error;
    const explainedError = explainRun(error, {
      definition: pack.definition,
      target,
      requests,
      account: options.account,
      credentialBefore,
      refreshFailure,
      unansweredRequest: isOfMcp(target) ? undefined : [...unanswered.values()][0],
      now: Date.now(),
    });
    targetResult = {
      outcome: { status: "failed", error: redactor.redactValue(explainedError) },
      ...defined({ field: error instanceof PackAuthError ? error.field : undefined }),
    };
  } finally {
    pack.finish(process);
  }
  if (targetResult.outcome.status === "succeeded") targetResult = withoutData(targetResult, targetResult.outcome.value, requests.at(-1));
  const over = { pack, target, account: options.account, requests, responses, status: targetResult.outcome.status, error: failure };
  for (const note of runNotes(over)) observed.onPlatformDifference?.(note);
  return {
    // A person may have typed anything into the target.
    target: redactor.redactValue(target),
    startedAt,
    duration: Date.now() - startedAt,
    requests: requests.map((trace) => withReads(trace, echoReads.get(trace.id))),
    console,
    platformDifferences: redactor.redactValue(platformDifferences.list()),
    ...targetResult,
  };
}

const withReads = (trace: RequestTrace, fields: readonly string[] | undefined): RequestTrace =>
  trace.echoed === undefined || fields === undefined || fields.length === 0 ? trace : { ...trace, echoed: { ...trace.echoed, fields } };

/** The part of a report that depends on the target; masked. */
interface TargetResult {
  readonly outcome: RunOutcome;
  readonly warnings?: readonly ResultWarning[];
  readonly schema?: unknown;
  readonly sync?: SyncSummary;
  readonly content?: readonly McpContent[];
  readonly field?: string;
}

/**
 * Adds a warning if the result is empty or the last response was a sign-in page. A pack may mistake such a page for data, or ignore an
 * error.
 */
function withoutData(targetResult: TargetResult, value: unknown, last: RequestTrace | undefined): TargetResult {
  const isNothing = (value ?? null) === null || (Array.isArray(value) && value.length === 0);
  const message = last !== undefined && (isNothing || isSignInPage(last)) ? explainMissingData(last) : undefined;
  return message === undefined ? targetResult : { ...targetResult, warnings: [...(targetResult.warnings ?? []), { path: "", message }] };
}

async function runTarget(
  pack: Pack,
  target: RunTarget,
  parameters: readonly ParameterValue[],
  options: RunOptions,
  redactor: Redactor,
): Promise<TargetResult> {
  if (options.timezone !== undefined && !isTimezone(options.timezone))
    throw new PackAuthError("invalid-parameter", `There is no time zone ${options.timezone}.`, {
      hint: "Give a name such as Europe/Lisbon.",
    });
  switch (target.kind) {
    case "syncTable": {
      const checkedParameters = checkParameters(parameters, runnableOf(pack, target), options.timezone);
      const { outcome, summary, schema, checker } = await runSyncTable(pack, target, checkedParameters, options, redactor);
      return { outcome, sync: summary, ...maskDetails(checker.warnings(), schema, redactor) };
    }
    case "formula": {
      const checkedParameters = checkParameters(parameters, runnableOf(pack, target), options.timezone);
      const execution = await execute(pack, target, checkedParameters, options);
      if (execution === undefined) return { outcome: { status: "cancelled" } };
      const formula = pack.definition.formulas.find((candidate) => candidate.name === target.name);
      const schema = asSchema(formula?.schema);
      const value = await finishValue(execution.value, schema, redactor);
      const checker = createResultChecker();
      await checker.result(value, formula?.resultType, schema, execution.value);
      checker.lostValues(execution);
      if (formula?.resultType !== "date") checker.dates(execution.dates ?? [], schema === undefined ? "the result type" : "the schema");
      return { outcome: { status: "succeeded", value }, ...maskDetails(checker.warnings(), schema, redactor) };
    }
    case "update": {
      const checkedParameters = checkParameters(parameters, runnableOf(pack, target), options.timezone);
      const { outcome, schema } = await runUpdate(pack, target, checkedParameters, options, redactor);
      return { outcome, ...maskDetails([], schema, redactor) };
    }
    case "validateParameters": {
      const checkedParameters = checkParameters(parameters, runnableOf(pack, target), options.timezone);
      const value = await validate(pack, target, checkedParameters, options);
      return { outcome: value === undefined ? { status: "cancelled" } : { status: "succeeded", value: redactor.redactValue(value) } };
    }
    case "propertyOptions": {
      const checkedParameters = checkPartialParameters(parameters, runnableOf(pack, target), options.timezone);
      return createPlainResult(await findPropertyOptions(pack, target, checkedParameters, options), redactor);
    }
    case "table": {
      const table = pack.definition.syncTables.find((candidate) => candidate.name === target.name);
      if (table !== undefined && !target.function.endsWith("DynamicUrls")) requireUrl(table, target.dynamicUrl);
      const checkedParameters = checkPartialParameters(parameters, runnableOf(pack, target), options.timezone);
      return createPlainResult(await execute(pack, target, checkedParameters, options), redactor, givesChoices(target));
    }
    default:
      return createPlainResult(await execute(pack, target, parameters, options), redactor, givesChoices(target));
  }
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

function withoutBodies({
  requestBody: _request,
  responseBody: _response,
  responseHeaders: _headers,
  ...trace
}: RequestTrace): RequestTrace {
  return trace;
}
