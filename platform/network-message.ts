// What went wrong below HTTP, in words that say what happened; shared by all that send.
import { PackAuthError } from "./errors.ts";

/** What went wrong below HTTP, in words; the cause's code is what Node and undici give. */
export function networkMessage(error: unknown, host: string): string {
  if (error instanceof PackAuthError) return error.message;
  const thrown = error as { code?: string; cause?: { code?: string; message?: string } } | null | undefined;
  const cause = thrown?.cause;
  const code = cause?.code ?? thrown?.code ?? "";
  if (error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError"))
    return error.name === "TimeoutError" ? `${host} did not answer in time` : "stopped";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return `the name ${host} does not resolve: no network, or a typing error in the host`;
  if (code === "ECONNREFUSED") return `${host} refuses connections`;
  if (/^(ECONNRESET|UND_ERR_SOCKET|EPIPE)$/.test(code)) return `${host} broke the connection off`;
  if (/^(Z_|ERR__ERROR_|ERR_BROTLI)/.test(code) || /decompress/i.test(cause?.message ?? ""))
    return `${host} sent a compressed body that cannot be unpacked`;
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" || code === "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH")
    return `${host} sent less, or more, than it announced`;
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return `${host} did not answer in time`;
  if (/^ERR_SSL_|^EPROTO$|^ERR_TLS_(?!CERT)/.test(code)) return `no secure connection to ${host} could be made (${code})`;
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return `the certificate of ${host} is not trusted (${code})`;
  if (code === "UND_ERR_HEADERS_OVERFLOW" || code === "HPE_HEADER_OVERFLOW") return `${host} sent headers that are too large`;
  return `the request to ${host} failed${cause?.message ? `: ${cause.message}` : error instanceof Error ? `: ${error.message}` : ""}`;
}
