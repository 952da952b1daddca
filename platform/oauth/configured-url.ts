// Reads the provider's addresses from the configuration. They are checked before each request that carries a code or a secret.
import { isLoopback } from "../../base/is-loopback.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { PackAuthError } from "../errors.ts";
import { withoutEndSlashes } from "../network/endpoint.ts";

/**
 * Returns the field as an absolute https URL; http is allowed for loopback only. A root-relative URL is resolved against the account's
 * endpoint.
 * Throws configuration-invalid.
 */
export function configuredUrl(
  auth: AuthenticationDefinition,
  field: "authorizationUrl" | "tokenUrl",
  options: { readonly configRoot: string; readonly endpoint?: string | undefined },
): string {
  const value = auth[field]?.trim() ?? "";
  const configPath = `${options.configRoot}.${field}`;
  if (value === "") {
    throw new PackAuthError("configuration-invalid", `The authentication has no ${field}.`, {
      configPath,
      hint: `Add ${field} to the configuration.`,
    });
  }
  const text = withEndpoint(value, options.endpoint);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new PackAuthError("configuration-invalid", `${field} is not a URL: ${value}`, {
      configPath,
      hint: "Write an absolute https URL.",
    });
  }
  const url = new URL(text);
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw new PackAuthError("configuration-invalid", `${field} is not https, so the secret would travel unencrypted.`, {
      configPath,
      hint: "Use https.",
    });
  }
  return url.href;
}

/** Appends a root-relative URL to the account's endpoint; returns any other URL unchanged. */
export const withEndpoint = (url: string, endpoint: string | undefined): string =>
  endpoint !== undefined && /^\/(?!\/)/.test(url) ? `${withoutEndSlashes(endpoint)}${url}` : url;
