// The option --redirect.
import { DEFAULT_REDIRECT, type RedirectSettings } from "../../platform/oauth/receiver.ts";
import { UsageError } from "../terminal/usage-error.ts";

export const REDIRECT_OPTION = {
  redirect: { argument: "ADDRESS", help: "the redirect address to register at the provider (default: http://localhost:3000/oauth)" },
} as const;

/**
 * Accepts only loopback addresses (RFC 8252, section 7.3), such as `http://localhost:3000/oauth`; port 0 means any free port. Throws
 * UsageError.
 */
export function redirectFrom(address: string | undefined): RedirectSettings {
  if (address === undefined) return DEFAULT_REDIRECT;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const host = url?.hostname === "localhost" || url?.hostname === "127.0.0.1" ? url.hostname : undefined;
  if (url?.protocol !== "http:" || host === undefined || url.search !== "" || url.hash !== "")
    throw new UsageError(`--redirect must be an address of this machine such as http://localhost:3000/oauth, not ${address}.`);
  return { ...DEFAULT_REDIRECT, host, port: url.port === "" ? 80 : Number(url.port), path: url.pathname };
}
