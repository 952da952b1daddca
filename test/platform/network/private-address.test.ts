// Which addresses a public name may lead to.
import assert from "node:assert/strict";
import { isPrivateAddress } from "../../../platform/network/private-address.ts";

const INSIDE = [
  ..."0.0.0.0 10.1.2.3 100.64.0.1 100.127.255.255 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.88.99.1 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255".split(
    " ",
  ),
  ...":: ::1 fe80::1 fe80::1%eth0 fec0::1 fc00::1 fd12:3456::1 ff02::1 2001:db8::1 2001::1 100::1 100:0:0:1::1 3fff::1 3fff:fff:ffff::1 5f00::1 ::ffff:0:808:808".split(
    " ",
  ),
  // Private IPv4 addresses inside IPv6 ones: mapped, compatible, NAT64, 6to4.
  ..."::ffff:10.0.0.1 ::ffff:7f00:1 0:0:0:0:0:ffff:c0a8:0101 ::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 2002:7f00:1::1 2002:c0a8:101:: 64:ff9b:1:a00:0:100:: 64:ff9b:1::808:808 64:ff9b::198.51.100.1 2002:a00:1:2:3:4:5:6".split(
    " ",
  ),
  ..."localhost nonsense 1.2.3 1.2.3.4.5".split(" "),
  "",
];
const OUTSIDE =
  "8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.167.1.1 223.255.255.255 192.88.98.1 192.88.100.1 3fff:1000::1 5eff::1 5f01::1 2606:4700::1111 2a00:1450:4001::1 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1 64:1::7f00:1 65:ff9b::7f00:1 2a00:1450:4001:2:3:4:5:6".split(
    " ",
  );

describe("Private addresses", () => {
  for (const address of INSIDE) it(`${JSON.stringify(address)} is private`, () => assert.ok(isPrivateAddress(address)));
  for (const address of OUTSIDE) it(`${address} is public`, () => assert.ok(!isPrivateAddress(address)));
});
