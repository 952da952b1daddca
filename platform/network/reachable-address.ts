// Decides which addresses that a provider names may be requested, or shown as an address to use.
import { isIP } from "node:net";
import { isLoopback } from "../../base/is-loopback.ts";
import { isPrivateAddress } from "./private-address.ts";

/** Characters of an address by default: messages show addresses whole, and no provider needs longer ones. */
const LONGEST_ADDRESS = 2_048;

/**
 * Returns whether an address may be requested: https to a public host. Loopback addresses are allowed only if `namedBy`, the address of the
 * document that names them, is loopback too. A provider elsewhere must not direct requests to this machine.
 */
export function isReachable(address: unknown, namedBy?: string, longest = LONGEST_ADDRESS): address is string {
  if (typeof address !== "string" || address.length > longest || !URL.canParse(address)) return false;
  // The URL parser removes these characters, so a person who sees the address would read another one.
  if (/[\s\p{Cc}]/u.test(address)) return false;
  const { protocol, hostname, username, password, hash } = new URL(address);
  // With a dot at its end, the name of this machine would look like a public one.
  if (username !== "" || password !== "" || hash !== "" || hostname.endsWith(".")) return false;
  if (isLoopback(hostname)) return /^https?:$/.test(protocol) && (namedBy === undefined || isLoopback(new URL(namedBy).hostname));
  const bare = hostname.replace(/^\[|\]$/g, "");
  return protocol === "https:" && (isIP(bare) === 0 || !isPrivateAddress(bare));
}
