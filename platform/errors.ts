// The platform's only error class: a code, what happened, what to do next, and the field of the configuration to blame. A cancel by the
// user is a return value and never an error.

import { defined } from "../base/defined.ts";
import { errorMessage } from "../base/error-message.ts";
import type { ErrorReport, Remedy, RunReport, SourceLocation, StackFrame, Timestamp } from "../protocol/run.ts";

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

export interface PackAuthErrorOptions {
  /** What to do next. */
  readonly hint?: string | undefined;
  /** The field of the configuration, such as `userAuthentication.tokenUrl`. */
  readonly configPath?: string | undefined;
  /** The name of the parameter to blame; `dynamicUrl` for the URL of a dynamic table. */
  readonly field?: string | undefined;
  /** The place in the pack's sources that the error comes from. */
  readonly location?: SourceLocation | undefined;
  /** The stack of the error that the pack threw, mapped to the pack's sources. */
  readonly stackFrames?: readonly StackFrame[] | undefined;
  /** The error that the pack threw: its name, whether it is for the pack's user, and whether the pack created it. */
  readonly thrown?: { readonly name: string; readonly userVisible: boolean; readonly isOwn: boolean } | undefined;
  /** Actions that the user can take at once. */
  readonly remedies?: readonly Remedy[] | undefined;
  /** The name of the diagnosis that explains the error. */
  readonly diagnosis?: string | undefined;
  /** What the platform's validator says of an upload that it rejected. */
  readonly validationErrors?: readonly { readonly path?: string; readonly message: string }[] | undefined;
  readonly cause?: unknown;
}

export class PackAuthError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly configPath: string | undefined;
  readonly field: string | undefined;
  readonly location: SourceLocation | undefined;
  readonly stackFrames: readonly StackFrame[] | undefined;
  readonly thrown: PackAuthErrorOptions["thrown"];
  readonly remedies: readonly Remedy[] | undefined;
  readonly diagnosis: string | undefined;
  readonly validationErrors: PackAuthErrorOptions["validationErrors"];

  constructor(code: ErrorCode, message: string, options: PackAuthErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "PackAuthError";
    this.code = code;
    this.hint = options.hint;
    this.configPath = options.configPath;
    this.field = options.field;
    this.location = options.location;
    this.stackFrames = options.stackFrames;
    this.thrown = options.thrown;
    this.remedies = options.remedies;
    this.diagnosis = options.diagnosis;
    this.validationErrors = options.validationErrors;
  }
}

/**
 * Returns the report of any error for people to read. Texts are not masked here: the caller's redactor does that before a sink receives
 * them.
 */
export function reportOf(error: unknown): ErrorReport {
  if (!(error instanceof PackAuthError)) {
    return { code: "unexpected", message: errorMessage(error), hint: "Please report this: it is a bug in Pack Auth." };
  }
  const stack = error.stackFrames ?? (error.location ? [{ text: formatLocation(error.location), location: error.location }] : undefined);
  return {
    // The Packs SDK's UserVisibleError has no name of its own.
    code: error.thrown?.userVisible === true && error.thrown.name === "Error" ? "UserVisibleError" : (error.thrown?.name ?? error.code),
    message: error.message,
    ...defined({ hint: error.hint, configPath: error.configPath, stack }),
    ...(error.thrown?.userVisible ? { userVisible: true } : {}),
    ...defined({ remedies: error.remedies, diagnosis: error.diagnosis }),
  };
}

/** Characters of the message before the hint: a pack's error may contain a whole page that an API responded with. */
const LONGEST_BEFORE_HINT = 2_000;

/** Returns the message followed by the hint. A message of the pack that lacks a full stop gets one, so that the hint is a new sentence. */
export function wholeMessage({ message, hint }: { readonly message: string; readonly hint?: string | undefined }): string {
  if (!hint || message === "") return message || (hint ?? "");
  if (message.length > LONGEST_BEFORE_HINT) return `${message.slice(0, LONGEST_BEFORE_HINT)}… ${hint}`;
  return `${message}${/[.!?…:。]["”')]*$/.test(message) ? "" : "."} ${hint}`;
}

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
