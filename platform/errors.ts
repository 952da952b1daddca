// The platform's only error class: a code, what happened, what to do next, and the field of the configuration to blame. A cancel by the
// user is a return value and never an error.

import { defined } from "../base/defined.ts";
import { errorMessage } from "../base/error-message.ts";
import type { NextStepWords } from "../protocol/next-step.ts";
import type { ErrorReport, RunReport, SourceLocation, StackFrame, Timestamp } from "../protocol/run.ts";

export type ErrorCode =
  // the pack
  | "pack-not-found"
  | "pack-does-not-bundle"
  | "pack-throws-while-loading"
  /** The pack loads in Node, where the upload builds it, and needs there what the platform's runtime lacks. */
  | "pack-fails-on-platform"
  | "code-from-strings"
  | "pack-not-exported"
  | "toolkit-missing"
  | "workspace-untrusted"
  // the pack process
  | "sandbox-layer-missing"
  | "no-usable-node"
  | "process-crashed"
  | "time-limit"
  | "memory-limit"
  | "output-limit"
  | "debugger-unavailable"
  // running
  | "unknown-formula"
  | "invalid-parameter"
  | "account-required"
  | "pack-threw"
  // saved tests
  | "recording-refused"
  | "test-invalid"
  // requests
  | "request-refused"
  | "network-error"
  | "response-too-large"
  | "response-invalid"
  // MCP servers
  | "mcp-failed"
  | "unknown-tool"
  | "tool-failed"
  // signing in
  | "type-unavailable"
  | "configuration-invalid"
  | "credentials-missing"
  | "credentials-refused"
  | "endpoint-invalid"
  | "redirect-port-busy"
  | "authorization-denied"
  | "authorization-timed-out"
  | "authorization-invalid"
  | "token-exchange-failed"
  | "refresh-failed"
  | "sign-in-again"
  | "storage-failed"
  | "sandbox-failed"
  | "drill-failed"
  // set-up
  | "evidence-unreadable"
  | "setup-unproven"
  // the platform's public API
  | "pack-id-missing"
  | "api-token-refused"
  | "api-forbidden"
  | "api-not-found"
  | "api-limited"
  | "api-failed"
  | "api-host-unapproved"
  // uploading
  | "toolkit-build-failed"
  | "upload-rejected"
  | "upload-unconfirmed"
  // references to secrets
  | "account-file-invalid"
  | "reference-unapproved"
  | "reference-unresolved"
  // agents
  | "tool-call-invalid"
  | "path-outside"
  | "person-unreachable"
  | "consent-refused"
  | "still-under-way"
  | "sources-unreadable"
  | "settings-invalid"
  | "language-server-unavailable";

/** What an error shares with its report. */
type Reported = Pick<ErrorReport, "hint" | "nextStep" | "configPath" | "remedies" | "diagnosis">;

export interface PackAuthErrorOptions extends Readonly<{ [Name in keyof Reported]?: Reported[Name] | undefined }> {
  /** The name of the parameter to blame; `dynamicUrl` for the URL of a dynamic table. */
  readonly field?: string | undefined;
  /** The place in the pack's sources that the error comes from. */
  readonly location?: SourceLocation | undefined;
  /** The stack of the error that the pack threw, mapped to the pack's sources. */
  readonly stackFrames?: readonly StackFrame[] | undefined;
  /** The error that the pack threw: its name, whether it is for the pack's user, and whether the pack created it. */
  readonly thrown?: { readonly name: string; readonly userVisible: boolean; readonly isOwn: boolean } | undefined;
  /** What the platform's validator says of an upload that it rejected. */
  readonly validationErrors?: readonly { readonly path?: string; readonly message: string }[] | undefined;
  readonly cause?: unknown;
}

// The constructor assigns the options, so that an error can be the options of another one.
export interface PackAuthError extends Omit<PackAuthErrorOptions, "cause"> {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: see above.
export class PackAuthError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, { cause, ...options }: PackAuthErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, options);
    this.name = "PackAuthError";
    this.code = code;
  }
}

/**
 * Returns the report of any error for people to read. Texts are not masked here: the caller's redactor does that before a sink receives
 * them.
 */
export function reportOf(error: unknown): ErrorReport {
  if (!(error instanceof PackAuthError)) {
    return { code: "unexpected", message: errorMessage(error), isForeign: true, hint: "Please report this: it is a bug in Pack Auth." };
  }
  const stack = error.stackFrames ?? (error.location ? [{ text: formatLocation(error.location), location: error.location }] : undefined);
  return {
    // The Packs SDK's UserVisibleError has no name of its own.
    code: error.thrown?.userVisible === true && error.thrown.name === "Error" ? "UserVisibleError" : (error.thrown?.name ?? error.code),
    message: error.message,
    ...defined({ hint: error.hint, nextStep: error.nextStep, configPath: error.configPath, stack }),
    ...(error.thrown?.userVisible ? { userVisible: true } : {}),
    ...(error.thrown !== undefined || error.code === "tool-failed" ? { isForeign: true } : {}),
    ...defined({ remedies: error.remedies, diagnosis: error.diagnosis }),
  };
}

/** Characters of the message before the hint: a pack's error may contain a whole page that an API responded with. */
const LONGEST_BEFORE_HINT = 2_000;

/**
 * Returns the message followed by the hint, and by the next step if there are `words` for it. A message of the pack that lacks a full stop
 * gets one, so that the hint is a new sentence.
 */
export function wholeMessage({ message, ...advice }: Advice & { readonly message: string }, words?: NextStepWords): string {
  const hint = hintIn(advice, words);
  if (hint === undefined || message === "") return message || (hint ?? "");
  if (message.length > LONGEST_BEFORE_HINT) return `${message.slice(0, LONGEST_BEFORE_HINT)}… ${hint}`;
  return `${message}${/[.!?…:。]["”')]*$/.test(message) ? "" : "."} ${hint}`;
}

export type Advice = Pick<PackAuthErrorOptions, "hint" | "nextStep">;

/** Returns the hint and the host's words for the next step; undefined if there is neither. */
export const hintIn = ({ hint, nextStep }: Advice, words?: NextStepWords): string | undefined =>
  [hint, nextStep && words?.(nextStep)].filter(Boolean).join(" ") || undefined;

/** Returns the report as people read it: the next step is part of the hint. */
export const wordedError = ({ nextStep, hint, ...error }: ErrorReport, words: NextStepWords): ErrorReport => ({
  ...error,
  ...defined({ hint: hintIn({ hint, nextStep }, words) }),
});

/** Returns the same of a run. Beside a request the step follows what happened. */
export const wordedRun = (report: RunReport, words: NextStepWords): RunReport => ({
  ...report,
  outcome: report.outcome.status === "failed" ? { ...report.outcome, error: wordedError(report.outcome.error, words) } : report.outcome,
  requests: report.requests.map(({ nextStep, ...request }) => {
    if (nextStep === undefined) return request;
    const { failureReason: message, warnings } = request;
    return message === undefined
      ? { ...request, warnings: [...warnings, words(nextStep)] }
      : { ...request, failureReason: wholeMessage({ message, nextStep }, words) };
  }),
});

function formatLocation(location: SourceLocation): string {
  return `${location.path}:${location.line + 1}:${location.character + 1}`;
}

/** Returns the report of a run that failed before its first request. */
export const failedReport = (target: RunReport["target"], startedAt: Timestamp, error: ErrorReport): RunReport => ({
  target,
  startedAt,
  duration: Date.now() - startedAt,
  outcome: { status: "failed", error },
  requests: [],
  console: [],
  platformDifferences: [],
});
