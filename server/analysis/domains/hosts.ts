// Domains: what is a bare one, which a pack declares, which are the platform's own, and which anybody can have a host under.

import { isLoopback } from "../../../base/is-loopback.ts";
import type { PackModel } from "../model/pack.ts";
import { leftOverIn } from "./left-over.ts";
import { SHARED_HOSTS } from "./shared-hosts.ts";

/** Files of documents, and where a pack's own uploads lie: reached without being declared, and without credentials (security 2). */
const PLATFORM_HOST = /^(?:(?:[^.]+\.)*codahosted\.io|coda-us-west-2-\w+-blobs-upload\.s3\.us-west-2\.amazonaws\.com)$/;

export const isPlatformHost = (host: string): boolean => PLATFORM_HOST.test(host);

export const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** The domains that are declared, without what does not belong there: other rules speak about that. */
export function declaredHosts(pack: PackModel): readonly string[] {
  return [...new Set(pack.domains.declared.flatMap(({ value }) => singleDomains(value).map(bareHost)))];
}

/** Those of a text that lists several: `a.com, b.com`. */
export function singleDomains(text: string): readonly string[] {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  return parts.length > 1 ? parts : [text];
}

/** `https://*.Example.com/path` → `example.com`. */
const bareHost = (domain: string): string =>
  domain
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, "")
    .replace(/[/:?#].*$/s, "")
    .replace(/^\*\.|[.,;]$/g, "");

/** The domain that the platform wants for a host: without `api.`, `www.` and the like. */
export const domainOf = (host: string): string => host.replace(/^(?:api|www|app|auth|login|accounts?|oauth2?)\.(?=[^.]+\.)/, "");

/** A domain is at most this long (RFC 1035, section 2.3.4). */
const LONGEST = 253;

/** What a bare domain does not have; undefined where nothing is wrong. */
export function domainFault(text: string): string | undefined {
  // A template slot of a snippet is filled in before it is source.
  if (text.includes("${")) return undefined;
  if (text === "") return "is empty";
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^https?:/i.test(text)) return "is a URL";
  if (text.includes("*")) return "has a wildcard";
  if (/\s/.test(text)) return "contains a space";
  if (/[\p{Cc}\p{Cf}]/u.test(text)) return "has a character in it that cannot be seen";
  if (/[/?#\\]/.test(text)) return "has a path";
  if (text.includes("@")) return "has a user name";
  if (text.includes(":")) return "has a port";
  if (text.startsWith(".") || text.endsWith(".")) return "begins or ends with a dot";
  if (text.length > LONGEST) return `is longer than ${LONGEST} characters`;
  return undefined;
}

/** What no host's name has, in what else looks like a bare domain: the upload takes it. Undefined where nothing is wrong. */
export function domainDoubt(text: string): string | undefined {
  // The whole file may be a template that is filled in before it is source.
  if (domainFault(text) !== undefined || /\$\{|\{\{|%/.test(text)) return undefined;
  const left = leftOverIn(text);
  if (left !== undefined) return `still contains ${left} from a template`;
  if (text.includes("..")) return "has nothing between two dots";
  const [strange] = /[^\p{L}\p{M}\p{N}._-]/u.exec(text) ?? [];
  return strange === undefined ? undefined : `contains the character ${JSON.stringify(strange)}`;
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
    .replace(/(?<!\.)\.+$|[,;]$/, "")
    .replaceAll("..", ".");
  return /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*$/u.test(host) && host.length <= LONGEST ? host.toLowerCase() : undefined;
};

/** Of a number of version 4 or 6, with or without brackets. */
export const isAddress = (text: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) || /^\[?(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}\]?$/i.test(text);

/** The same, where it is known: of one that is to be filled in, the author alone knows. */
export const intendedDomain = (text: string): string | undefined =>
  domainFault(text) === undefined && leftOverIn(text) !== undefined ? undefined : bareDomain(text);

/** Whether it may be a host that the platform sends requests to: no address, and not of this machine or a network of one's own. */
export const isPublic = (host: string): boolean => host.includes(".") && !isLoopback(host) && !isAddress(host);

let hosts: ReadonlySet<string> | undefined;

/** Of the domain itself: true of `vercel.app`, false of `my-app.vercel.app`. */
export const isSharedHost = (domain: string): boolean => {
  // Made when first asked: most packs declare no such domain, and starting must not wait for it.
  hosts ??= new Set(SHARED_HOSTS.split(" "));
  return hosts.has(domain.toLowerCase());
};

/**
 * Whether a host is there to its end, whatever follows: `api.acme.com`. Others, such as `my.app`, may be the beginning of one: `my.app2.acme.com`.
 */
export const isWholeHost = (host: string): boolean =>
  /\.(?:com|net|org|io|co|edu|gov)$/.test(host) || isSharedHost(host.split(".").slice(-2).join("."));

/** The platform's own, with their subdomains (sdk-facts 2); the toolkit's validator knows them by the same names. */
export const PLATFORM_DOMAINS = ["coda.io", "superhuman.com", "localhost", "pp-sh.io", "qa-sh.io", "grammarlyaws.com"];

export const isPlatformDomain = (domain: string): boolean => PLATFORM_DOMAINS.some((own) => isUnder(domain, own));

/** The domain that the platform wants for a host, as long as that is the API's own. */
export function ownDomainOf(host: string): string {
  const short = domainOf(host);
  return isSharedHost(short) || /^(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}$/.test(short) ? host : short;
}
