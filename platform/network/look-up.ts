// Checks where a host name resolves to, before anything is sent there.
import { lookup as lookUpInDns } from "node:dns/promises";
import { isLoopback } from "../../base/is-loopback.ts";
import type { PackAuthError } from "../errors.ts";
import type { Fetch } from "../host.ts";
import { abortable } from "./abortable.ts";
import { isPrivateAddress } from "./private-address.ts";
import { refusal } from "./refusal.ts";

/** Returns all addresses of a host name. */
export type LookUp = (host: string) => Promise<readonly string[]>;

export const lookUp: LookUp = async (host) => (await lookUpInDns(host, { all: true })).map(({ address }) => address);

/** Returns the error for a private address. `shownHost` is the name that the message may show. */
export const leadsInside = (shownHost: string, address: string): PackAuthError =>
  refusal(
    `${shownHost} resolves to ${address}, an address of a private network`,
    "The platform reaches public addresses only. Give the host one, or use the sandbox.",
  );

/** Throws request-refused if any address of a host is private; loopback names are allowed. Also throws the error of `find`. */
export async function refusePrivate(host: string, find: LookUp, signal: AbortSignal | undefined, shownHost = host): Promise<void> {
  if (isLoopback(host)) return;
  const resolution = find(host);
  const inside = (await (signal === undefined ? resolution : abortable(resolution, signal))).find(isPrivateAddress);
  if (inside !== undefined) throw leadsInside(shownHost, inside);
}

interface Surroundings {
  readonly fetch: Fetch;
  readonly lookUp?: LookUp;
}

/**
 * Throws request-refused if an address that a provider named resolves to a private network.
 * A name that does not resolve here is allowed, because the sender may use a proxy that resolves it.
 */
export async function refuseNamed(url: string, { lookUp: find }: Surroundings, signal: AbortSignal | undefined): Promise<void> {
  if (find !== undefined) await refusePrivate(new URL(url).hostname, (host) => find(host).catch(() => []), signal);
}

/**
 * Returns a fetch that checks addresses as {@link refuseNamed} does, except those on the hosts of `configured`, which the configuration
 * names.
 */
export function publicFetch(surroundings: Surroundings, configured: readonly string[]): Fetch {
  const hosts = configured.flatMap((url) => (URL.canParse(url) ? [new URL(url).hostname] : []));
  return async (url, init) => {
    if (!hosts.includes(new URL(url).hostname)) await refuseNamed(url, surroundings, init.signal ?? undefined);
    return surroundings.fetch(url, init);
  };
}
