// Where a credential that no sign-in stored would go, decided before anything is sent: for accounts of the environment and of an account
// file.

import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import { PackAuthError } from "../errors.ts";
import { covers } from "../network/url-policy.ts";

/**
 * Returns the hosts that the credentials would go to: only the endpoint's host if there is an endpoint (url-policy.ts). Nothing is sent to
 * text that is not a host.
 */
export function destinationsOf({ credentialDomains = [] }: AuthenticationDefinition, endpoint: string | undefined): readonly string[] {
  const hosts = endpoint !== undefined ? [new URL(endpoint).hostname] : credentialDomains;
  return hosts.map((host) => host.toLowerCase()).filter(isHost);
}

/**
 * Throws endpoint-invalid if the pack cannot reach the endpoint. `source` is the variable or the member that contains the endpoint. The
 * check runs first, because setting other variables would not help.
 */
export function refuseForeign(
  source: string,
  endpoint: string,
  { networkDomains }: PackDefinition,
  { endpointDomain }: AuthenticationDefinition,
): void {
  if (!URL.canParse(endpoint))
    throw new PackAuthError("endpoint-invalid", `${source} is not a URL.`, {
      hint: "Set it to a URL such as https://my-site.example.com.",
    });
  const host = new URL(endpoint).hostname;
  for (const domains of [endpointDomain === undefined ? [] : [endpointDomain], networkDomains])
    if (domains.length > 0 && !domains.some((domain) => covers(domain, host)))
      throw new PackAuthError(
        "endpoint-invalid",
        `${source} names ${host}, and the pack allows only ${domains.join(" and ")}; nothing was sent.`,
        { hint: `Set it to an address under ${domains.join(" or ")}.` },
      );
}

/** Parses the host as the sender does, and not by the usual form of names: names with `_` or `$` resolve too. */
export const isHost = (text: string): boolean => URL.canParse(`https://${text}/`) && new URL(`https://${text}/`).host === text;

/** Returns whether the host has no special meaning inside the quotation marks of a shell. */
const isPlain = (host: string): boolean => /^[\w.:[\]-]+$/.test(host);

/**
 * Throws request-refused if a destination is not among `named`, the value of PACK_AUTH_DOMAINS: domains separated by spaces or commas,
 * including their subdomains. Does not show the variable's value. `whose` completes "The credentials of".
 */
export function refuseUnnamed(destinations: readonly string[], named: string | undefined, whose: string): void {
  const domains = (named ?? "").split(/[\s,]+/);
  const unnamed = destinations.filter((host) => !domains.some((domain) => covers(domain, host)));
  if (unnamed.length === 0) return;
  throw new PackAuthError(
    "request-refused",
    `The credentials of ${whose} would go to ${unnamed.join(" and ")}, which PACK_AUTH_DOMAINS does not name; nothing was sent.`,
    destinations.every(isPlain)
      ? { nextStep: { do: "approveDomains", domains: destinations.join(" ") } }
      : { hint: "Do not run this pack with credentials unless you know why it declares a host in this form." },
  );
}
