// Decides, before any packet, whether a URL that pack code asked for may be fetched and whether credentials may go with it.
// Invariant: the URL is judged as the sender will use it (one parser, WHATWG), and anything that two parsers could read in two ways is refused.
import { isIP } from "node:net";

export interface UrlPolicy {
  /** The declared network domains. */
  readonly domains: readonly string[];
  /** The domains that get credentials; undefined means every declared one. */
  readonly credentialDomains?: readonly string[];
  /** The account's endpoint URL. */
  readonly endpoint?: string;
  /** The setting for local testing: http, ports and addresses of this machine, where the declared domain itself is loopback. */
  readonly allowLoopback?: boolean;
}

export type Verdict =
  | { readonly allowed: true; readonly url: URL /** Whether credentials may go along. */; readonly credentials: boolean }
  | { readonly allowed: false; readonly reason: string };

/** Hosts of the platform's own files: fetched without credentials, with GET only (security.md 2). */
const PLATFORM_FILE_HOSTS = ["codahosted.io"];

const refuse = (reason: string): Verdict => ({ allowed: false, reason });

/** Judges a URL as pack code wrote it: absolute, or relative to the endpoint. */
export function checkUrl(raw: string, method: string, policy: UrlPolicy): Verdict {
  const absolute = toAbsolute(raw, policy);
  return typeof absolute === "string" ? refuse(absolute) : checkAbsolute(absolute, method, policy);
}

/** Judges where a redirect leads; `location` may be relative to the URL that sent it. */
export function checkRedirect(location: string, from: URL, method: string, policy: UrlPolicy): Verdict {
  const unsafe = unsafeText(location);
  if (unsafe !== undefined) return refuse(unsafe);
  if (/^[\\/]{2}/.test(location) && !location.startsWith("//")) return refuse("the redirect's address has backslashes");
  let url: URL;
  try {
    url = new URL(location, from);
  } catch {
    return refuse("the redirect's address is no URL");
  }
  return checkAbsolute(url, method, policy);
}

function toAbsolute(raw: string, policy: UrlPolicy): URL | string {
  const unsafe = unsafeText(raw);
  if (unsafe !== undefined) return unsafe;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(raw)?.[1];
  if (scheme === undefined) return joinEndpoint(raw, policy.endpoint);
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(raw)?.[1];
  if (authority === undefined) return `${scheme}: URLs are not fetched; only https:// is`;
  if (authority === "") return "the URL has no host";
  if (authority.includes("@")) return "the URL holds a user name before the host";
  if (authority.includes("%")) return "the URL's host is percent-encoded";
  if (!URL.canParse(raw)) return "the text is no URL";
  return new URL(raw);
}

/** What no URL of a pack needs and parsers disagree about. */
function unsafeText(raw: string): string | undefined {
  if (raw === "") return "the URL is empty";
  if (raw !== raw.trim()) return "the URL begins or ends with a blank";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(raw)) return "the URL holds a control character (a tab or a line break)";
  if (raw.includes("\\")) return "the URL holds a backslash";
  return undefined;
}

function joinEndpoint(raw: string, endpoint: string | undefined): URL | string {
  if (raw.startsWith("//")) return "the URL begins with //, which names another host";
  if (endpoint === undefined) return "the URL is relative and the account has no endpoint to put before it";
  if (!URL.canParse(endpoint)) return "the account's endpoint is no URL";
  const base = new URL(endpoint);
  base.search = "";
  base.hash = "";
  const prefix = base.href.replace(/\/+$/, "");
  const joined = raw.startsWith("?") || raw.startsWith("#") ? `${prefix}${raw}` : `${prefix}/${raw.replace(/^\/+/, "")}`;
  if (!URL.canParse(joined)) return "the URL is no URL after the account's endpoint";
  const url = new URL(joined);
  const root = new URL(`${prefix}/`).pathname;
  if (url.origin !== base.origin || !`${url.pathname}/`.startsWith(root)) return "the URL leaves the account's endpoint";
  return url;
}

function checkAbsolute(url: URL, method: string, policy: UrlPolicy): Verdict {
  const host = url.hostname.toLowerCase();
  const declared = declaredDomain(host, policy.domains);
  const endpointHost = policy.endpoint !== undefined && URL.canParse(policy.endpoint) ? new URL(policy.endpoint).host : undefined;
  const onEndpoint = endpointHost !== undefined && url.host === endpointHost;
  const loopback = policy.allowLoopback === true && isLoopback(host) && (declared !== undefined || onEndpoint);
  if (url.protocol !== "https:" && !(loopback && url.protocol === "http:")) {
    return refuse(
      url.protocol === "http:"
        ? "http:// is not secure; the platform fetches https:// only"
        : `${url.protocol} URLs are not fetched; only https:// is`,
    );
  }
  if (url.username !== "" || url.password !== "") return refuse("the URL holds a user name or password before the host");
  if (isIP(host.replace(/^\[|\]$/g, "")) !== 0 && !loopback)
    return refuse("the host is an IP address; only declared domain names are fetched");
  if (url.port !== "" && !loopback) return refuse(`port ${url.port} is not allowed; only the standard port of https is`);
  if (host.endsWith(".")) return refuse("the host ends with a dot");
  if (host.split(".").includes("")) return refuse("the host has an empty part");

  if (onEndpoint && (declared !== undefined || policy.domains.length === 0 || loopback))
    return { allowed: true, url, credentials: getsCredentials(host, policy) };
  if (declared !== undefined) return { allowed: true, url, credentials: endpointHost === undefined && getsCredentials(host, policy) };
  if (declaredDomain(host, PLATFORM_FILE_HOSTS) !== undefined) {
    return method === "GET" ? { allowed: true, url, credentials: false } : refuse("the platform's own file hosts take GET only");
  }
  if (onEndpoint)
    return refuse(`the account's endpoint ${host} is under none of the pack's network domains (${policy.domains.join(", ")})`);
  return refuse(
    policy.domains.length === 0
      ? `the pack declares no network domain; ${host} is not allowed`
      : `${host} is under none of the pack's network domains (${policy.domains.join(", ")})`,
  );
}

/** A declared domain covers itself and its subdomains. */
function declaredDomain(host: string, domains: readonly string[]): string | undefined {
  return domains.find((domain) => {
    const name = domain.toLowerCase();
    return name !== "" && (host === name || host.endsWith(`.${name}`));
  });
}

function getsCredentials(host: string, policy: UrlPolicy): boolean {
  return policy.credentialDomains === undefined || declaredDomain(host, policy.credentialDomains) !== undefined;
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Whether an IP address belongs to a network that the internet cannot reach (RFC 6890). */
export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const v4 = mapped ?? (isIP(address) === 4 ? address : undefined);
  if (v4 !== undefined) {
    const [a = 0, b = 0] = v4.split(".").map(Number);
    return (
      a === 0 ||
      a === 10 ||
      a === 127 ||
      a >= 224 ||
      (a === 100 && b >= 64 && b < 128) ||
      (a === 169 && b === 254) ||
      (a === 172 && b >= 16 && b < 32) ||
      (a === 192 && b === 168) ||
      (a === 198 && (b === 18 || b === 19))
    );
  }
  const text = address.toLowerCase();
  return text === "::" || text === "::1" || /^(fc|fd|fe[89ab]|ff|64:ff9b:|2001:db8:)/.test(text) || text.startsWith("::ffff:");
}
