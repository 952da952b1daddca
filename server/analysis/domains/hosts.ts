// Domains: bare domains, a pack's declared domains, the platform's own, and shared domains under which anybody can have a host.

import { isLoopback } from "../../../base/is-loopback.ts";
import type { PackModel } from "../model/pack.ts";
import { leftOverIn } from "./left-over.ts";
import { SHARED_HOSTS } from "./shared-hosts.ts";

/** Hosts of documents and of a pack's uploads. They can be reached without a declaration, and get no credentials (security 2). */
const PLATFORM_HOST = /^(?:(?:[^.]+\.)*codahosted\.io|coda-us-west-2-\w+-blobs-upload\.s3\.us-west-2\.amazonaws\.com)$/;

export const isPlatformHost = (host: string): boolean => PLATFORM_HOST.test(host);

export const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** Returns the declared domains in bare form. Other rules report what is wrong with a declaration. */
export function declaredHosts(pack: PackModel): readonly string[] {
  return [...new Set(pack.domains.declared.flatMap(({ value }) => singleDomains(value).map(bareHost)))];
}

/** Returns the domains of a string that lists several: `a.com, b.com`. */
export function singleDomains(text: string): readonly string[] {
  const parts = text.split(/[\s,;]+/).filter(Boolean);
  return parts.length > 1 ? parts : [text];
}

/** Returns the bare host: `example.com` for `https://*.Example.com/path`. */
const bareHost = (domain: string): string =>
  domain
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, "")
    .replace(/[/:?#].*$/s, "")
    .replace(/^\*\.|[.,;]$/g, "");

/** Returns the domain to declare for a host: the host without `api.`, `www.` and the like. */
export const domainOf = (host: string): string => host.replace(/^(?:api|www|app|auth|login|accounts?|oauth2?)\.(?=[^.]+\.)/, "");

/** Maximum length of a domain (RFC 1035, section 2.3.4). */
const LONGEST = 253;

/** Returns why a string is not a bare domain, or undefined if it is. */
export function domainFault(text: string): string | undefined {
  // A template slot of a snippet is replaced before it becomes source.
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

/** Returns why a bare domain that the upload accepts cannot be a host's name, or undefined if it can. */
export function domainDoubt(text: string): string | undefined {
  // The whole file may be a template that is filled in before it becomes source.
  if (domainFault(text) !== undefined || /\$\{|\{\{|%/.test(text)) return undefined;
  const left = leftOverIn(text);
  if (left !== undefined) return `still contains ${left} from a template`;
  if (text.includes("..")) return "has nothing between two dots";
  const [strange] = /[^\p{L}\p{M}\p{N}._-]/u.exec(text) ?? [];
  return strange === undefined ? undefined : `contains the character ${JSON.stringify(strange)}`;
}

/**
 * Returns a declared domain as the platform compares it, character by character. For one that is not bare, returns the domain it was meant
 * to be.
 */
export const declaredDomain = (text: string): string => (domainFault(text) === undefined ? text : (bareDomain(text) ?? text));

/** Returns the bare domain in a string such as `https://*.example.com:8080/path`, or undefined if there is none. */
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

/** Whether the string is an IPv4 or IPv6 address, with or without brackets. */
export const isAddress = (text: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) || /^\[?(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}\]?$/i.test(text);

/** Returns the bare domain, or undefined if it still contains a part of a template, which only the author can fill in. */
export const intendedDomain = (text: string): string | undefined =>
  domainFault(text) === undefined && leftOverIn(text) !== undefined ? undefined : bareDomain(text);

/** Whether the platform may send requests to the host: it is not an address, and not on this machine or a local network. */
export const isPublic = (host: string): boolean => host.includes(".") && !isLoopback(host) && !isAddress(host);

let hosts: ReadonlySet<string> | undefined;

/** Whether the domain itself is shared: true for `vercel.app`, false for `my-app.vercel.app`. */
export const isSharedHost = (domain: string): boolean => {
  // Created on first use: most packs declare no such domain, and the server must start fast.
  hosts ??= new Set(SHARED_HOSTS.split(" "));
  return hosts.has(domain.toLowerCase());
};

/** Whether a known host is complete, whatever follows: `api.acme.com`. Others, such as `my.app`, may continue: `my.app2.acme.com`. */
export const isWholeHost = (host: string): boolean =>
  /\.(?:com|net|org|io|co|edu|gov)$/.test(host) || isSharedHost(host.split(".").slice(-2).join("."));

/** The platform's own domains, which include their subdomains (sdk-facts 2). The SDK's validator has the same list. */
export const PLATFORM_DOMAINS = ["coda.io", "superhuman.com", "localhost", "pp-sh.io", "qa-sh.io", "grammarlyaws.com"];

export const isPlatformDomain = (domain: string): boolean => PLATFORM_DOMAINS.some((own) => isUnder(domain, own));

/** Returns the domain to declare for a host. Returns the host itself if its parent domain is shared or a public suffix. */
export function ownDomainOf(host: string): string {
  const short = domainOf(host);
  return isSharedHost(short) || /^(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}$/.test(short) ? host : short;
}
