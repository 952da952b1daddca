// Where a name leads, before anything is sent there.
import { lookup as lookUpInDns } from "node:dns/promises";
import { isLoopback } from "../../base/is-loopback.ts";
import type { PackAuthError } from "../errors.ts";
import type { Fetch } from "../host.ts";
import { abortable } from "./abortable.ts";
import { isPrivateAddress } from "./private-address.ts";
import { refusal } from "./refusal.ts";

/** All addresses of a host name. */
export type LookUp = (host: string) => Promise<readonly string[]>;

export const lookUp: LookUp = async (host) => (await lookUpInDns(host, { all: true })).map(({ address }) => address);

/** `shown`: the name as it may be told. */
export const leadsInside = (shownHost: string, address: string): PackAuthError =>
  refusal(
    `${shownHost} resolves to ${address}, an address of a private network`,
    "The platform reaches public addresses only. Give the host one, or use the sandbox.",
  );

/**
 * Every address of a name must be one of the internet, this machine's own names aside. Throws request-refused, and what `find` throws.
 */
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
 * Refuses an address that a provider named where it leads into a private network. A name that does not resolve here is left to whoever
 * goes there, which may have a proxy to ask. Throws request-refused.
 */
export async function refuseNamed(url: string, { lookUp: find }: Surroundings, signal: AbortSignal | undefined): Promise<void> {
  if (find !== undefined) await refusePrivate(new URL(url).hostname, (host) => find(host).catch(() => []), signal);
}

/** For addresses that a provider may have named, each as by {@link refuseNamed}; those on the hosts of `configured` are the configuration's own. */
export function publicFetch(surroundings: Surroundings, configured: readonly string[]): Fetch {
  const hosts = configured.flatMap((url) => (URL.canParse(url) ? [new URL(url).hostname] : []));
  return async (url, init) => {
    if (!hosts.includes(new URL(url).hostname)) await refuseNamed(url, surroundings, init.signal ?? undefined);
    return surroundings.fetch(url, init);
  };
}
