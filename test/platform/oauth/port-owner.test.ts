// Which process holds a port, read from what Windows' own tool prints, in any language.
import assert from "node:assert/strict";
import { listeningProcess } from "../../../platform/oauth/port-owner.ts";

const NETSTAT = `
Aktive Verbindungen

  Proto  Lokale Adresse         Remoteadresse          Status           PID
  TCP    0.0.0.0:135            0.0.0.0:0              ABHÖREN          1104
  TCP    127.0.0.1:3000         127.0.0.1:51234        HERGESTELLT      4711
  TCP    127.0.0.1:13000        0.0.0.0:0              ABHÖREN          5
  TCP    [::1]:3000             [::]:0                 ABHÖREN          4242
  TCP    [::]:445               [::]:0                 ABHÖREN          4
  UDP    0.0.0.0:5353           *:*                                     2200
  UDP    [::]:3001              *:*                                     2201
`.replaceAll("\n", "\r\n");

describe("The program that holds a port on Windows (simulated)", () => {
  for (const [port, pid, what] of [
    [3000, "4242", "on [::1] alone"],
    [135, "1104", "on every address of IPv4"],
    [445, "4", "on every address of IPv6"],
    [5353, undefined, "by UDP, which is another port"],
    [51234, undefined, "at the other end of a connection"],
    [80, undefined, "not at all"],
  ] as const)
    it(`a process is ${pid === undefined ? "not found" : "found"} that listens ${what}`, () => {
      assert.equal(listeningProcess(NETSTAT, port), pid);
    });
});
