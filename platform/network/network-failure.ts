// Classifies network errors below HTTP, for all modules that send requests.
import { PackAuthError } from "../errors.ts";

type Thrown = { code?: string; message?: string; cause?: { code?: string; message?: string; syscall?: string } } | null | undefined;

const codeOf = (thrown: Thrown): string => thrown?.cause?.code ?? thrown?.code ?? "";

const PROXY_FAILED = "PROXY_FAILED";

/** Returns the cause of a request that failed because of the proxy; `why` must not contain the proxy's password. */
export const proxyFailure = (why: string, cause?: unknown): Error => Object.assign(new Error(why, { cause }), { code: PROXY_FAILED });

/** Why a request got no response. */
export interface NetworkFailure {
  readonly kind: NetworkFailureKind;
  readonly host: string;
  /** The code of the cause, its message, or the sentence of a refusal of our own. It may be empty. */
  readonly detail: string;
}

export type NetworkFailureKind =
  | "refused-here"
  | "stopped"
  | "no-answer-in-time"
  | "proxy-unusable"
  | "proxy-refused"
  | "host-unknown"
  | "connection-refused"
  | "connection-closed"
  | "body-unreadable"
  | "length-mismatch"
  | "no-secure-connection"
  | "certificate-expired"
  | "certificate-not-yet-valid"
  | "certificate-of-other-host"
  | "certificate-untrusted"
  | "headers-too-large"
  | "other";

/** Patterns of the cause's code, which comes from Node or undici. The first that matches counts. */
const KINDS: readonly (readonly [RegExp, NetworkFailureKind])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, "host-unknown"],
  [/^ECONNREFUSED$/, "connection-refused"],
  [/^(ECONNRESET|UND_ERR_SOCKET|EPIPE)$/, "connection-closed"],
  [/^(Z_|ERR__ERROR_|ERR_BROTLI)/, "body-unreadable"],
  [/^UND_ERR_(RES|REQ)_CONTENT_LENGTH_MISMATCH$/, "length-mismatch"],
  [/TIMEOUT|ETIMEDOUT/, "no-answer-in-time"],
  [/^ERR_SSL_|^EPROTO$|^ERR_TLS_(?!CERT)/, "no-secure-connection"],
  [/^CERT_HAS_EXPIRED$/, "certificate-expired"],
  [/^CERT_NOT_YET_VALID$/, "certificate-not-yet-valid"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "certificate-of-other-host"],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/, "certificate-untrusted"],
  [/^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/, "headers-too-large"],
];

/** Returns the kind of a network error. */
export function networkFailureOf(error: unknown, host: string): NetworkFailure {
  const thrown = error as Thrown;
  const cause = thrown?.cause;
  const own = [error, cause].find((each) => each instanceof PackAuthError);
  if (own !== undefined) return { kind: "refused-here", host, detail: own.message };
  const code = codeOf(thrown);
  const message = cause?.message ?? (error instanceof Error ? error.message : "");
  if (error instanceof Error && error.name === "TimeoutError") return { kind: "no-answer-in-time", host, detail: code };
  if (error instanceof Error && error.name === "AbortError") return { kind: "stopped", host, detail: code };
  if (code === PROXY_FAILED) return { kind: "proxy-unusable", host, detail: cause?.message ?? "" };
  if (isProxyFault(thrown)) return { kind: "proxy-refused", host, detail: message };
  const kind = KINDS.find(([pattern]) => pattern.test(code))?.[1];
  if (kind !== undefined) return { kind, host, detail: code };
  return /decompress/i.test(cause?.message ?? "")
    ? { kind: "body-unreadable", host, detail: code }
    : { kind: "other", host, detail: message };
}

/** Returns whether the proxy refused a tunnel, or returned a status that only proxies use (RFC 9110, section 15.5.8). */
const isProxyFault = (thrown: Thrown): boolean => /HTTP Tunneling|proxy/i.test(`${thrown?.cause?.message ?? ""} ${thrown?.message ?? ""}`);

/** Returns whether the request was certainly not sent: name resolution, connection or certificate failed, or a proxy refused the tunnel. */
export function wasNeverSent(error: unknown): boolean {
  const thrown = error as Thrown;
  const code = codeOf(thrown);
  return (
    code === PROXY_FAILED ||
    /^(request-refused|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|UND_ERR_CONNECT_TIMEOUT|ERR_SSL_WRONG_VERSION_NUMBER|ERR_TLS_CERT_ALTNAME_INVALID)$/.test(
      code,
    ) ||
    /^(CERT_|SELF_SIGNED_|DEPTH_ZERO_SELF_SIGNED_|UNABLE_TO_(VERIFY|GET_ISSUER)_)/.test(code) ||
    thrown?.cause?.syscall === "connect" ||
    /HTTP Tunneling/.test(thrown?.cause?.message ?? "")
  );
}
