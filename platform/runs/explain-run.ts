// Explains why a run failed: collects the facts of its requests and its account, and asks the diagnosis once.
import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import type { ErrorReport, RequestTrace, RunReport } from "../../protocol/run.ts";
import { asksProvider, configRoot } from "../../spec/auth-types.ts";
import type { RunAccount } from "../accounts/run-account.ts";
import { type Explanation, explain } from "../diagnosis/explain.ts";
import { type AccountFacts, type Failure, type McpFacts, NO_AUTHENTICATION, type RunFacts } from "../diagnosis/failure.ts";
import type { DiagnosisId } from "../diagnosis/order.ts";
import { explanationText, refusalMessage } from "../diagnosis/words.ts";
import { PackAuthError, reportOf } from "../errors.ts";
import { McpServerError } from "../mcp/server-error.ts";
import { hasRunOut } from "../oauth/missing-refresh-token.ts";
import type { Credential } from "../secrets/credential.ts";
import { isRenewable } from "./expired-token.ts";
import { undeclaredHost } from "./remedies.ts";
import type { RunWorld } from "./run-world.ts";
import { lackingScopes } from "./scopes.ts";

/** What is known of a failed run. */
export interface FailedRun {
  readonly definition: PackDefinition;
  readonly target: RunReport["target"];
  /** The requests in their order. */
  readonly requests: readonly RequestTrace[];
  readonly account: RunAccount | undefined;
  /** The account's credential when the run began. */
  readonly credentialBefore: Credential | undefined;
  /** The error of a refresh of the token, if one failed. */
  readonly refreshFailure: PackAuthError | undefined;
  /** The first request that has no response yet. */
  readonly unansweredRequest: string | undefined;
  readonly now: number;
}

/** Returns the error with what explains it: a hint, the part of the configuration to change, and what a person can do at once. */
export function explainRun(error: unknown, run: FailedRun): ErrorReport {
  // A pack may pass on that a request was blocked, but not the step that permits it.
  const permit = run.requests.findLast(({ failure }) => failure === "blocked")?.nextStep;
  const report = { ...defined({ nextStep: permit }), ...reportOf(error) };
  if (run.refreshFailure !== undefined) return withRefreshFailure(report, run.refreshFailure);
  const mcp = error instanceof McpServerError ? error : undefined;
  const explainedRequest = explanationOf(report, run, mcp);
  if (explainedRequest === undefined) return report;
  const { explanation, request } = explainedRequest;
  const remedies = [...(report.remedies ?? []), ...(explanation.remedies ?? [])];
  const isHinted = (report.hint !== undefined || report.nextStep !== permit) && report.code !== "time-limit";
  const more = defined({ remedies: remedies.length === 0 ? undefined : remedies });
  if (isHinted) return { ...report, ...more };
  const configPath = placeOf(explanation, request, run) ?? report.configPath;
  const explained = { ...report, ...more, diagnosis: explanation.id, ...defined({ configPath, nextStep: explanation.nextStep }) };
  return mcp === undefined
    ? { ...explained, hint: hintOf(explanation, report) }
    : { ...explained, message: `${refusalMessage(mcp.message, explanation, undefined)}${mcp.quotation}`, hint: explanation.advice };
}

/** Returns the error of a function that the pack was asked for beside a run, such as getOptions, with what explains it. */
export function explainCall(
  error: unknown,
  target: FailedRun["target"],
  requests: readonly RequestTrace[],
  { pack, account }: RunWorld,
): unknown {
  if (!(error instanceof PackAuthError) || (error.hint ?? error.nextStep) !== undefined) return error;
  const { hint, nextStep, configPath, remedies, diagnosis } = explainRun(error, {
    definition: pack.definition,
    target,
    requests,
    account,
    // The credential of a sign-in was issued just now; that of a stored account was not.
    credentialBefore: account?.id === undefined ? undefined : account.credential,
    refreshFailure: undefined,
    unansweredRequest: undefined,
    now: Date.now(),
  });
  return new PackAuthError(error.code, error.message, { ...error, hint, nextStep, configPath, remedies, diagnosis, cause: error });
}

/** Returns why a function of the pack lists nothing, if the response to its last request says it. */
export function explainEmptyList(last: RequestTrace | undefined, { pack, account }: RunWorld): string | undefined {
  const auth = pack.definition[`${account?.scope ?? "user"}Authentication`] ?? NO_AUTHENTICATION;
  const explanation = last && explain({ phase: "resource", auth, exchange: last });
  return explanation && `${last.method} ${last.url} was answered with status ${last.status}. ${explanationText(explanation)}`;
}

/** A pack's own error may repeat the reason. */
const hintOf = (explanation: Explanation, { message }: ErrorReport): string =>
  message.includes(explanation.reason) ? explanation.advice : explanationText(explanation, message);

interface ExplainedRequest {
  readonly explanation: Explanation;
  readonly request: RequestTrace | undefined;
}

/** Explains the last request. If that says no more than its status, an earlier refusal of the credential counts. */
function explanationOf(report: ErrorReport, run: FailedRun, mcp: McpServerError | undefined): ExplainedRequest | undefined {
  const last = mcp === undefined ? run.requests.at(-1) : run.requests.findLast(({ method }) => method === mcp.method);
  const explanation = explanationFor(last, report, run, mcp?.facts);
  const earlier = run.requests.findLast(({ diagnosis, status }) => diagnosis !== undefined && status !== undefined);
  const isSpecific = explanation !== undefined && (!explanation.isGeneral || isRefusal(last));
  if (isSpecific || earlier === undefined || earlier === last) return explanation && { explanation, request: last };
  const refusal = explanationFor(earlier, report, run, mcp?.facts);
  return refusal && { explanation: refusal, request: earlier };
}

function explanationFor(
  request: RequestTrace | undefined,
  report: ErrorReport,
  run: FailedRun,
  mcp: McpFacts | undefined,
): Explanation | undefined {
  if (request?.failureReason !== undefined && request.diagnosis !== undefined && request.hint !== undefined) {
    const { failureReason, hint, nextStep } = request;
    const reason = report.message.includes(failureReason) ? failureReason : `the last request failed: ${failureReason}`;
    return { id: request.diagnosis.id as DiagnosisId, reason, advice: hint, nextStep, isGeneral: false, quotation: "" };
  }
  const auth = authenticationOf(run);
  const failure: Failure = {
    phase: "resource",
    auth: auth ?? NO_AUTHENTICATION,
    run: runFacts(report, run),
    ...defined({ exchange: request, account: accountFacts(request, run, auth), mcp }),
  };
  return explain(failure);
}

const authenticationOf = ({ definition, account }: FailedRun): AuthenticationDefinition | undefined =>
  definition[`${account?.scope ?? "user"}Authentication`];

const isRefusal = (request: RequestTrace | undefined): boolean =>
  (request?.status === 401 || request?.status === 403) && request.credentials.length > 0;

/** Returns the part of the configuration to change: a field, or all of it if the last credential was refused. */
function placeOf({ field }: Explanation, request: RequestTrace | undefined, { account, requests }: FailedRun): string | undefined {
  const root = configRoot(account?.scope ?? "user");
  if (field !== undefined) return `${root}.${field}`;
  return isRefusal(request) && request === requests.at(-1) ? root : undefined;
}

/** Milliseconds after its issue in which a token is taken to be as good as another sign-in's. */
const FRESH = 60_000;

function accountFacts(
  request: RequestTrace | undefined,
  { account, credentialBefore, requests, now }: FailedRun,
  auth: AuthenticationDefinition | undefined,
): AccountFacts | undefined {
  if (account === undefined) return undefined;
  const { credential, renewedEarly = false } = account;
  const { issuedAt, tokenType } = credential.kind === "oauth2" ? credential : {};
  const isNew = credential.kind === "oauth2" && credential !== credentialBefore;
  return {
    isFresh: renewedEarly || isNew || (issuedAt !== undefined && now - issuedAt < FRESH),
    ...defined({ tokenType }),
    hasRunOut: auth !== undefined && hasRunOut(credential, auth, now),
    isRenewable: isRenewable(account),
    wasRenewedEarly: renewedEarly,
    wasAccepted: request !== undefined && wasAccepted(request, requests),
  };
}

/** Returns whether the same host accepted the credential in an earlier request. */
function wasAccepted(request: RequestTrace, requests: readonly RequestTrace[]): boolean {
  const host = hostOf(request);
  return requests.some(
    (earlier) => earlier.id < request.id && hostOf(earlier) === host && earlier.credentials.length > 0 && (earlier.status ?? 500) < 300,
  );
}

const hostOf = ({ url }: RequestTrace): string => (URL.canParse(url) ? new URL(url).host : "");

function runFacts({ code }: ErrorReport, { definition, target, requests, account, unansweredRequest }: FailedRun): RunFacts {
  const isOfProvider = account?.scope === "user" && account.id !== undefined && asksProvider(definition.userAuthentication?.type);
  const grantedScopes = account?.grantedScopes ?? [];
  const stored = isOfProvider && account.id !== undefined ? { id: account.id, grantedScopes } : undefined;
  return {
    lackingScopes: stored === undefined ? [] : lackingScopes(grantedScopes, definition, target),
    asker: target.kind === "mcpServer" || !("name" in target) ? "the pack" : target.name,
    errorName: code,
    ...defined({ account: stored, undeclaredHost: undeclaredHost(requests, definition.networkDomains, account), unansweredRequest }),
  };
}

/**
 * Returns the error with the reason why the token was not refreshed, which is more useful than the API's refusal of the old token. The
 * message is not repeated if the pack already passed it on.
 */
function withRefreshFailure(report: ErrorReport, { message, hint = "", nextStep, configPath, diagnosis }: PackAuthError): ErrorReport {
  if (report.hint !== undefined) return report;
  return {
    ...report,
    ...defined({ hint: report.message.includes(message) ? undefined : `${message} ${hint}`.trim(), nextStep, configPath, diagnosis }),
  };
}
