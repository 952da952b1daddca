// An account's endpoint, from wherever it comes (auth-spec 5.7): typed, in the token response, or chosen from the pack's own options.

import { isIP } from "node:net";
import { isLoopback } from "../../base/is-loopback.ts";

/** Characters of an address: what browsers and servers take everywhere. */
export const LONGEST_ENDPOINT = 2_048;

/** The address with its scheme, scheme and host in lower case, and without slashes at the end; a bare host is taken for https. */
export const normaliseEndpoint = (value: string): string =>
  withoutEndSlashes(/^[a-z][a-z0-9+.-]*:\/\//i.test(value.trim()) ? value.trim() : `https://${value.trim()}`).replace(
    /^[^:]*:\/\/[^/?#]*/,
    (origin) => origin.toLowerCase(),
  );

/** In one look from the end: a pattern would begin anew at every slash of a long text. */
export function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "/") end--;
  return text.slice(0, end);
}

/** Why an endpoint cannot be taken; undefined where it can. */
export function endpointProblem(value: string, endpointDomain?: string): string | undefined {
  if (value.length > LONGEST_ENDPOINT)
    return `The endpoint has more than ${LONGEST_ENDPOINT.toLocaleString("en")} characters. Enter a shorter URL.`;
  const text = normaliseEndpoint(value);
  const example = "Enter a URL such as https://my-site.example.com.";
  if (value.trim() === "" || !URL.canParse(text)) return example;
  const url = new URL(text);
  // A single word is a site's name, or a value that was put into the wrong place.
  if (!/[.:]/.test(url.hostname) && url.hostname !== "localhost") return example;
  if (url.protocol !== "https:") return "The endpoint must begin with https://.";
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return "Enter only the address, without user name, ? or #.";
  if (endpointDomain !== undefined && !isUnder(url.hostname, endpointDomain))
    return `The endpoint must be ${endpointDomain} or under it (endpointDomain).`;
  return undefined;
}

/** Why an endpoint that a person chooses cannot be taken: it is none, or no request of the pack would ever go there (url-policy.ts). */
export function choiceProblem(value: string, endpointDomain?: string): string | undefined {
  const problem = endpointProblem(value, endpointDomain);
  if (problem !== undefined) return problem;
  const { hostname, port } = new URL(normaliseEndpoint(value));
  if (isLoopback(hostname)) return undefined;
  if (port !== "") return `Leave out port ${port}. Requests of packs go to the standard port of https only.`;
  return isIP(hostname.replace(/^\[|\]$/g, "")) === 0 ? undefined : "Enter a host name. Requests of packs go to no IP address.";
}

/** Whether a host is the domain or under it; case and a dot at the end make no difference (RFC 1034, section 3.1). */
function isUnder(host: string, domain: string): boolean {
  const [name, root] = [host, domain].map((text) => text.trim().toLowerCase().replace(/\.$/, ""));
  return name === root || name?.endsWith(`.${root}`) === true;
}
