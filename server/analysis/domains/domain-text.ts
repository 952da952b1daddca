// What is wrong with a text that should be a bare domain, and the bare domain that is in it.

import { t } from "@vscode/l10n";

/** A domain is at most this long (RFC 1035, section 2.3.4). */
const LONGEST = 253;

/** What a bare domain does not have; undefined where nothing is wrong. */
export function domainFault(text: string): string | undefined {
  // A template slot of a snippet is filled in before it is source.
  if (text.includes("${")) return undefined;
  if (text === "") return "is empty";
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^https?:/i.test(text)) return t`is a URL`;
  if (text.includes("*")) return t`has a wildcard`;
  if (/\s/.test(text)) return t`contains a space`;
  if (/[\p{Cc}\p{Cf}]/u.test(text)) return t`has a character in it that cannot be seen`;
  if (/[/?#\\]/.test(text)) return t`has a path`;
  if (text.includes("@")) return t`has a user name`;
  if (text.includes(":")) return t`has a port`;
  if (text.startsWith(".") || text.endsWith(".")) return t`begins or ends with a dot`;
  if (text.length > LONGEST) return t`is longer than ${LONGEST} characters`;
  return undefined;
}

/** A declared domain as the platform compares others with it, letter by letter; of one that is no bare domain, the one that is meant. */
export const declaredDomain = (text: string): string => (domainFault(text) === undefined ? text : (bareDomain(text) ?? text));

/** The bare domain in a text such as `https://*.example.com:8080/path`; undefined where there is none. */
export const bareDomain = (text: string): string | undefined => {
  const host = text
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .trim()
    .replace(/^(?:[a-z][a-z0-9+.-]*:)?\/*/i, (start) => (/^[^:/]*:?\/+$|^https?:$/i.test(start) ? "" : start))
    .replace(/[/?#\\].*$/s, "")
    .replace(/^.*@/s, "")
    .replace(/:\d*$/, "")
    .replace(/^(?:\*?\.)+/, "")
    .replace(/(?<!\.)\.+$/, "");
  return /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*$/u.test(host) && host.length <= LONGEST ? host.toLowerCase() : undefined;
};
