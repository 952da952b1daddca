// The provider's addresses as the configuration gives them; checked wherever a code or a secret is about to go there.
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { PackAuthError } from "../errors.ts";
import { withoutEndSlashes } from "../network/endpoint.ts";

/**
 * An absolute https URL (http on this machine only); a root-relative one is taken from the account's endpoint. Throws configuration-invalid.
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
  if (url.protocol === "http:" && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)) {
    throw new PackAuthError("configuration-invalid", `${field} is not https, so the secret would travel unencrypted.`, {
      configPath,
      hint: "Use https.",
    });
  }
  return url.href;
}

/** A root-relative URL behind the account's endpoint; any other as it is. */
export const withEndpoint = (url: string, endpoint: string | undefined): string =>
  endpoint !== undefined && /^\/(?!\/)/.test(url) ? `${withoutEndSlashes(endpoint)}${url}` : url;
