// The one error of the platform: a code, what happened, what to do next, and the field of the configuration it comes from.
// A user's cancel is a value, never one of these.

export type ErrorCode =
  // the pack
  | "pack-not-found"
  | "pack-does-not-bundle"
  | "pack-throws-while-loading"
  | "pack-not-exported"
  | "toolkit-missing"
  // the pack process
  | "sandbox-layer-missing"
  | "no-usable-node"
  | "process-crashed"
  | "time-limit"
  | "memory-limit"
  | "output-limit"
  // running
  | "unknown-formula"
  | "invalid-parameter"
  | "account-required"
  | "pack-threw"
  // requests
  | "request-refused"
  | "network-error"
  | "response-too-large"
  | "response-invalid"
  // signing in
  | "type-unavailable"
  | "configuration-invalid"
  | "credentials-missing"
  | "endpoint-invalid"
  | "redirect-port-busy"
  | "authorization-denied"
  | "authorization-timed-out"
  | "authorization-invalid"
  | "token-exchange-failed"
  | "refresh-failed"
  | "sign-in-again"
  | "storage-failed"
  | "sandbox-failed";

export interface PackAuthErrorOptions {
  /** What to do next. */
  readonly hint?: string;
  /** The field of the configuration, such as `userAuthentication.tokenUrl`. */
  readonly configPath?: string;
  readonly cause?: unknown;
}

export class PackAuthError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly configPath: string | undefined;

  constructor(code: ErrorCode, message: string, options: PackAuthErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "PackAuthError";
    this.code = code;
    this.hint = options.hint;
    this.configPath = options.configPath;
  }
}
