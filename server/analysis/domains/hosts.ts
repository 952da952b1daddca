// Where a pack's requests may go: its declared domains, and the platform's own hosts.
import type { PackModel } from "../model/pack.ts";

/** Files of documents, and where a pack's own uploads lie: reached without being declared, and without credentials (security 2). */
const PLATFORM_HOST = /^(?:(?:[^.]+\.)*codahosted\.io|coda-us-west-2-\w+-blobs-upload\.s3\.us-west-2\.amazonaws\.com)$/;

export const isPlatformHost = (host: string): boolean => PLATFORM_HOST.test(host);

export const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** The domains that are declared, without what does not belong there: other rules speak about that. */
export function declaredHosts(pack: PackModel): readonly string[] {
  return [...new Set(pack.domains.declared.map(({ value }) => bareHost(value)))];
}

/** `https://*.Example.com/path` → `example.com`. */
const bareHost = (domain: string): string =>
  domain
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, "")
    .replace(/[/:?#].*$/s, "")
    .replace(/^\*\.|\.$/g, "");

/** The domain that the platform wants for a host: without `api.`, `www.` and the like. */
export const domainOf = (host: string): string => host.replace(/^(?:api|www|app|auth|login|accounts?|oauth2?)\.(?=[^.]+\.)/, "");
