// Describes network errors below HTTP, for all modules that send requests.
import { PackAuthError } from "../errors.ts";

type Thrown = { code?: string; message?: string; cause?: { code?: string; message?: string; syscall?: string } } | null | undefined;

const codeOf = (thrown: Thrown): string => thrown?.cause?.code ?? thrown?.code ?? "";

const WITHOUT_TLS = /^ERR_SSL_|^EPROTO$|^ERR_TLS_(?!CERT)/;
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;

const PROXY_FAILED = "PROXY_FAILED";

/** Returns the cause of a request that failed because of the proxy; `why` must not contain the proxy's password. */
export const proxyFailure = (why: string, cause?: unknown): Error => Object.assign(new Error(why, { cause }), { code: PROXY_FAILED });

/** Returns a description of a network error. The code of its cause comes from Node or undici. */
export function networkMessage(error: unknown, host: string): string {
  if (error instanceof PackAuthError) return error.message;
  const thrown = error as Thrown;
  const cause = thrown?.cause;
  if (cause instanceof PackAuthError) return cause.message;
  const code = codeOf(thrown);
  if (error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError"))
    return error.name === "TimeoutError" ? `${host} did not answer in time` : "stopped";
  if (code === PROXY_FAILED) return `the proxy cannot be used, so the request to ${host} was not sent (${cause?.message ?? ""})`;
  if (isProxyFault(thrown)) return `the proxy did not let the request to ${host} through (${cause?.message ?? (error as Error).message})`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `the name ${host} does not resolve: the network is down, or the host is misspelled`;
  if (code === "ECONNREFUSED") return `${host} refuses connections`;
  if (/^(ECONNRESET|UND_ERR_SOCKET|EPIPE)$/.test(code)) return `${host} closed the connection`;
  if (/^(Z_|ERR__ERROR_|ERR_BROTLI)/.test(code) || /decompress/i.test(cause?.message ?? ""))
    return `${host} sent a compressed body that cannot be unpacked`;
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" || code === "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH")
    return `${host} sent less, or more, than it announced`;
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return `${host} did not answer in time`;
  if (WITHOUT_TLS.test(code)) return `no secure connection to ${host} could be made (${code})`;
  if (code === "CERT_HAS_EXPIRED") return `the certificate of ${host} has expired (${code})`;
  if (code === "CERT_NOT_YET_VALID") return `the certificate of ${host} is not valid yet (${code}): check this machine's clock`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return `the certificate is not made for ${host} (${code})`;
  if (UNTRUSTED.test(code))
    return `the certificate of ${host} is not trusted (${code}): name its authority in the setting packAuth.trustedCertificates, or on the command line in NODE_EXTRA_CA_CERTS`;
  if (code === "UND_ERR_HEADERS_OVERFLOW" || code === "HPE_HEADER_OVERFLOW") return `${host} sent headers that are too large`;
  return `the request to ${host} failed${cause?.message ? `: ${cause.message}` : error instanceof Error ? `: ${error.message}` : ""}`;
}

/** Returns the same description as one sentence. */
export const networkSentence = (error: unknown, host: string): string => `${networkMessage(error, host).replace(/\.$/, "")}.`;

/** Returns whether the proxy refused a tunnel, or returned a status that only proxies use (RFC 9110, section 15.5.8). */
function isProxyFault(thrown: Thrown): boolean {
  return thrown?.cause?.code === PROXY_FAILED || /HTTP Tunneling|proxy/i.test(`${thrown?.cause?.message ?? ""} ${thrown?.message ?? ""}`);
}

/** Returns what to try after {@link networkMessage}; `field` names the field with the address. */
export function networkHint(error: unknown, field: string): string {
  const thrown = error as Thrown;
  const code = codeOf(thrown);
  if (isProxyFault(thrown)) return "Check the proxy: in the editor the setting http.proxy, on the command line HTTPS_PROXY and NO_PROXY.";
  if (code === "request-refused")
    return `Check ${field}. In the editor, a provider in a private network is reached where authorizationUrl and tokenUrl name its host.`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `Check the host in ${field}, and the network.`;
  if (code === "ECONNREFUSED") return `Check ${field}, and whether the server is running.`;
  if (WITHOUT_TLS.test(code)) return `Check ${field}: the port may use plain http, or a proxy may be in the way.`;
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID")
    return "Check this machine's clock. Otherwise the provider must renew the certificate.";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return `Check the host in ${field}.`;
  if (UNTRUSTED.test(code)) return "Both name PEM files, such as the certificate of a company's authority or of your own test server.";
  if (error instanceof Error && error.name === "TimeoutError") return `Try again. If this happens again, check ${field} and the network.`;
  return `Check ${field} and the network.`;
}

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
