// The addresses that a public name must not resolve to: those of this machine and of private networks. See RFC 6890, and IANA's registries
// of special-purpose addresses.
import { BlockList, isIP } from "node:net";

const blocked = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  // The anycast address of 6to4 relays, deprecated (RFC 7526).
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  blocked.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  // Unspecified, loopback and the deprecated IPv4-compatible addresses.
  ["::", 96],
  // Local-use NAT64 (RFC 8215): each network chooses where the IPv4 address is.
  ["64:ff9b:1::", 48],
  // IPv4-translated addresses (RFC 2765), whose content each network defines.
  ["::ffff:0:0:0", 96],
  ["100::", 64],
  ["100:0:0:1::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  // Documentation (RFC 9637), and segment identifiers of SRv6 (RFC 9602).
  ["3fff::", 20],
  ["5f00::", 16],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
] as const)
  blocked.addSubnet(network, prefix, "ipv6");

/**
 * Returns whether an IP address is private, link-local, loopback or otherwise not public. A text that is not an address counts as private.
 */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  if (family === 4) return blocked.check(address, "ipv4");
  if (blocked.check(address, "ipv6")) return true;
  const inner = embeddedV4(address);
  return inner !== undefined && blocked.check(inner, "ipv4");
}

/** Returns the IPv4 address in a NAT64 (RFC 6052) or 6to4 address (RFC 3056). A BlockList handles mapped addresses itself. */
function embeddedV4(address: string): string | undefined {
  // The URL parser normalizes an address to groups of hexadecimal digits.
  const [head = "", tail = ""] = new URL(`http://[${address.replace(/%.*$/s, "")}]`).hostname.slice(1, -1).split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right].map((group) => Number.parseInt(group, 16));
  const [a = 0, b = 0] = groups;
  const dotted = (at: number): string => [groups[at] ?? 0, groups[at + 1] ?? 0].flatMap((group) => [group >> 8, group & 255]).join(".");
  if (a === 0x2002) return dotted(1);
  return a === 0x64 && b === 0xff9b ? dotted(6) : undefined;
}
