// Which switch of the sandbox does what a failing entry says. Only exact matches count: the sandbox must not show another failure.
import type { LogEntry } from "../public-api/public-api.ts";
import type { SandboxSwitches } from "../sandbox/switches.ts";
import { errorOf, isFailure } from "./logs.ts";

/** Status of an API's response → the switch. */
const API_STATUS: Readonly<Record<string, Pick<SandboxSwitches, "api">>> = {
  "401": { api: "401" },
  "403": { api: "403" },
  "429": { api: "429" },
  "500": { api: "500" },
};

/** Status of a token endpoint's response → the switch. */
const TOKEN_STATUS: Readonly<Record<string, Pick<SandboxSwitches, "token">>> = { "429": { token: "429" }, "500": { token: "500" } };

/** The message of the Packs SDK's StatusCodeError: the status, a dash and the body. */
const STATUS_ERROR = /^(?:Error: )?(?:StatusCodeError: )?(\d{3}) - /;

interface MessageSwitches {
  readonly pattern: RegExp;
  readonly switches: Partial<SandboxSwitches>;
}

/** Errors of OAuth (RFC 6749, section 4.1.2.1) → the switch. */
const SIGN_IN_MESSAGES: readonly MessageSwitches[] = [{ pattern: /\baccess_denied\b/, switches: { deny: true } }];

/** Messages of Node → the switch. */
const API_MESSAGES: readonly MessageSwitches[] = [
  { pattern: /\bUnexpected end of JSON input\b|\bUnterminated string in JSON\b/, switches: { api: "cut" } },
  { pattern: /\bE(?:SOCKET)?TIMEDOUT\b/, switches: { api: "slow" } },
];

/** Returns undefined if no switch does the same. */
export function sandboxSwitchOf(entry: LogEntry): Partial<SandboxSwitches> | undefined {
  if (!isFailure(entry)) return undefined;
  const byStatus = entry.type === "auth" ? TOKEN_STATUS : API_STATUS;
  if (entry.type === "fetcher") return byStatus[String(entry.responseCode)];
  const message = entry.type === "custom" ? entry.message : (errorOf(entry)?.message ?? "");
  const status = STATUS_ERROR.exec(message)?.[1];
  if (status !== undefined) return byStatus[status];
  return (entry.type === "auth" ? SIGN_IN_MESSAGES : API_MESSAGES).find(({ pattern }) => pattern.test(message))?.switches;
}
