// Decides, before anything is sent, whether a URL of pack code may be fetched and whether it gets credentials.
// Invariant: the URL is parsed as the sender parses it (WHATWG), and text that two parsers could read differently is refused.

import { isIP } from "node:net";
import { isLoopback } from "../../base/is-loopback.ts";
import type { NextStep } from "../../protocol/next-step.ts";
import { withoutEndSlashes } from "./endpoint.ts";

export interface UrlPolicy {
  /** The declared network domains. */
  readonly domains: readonly string[];
  /** The domains that receive credentials; undefined means every declared one. */
  readonly credentialDomains?: readonly string[];
  /** The account's endpoint URL. */
  readonly endpoint?: string;
  /** True if the endpoint's host needs no declared domain: requiresEndpointUrl without endpointDomain, in a pack without domains. */
  readonly endpointAlone?: boolean;
  /** For local testing: allows http, ports and IP addresses of this machine if the declared domain itself is loopback. */
  readonly allowLoopback?: boolean;
}

export type Verdict =
  | { readonly allowed: true; readonly url: URL /** Whether credentials may go along. */; readonly credentials: boolean }
  | { readonly allowed: false; readonly reason: string; readonly nextStep?: NextStep | undefined };

/** Hosts of the platform's own files, which are fetched with GET only and never with credentials. */
const PLATFORM_FILES = /^(?:(?:[^.]+\.)*codahosted\.io|coda-us-west-2-\w+-blobs-upload\.s3\.us-west-2\.amazonaws\.com)$/;

export const isPlatformFile = (url: string): boolean => URL.canParse(url) && PLATFORM_FILES.test(new URL(url).hostname);

const refuse = (reason: string, nextStep?: NextStep): Verdict => ({ allowed: false, reason, nextStep });

/**
 * Checks a URL as pack code wrote it: absolute, or relative to the endpoint.
 * A request without credentials (`anonymous`) may go to any declared domain; others are limited to the account's endpoint if it has one.
 */
export function checkUrl(raw: string, method: string, policy: UrlPolicy, anonymous = false): Verdict {
  const absolute = toAbsolute(raw, policy);
  return typeof absolute === "string" ? refuse(absolute) : checkAbsolute(absolute, method, policy, anonymous);
}

/**
 * Checks the target of a redirect; `location` may be relative to the URL that sent it.
 * The verdict alone does not allow credentials: they stay on the origin that they were sent to.
 */
export function checkRedirect(location: string, from: URL, method: string, policy: UrlPolicy): Verdict {
  const unsafe = unsafeText(location);
  if (unsafe !== undefined) return refuse(unsafe);
  if (!URL.canParse(location, from.href)) return refuse("the redirect's address is not a URL");
  return checkAbsolute(new URL(location, from), method, policy, true);
}

function toAbsolute(raw: string, policy: UrlPolicy): URL | string {
  const unsafe = unsafeText(raw);
  if (unsafe !== undefined) return unsafe;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(raw)?.[1];
  if (scheme === undefined) return joinEndpoint(raw, policy.endpoint);
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(raw)?.[1];
  if (authority === undefined && /^https?$/i.test(scheme)) return `the URL has no // after ${scheme}:`;
  if (authority === undefined) return `${scheme}: URLs are not fetched; only https:// is`;
  if (authority === "") return "the URL has no host";
  if (authority.includes("@")) return "the URL contains a user name before the host";
  if (authority.includes("%")) return "the URL's host is percent-encoded";
  if (!URL.canParse(raw)) return "the URL is not valid";
  return new URL(raw);
}

/** Returns why a URL is unsafe: it contains something that no pack needs and that parsers read differently. */
function unsafeText(raw: string): string | undefined {
  if (raw === "") return "the URL is empty";
  if (raw !== raw.trim()) return "the URL begins or ends with a space";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(raw)) return "the URL contains a control character (a tab or a line break)";
  if (raw.includes("\\")) return "the URL contains a backslash";
  return undefined;
}

function joinEndpoint(raw: string, endpoint: string | undefined): URL | string {
  if (raw.startsWith("//")) return "the URL begins with //, which names another host";
  if (endpoint === undefined) return "the URL does not begin with https://, and the account has no endpoint to put before it";
  if (!URL.canParse(endpoint)) return "the account's endpoint is not a URL";
  const base = new URL(endpoint);
  base.search = "";
  base.hash = "";
  const prefix = withoutEndSlashes(base.href);
  const url = new URL(raw.startsWith("?") ? `${prefix}${raw}` : `${prefix}/${raw.replace(/^\//, "")}`);
  const root = new URL(`${prefix}/`).pathname;
  return `${url.pathname}/`.startsWith(root) ? url : "the URL leaves the account's endpoint";
}

function checkAbsolute(url: URL, method: string, policy: UrlPolicy, anonymous: boolean): Verdict {
  const host = url.hostname;
  const declared = policy.domains.filter((domain) => covers(domain, host));
  const endpoint = policy.endpoint !== undefined && URL.canParse(policy.endpoint) ? new URL(policy.endpoint) : undefined;
  const onEndpoint = endpoint !== undefined && url.host === endpoint.host;
  const alone = onEndpoint && policy.endpointAlone === true && policy.domains.length === 0;
  const isDeclaredLoopback = isLoopback(host) && (declared.length > 0 || alone);
  const malformed = unsafeAddress(url, isDeclaredLoopback && policy.allowLoopback === true);
  if (malformed !== undefined) {
    const isAllowable = isDeclaredLoopback && unsafeAddress(url, true) === undefined;
    return refuse(malformed, isAllowable ? { do: "allowLoopback" } : undefined);
  }
  const isPlatformFile = PLATFORM_FILES.test(host);
  if (declared.length === 0 && !alone) {
    if (!isPlatformFile) return refuse(undeclared(host, onEndpoint, policy.domains));
    return method === "GET" ? { allowed: true, url, credentials: false } : refuse("the platform's own file hosts take GET only");
  }
  if (endpoint !== undefined && !onEndpoint) {
    const isOtherDomain = declared.some((domain) => !covers(domain, endpoint.hostname));
    return anonymous || isOtherDomain
      ? { allowed: true, url, credentials: false }
      : refuse(`${url.host} is another host than the account's endpoint ${endpoint.host}`);
  }
  return { allowed: true, url, credentials: !isPlatformFile && getsCredentials(host, policy) };
}

/** Returns why an address is refused, whatever the pack declares. */
function unsafeAddress(url: URL, loopback: boolean): string | undefined {
  if (url.protocol === "http:" && !loopback) return "http:// is not secure; the platform fetches https:// only";
  if (url.protocol !== "https:" && url.protocol !== "http:") return `${url.protocol} URLs are not fetched; only https:// is`;
  if (url.username !== "" || url.password !== "") return "the URL contains a user name or password before the host";
  if (isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0 && !loopback)
    return "the host is an IP address; only declared domain names are fetched";
  if (url.port !== "" && !loopback) return `port ${url.port} is not allowed; only the standard port of https is`;
  if (/^\.|\.\./.test(url.hostname)) return "the host has an empty label";
  return undefined;
}

function undeclared(host: string, onEndpoint: boolean, domains: readonly string[]): string {
  if (domains.length === 0) return `the pack declares no network domain; ${host} is not allowed`;
  return `${onEndpoint ? "the account's endpoint " : ""}${host} is not in the pack's network domains (${domains.join(", ")})`;
}

/** Returns whether a declared domain covers the host: the domain itself or a subdomain. */
export function covers(domain: string, host: string): boolean {
  const name = domain.toLowerCase();
  return name !== "" && (host === name || host.endsWith(`.${name}`));
}

function getsCredentials(host: string, policy: UrlPolicy): boolean {
  return policy.credentialDomains === undefined || policy.credentialDomains.some((domain) => covers(domain, host));
}
