// Checks an account's endpoint (auth-spec 5.7), whether typed, from the token response, or from the pack's own options.

import { isIP } from "node:net";
import { isLoopback } from "../../base/is-loopback.ts";

/** Characters of an address, as browsers and servers accept everywhere. */
export const LONGEST_ENDPOINT = 2_048;

/** Returns the address with its scheme and host in lower case, and without slashes at the end. A bare host gets https. */
export const normaliseEndpoint = (value: string): string =>
  withoutEndSlashes(/^[a-z][a-z0-9+.-]*:\/\//i.test(value.trim()) ? value.trim() : `https://${value.trim()}`).replace(
    /^[^:]*:\/\/[^/?#]*/,
    (origin) => origin.toLowerCase(),
  );

/** Removes slashes in one pass from the end; a pattern would restart at every slash of a long text. */
export function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "/") end--;
  return text.slice(0, end);
}

/** Returns why an endpoint is invalid, or undefined if it is valid. */
export function endpointProblem(value: string, endpointDomain?: string): string | undefined {
  if (value.length > LONGEST_ENDPOINT)
    return `The endpoint has more than ${LONGEST_ENDPOINT.toLocaleString("en")} characters. Enter a shorter URL.`;
  const text = normaliseEndpoint(value);
  const example = "Enter a URL such as https://my-site.example.com.";
  if (value.trim() === "" || !URL.canParse(text)) return example;
  const url = new URL(text);
  // A single word is a site's name, or was entered in the wrong field.
  if (!/[.:]/.test(url.hostname) && url.hostname !== "localhost") return example;
  if (url.protocol !== "https:") return "The endpoint must begin with https://.";
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return "Enter only the address, without user name, ? or #.";
  if (endpointDomain !== undefined && !isUnder(url.hostname, endpointDomain))
    return `The endpoint must be ${endpointDomain} or under it (endpointDomain).`;
  return undefined;
}

/** Returns why a chosen endpoint is invalid: it is no URL, or no request of the pack could go there (url-policy.ts). */
export function choiceProblem(value: string, endpointDomain?: string): string | undefined {
  const problem = endpointProblem(value, endpointDomain);
  if (problem !== undefined) return problem;
  const { hostname, port } = new URL(normaliseEndpoint(value));
  if (isLoopback(hostname)) return undefined;
  if (port !== "") return `Leave out port ${port}. Requests of packs go to the standard port of https only.`;
  return isIP(hostname.replace(/^\[|\]$/g, "")) === 0 ? undefined : "Enter a host name. Requests of packs go to no IP address.";
}

/** Returns whether a host is the domain or a subdomain; case and a dot at the end make no difference (RFC 1034, section 3.1). */
function isUnder(host: string, domain: string): boolean {
  const [name, root] = [host, domain].map((text) => text.trim().toLowerCase().replace(/\.$/, ""));
  return name === root || name?.endsWith(`.${root}`) === true;
}
