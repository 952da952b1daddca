// The origins to which a token of the platform's public API may go: https, and a plain host.
import { DEFAULT_ORIGIN } from "../../spec/pack-file.ts";
import { PackAuthError } from "../errors.ts";

/** A label of a host name (RFC 1123, section 2.1). */
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/** Returns whether the host has several labels, of which the last is no number, as in an IP address. */
function isHostName(host: string): boolean {
  const labels = host.split(".");
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) && /^[a-z]/.test(labels.at(-1) ?? "");
}

/**
 * Returns the origin of an address such as `https://coda.io`, or of a host alone, as the Packs SDK reads it. Throws api-host-unapproved with
 * the name of its `source` unless it is https with a plain host. A user name, port or path could hide where the token goes.
 */
export function apiOrigin(text: string, source: string): string {
  const address = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`;
  const host = /^https:\/\/([a-z\d.-]{1,253})\/?$/i.exec(address)?.[1]?.toLowerCase();
  if (host === undefined || !isHostName(host))
    throw new PackAuthError("api-host-unapproved", `${source} is not https:// with a plain host name; nothing was sent.`, {
      hint: `Use an origin such as ${DEFAULT_ORIGIN}, without user name, port and path.`,
    });
  return `https://${host}`;
}

/** Returns the host of an origin, as people read it. */
export const hostOf = (origin: string): string => new URL(origin).host;
