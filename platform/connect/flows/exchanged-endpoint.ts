// Reads the account's endpoint from the token response (auth-spec 5.7.3: endpointKey).
import { configRoot } from "../../../spec/auth-types.ts";
import { PackAuthError } from "../../errors.ts";
import { endpointProblem, LONGEST_ENDPOINT, normaliseEndpoint } from "../../network/endpoint.ts";
import type { TokenResponse } from "../../oauth/token-request.ts";
import type { FlowContext } from "./flow.ts";

/**
 * Returns the endpoint under endpointKey in the token response (auth-spec 5.7.3), or undefined without endpointKey. Throws
 * endpoint-invalid.
 */
export function endpointFrom(context: FlowContext, { raw, members }: Pick<TokenResponse, "raw" | "members">): string | undefined {
  const { endpointKey } = context.auth;
  if (endpointKey === undefined) return undefined;
  const value = raw[endpointKey];
  const configPath = `${configRoot(context.scope)}.endpointKey`;
  if (typeof value !== "string" || value === "") {
    throw new PackAuthError("endpoint-invalid", `The token response has no string under ${endpointKey}.`, {
      hint: `It has: ${members.join(", ")}.`,
      configPath,
    });
  }
  if (value.length > LONGEST_ENDPOINT) {
    throw new PackAuthError(
      "endpoint-invalid",
      `The token response's ${endpointKey} has more than ${LONGEST_ENDPOINT.toLocaleString("en")} characters, too many for an address.`,
      { hint: "endpointKey must name the property with the account's endpoint URL.", configPath },
    );
  }
  // A token is not an address, although some look like a host name; resolving such a name would disclose the token.
  const isToken = [raw.access_token, raw.refresh_token, raw.id_token].includes(value);
  if (isToken || endpointProblem(value) !== undefined) {
    throw new PackAuthError("endpoint-invalid", `The token response's ${endpointKey} is not an https URL.`, {
      // The value is not shown: with a wrong endpointKey it may be the token.
      hint: "endpointKey must name the property with the account's endpoint URL.",
      configPath,
    });
  }
  return normaliseEndpoint(value);
}
