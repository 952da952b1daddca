// The use of a team's account: what the person saw is what is read, whatever changes in between.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withCredentialDomains } from "../../../platform/accounts/credential-domains.ts";
import type { StateStore } from "../../../platform/host.ts";
import { type TeamAccount, teamAccounts } from "../../../platform/team/team-account.ts";
import { type TeamHost, teamState, useTeamAccount } from "../../../platform/team/use-team-account.ts";
import type { PackDefinition } from "../../../protocol/definition.ts";
import { auth } from "../../support/broker.ts";

describe("an account of an account file", () => {
  let folder: string;
  let stored: Map<string, unknown>;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-team-"));
    stored = new Map();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const definition = (...networkDomains: readonly string[]): PackDefinition =>
    withCredentialDomains({ networkDomains, userAuthentication: auth("HeaderBearerToken"), formulas: [], syncTables: [] });
  const host = (more: Partial<TeamHost> = {}): TeamHost => {
    const state: StateStore = { get: (key) => stored.get(key), set: async (key, value) => void stored.set(key, value) };
    const environment = { PACK_AUTH_ALICE_TOKEN: "token-of-alice", PACK_AUTH_BANK_TOKEN: "token-of-the-bank" };
    return {
      state,
      sources: { environment, program: undefined, programSetting: "PACK_AUTH_OP" },
      howToAccept: () => "Run it and accept.",
      ...more,
    };
  };
  const write = (token: string, name = "pack.ts", more: object = {}): string => {
    writeFileSync(
      join(folder, "packauth.accounts.json"),
      JSON.stringify({ version: 1, accounts: [{ label: "alice", secrets: { token }, ...more }] }),
    );
    return join(folder, name);
  };
  function only(entry: string): TeamAccount {
    const [account, ...more] = teamAccounts(entry).accounts;
    assert.ok(account !== undefined && more.length === 0);
    return account;
  }

  it("a reference that changes while the person reads the question is not read", async () => {
    const entry = write("env:PACK_AUTH_ALICE_TOKEN");
    const account = only(entry);
    const pack = { entry, definition: definition("shop.example") };
    const ask = async (): Promise<boolean> => {
      write("env:PACK_AUTH_BANK_TOKEN");
      return true;
    };
    const { credential } = await useTeamAccount(pack, account, host(), { ask });
    assert.deepEqual(credential, { kind: "token", token: "token-of-alice" });
    assert.equal(teamState(only(entry), host(), pack.definition).state, "unaccepted");
    await assert.rejects(useTeamAccount(pack, only(entry), host()), { code: "reference-unapproved", hint: "Run it and accept." });
  });

  it("the state names the next step of each obstacle, and reads no value", async () => {
    const entry = write("env:PACK_AUTH_ALICE_TOKEN");
    const account = only(entry);
    const shop = definition("shop.example");
    const unreadable = host({
      sources: { environment: new Proxy({}, { get: () => assert.fail("a value was read") }), program: "/nowhere/op", programSetting: "x" },
    });
    const unaccepted = (reason: string, nextStep: string) => ({ state: "unaccepted", reason, nextStep });
    assert.deepEqual(teamState(account, unreadable, shop), unaccepted("nobody accepted its references", "Run it and accept."));
    await useTeamAccount({ entry, definition: shop }, account, host(), { ask: async () => true });
    assert.deepEqual(teamState(account, unreadable, shop), { state: "ready" });
    assert.equal(teamState(account, unreadable, definition("shop.example", "evil.example")).state, "unaccepted");
    const untrusted = { ...unreadable, howToTrust: () => "Trust it." };
    assert.deepEqual(teamState(account, untrusted, shop), unaccepted("the folder is not trusted", "Trust it."));
    await assert.rejects(useTeamAccount({ entry, definition: shop }, account, untrusted), {
      code: "workspace-untrusted",
      hint: "Trust it.",
    });
    write("env:PACK_AUTH_ALICE_TOKEN", "pack.ts", { endpoint: "https://evil.example" });
    const elsewhere = teamState(only(entry), unreadable, shop);
    assert.ok(elsewhere.state === "unaccepted");
    assert.match(
      `${elsewhere.reason}. ${elsewhere.nextStep}`,
      /names evil\.example, and the pack allows only shop\.example; nothing was sent\. Set /,
    );
  });

  it("two packs of a folder and two scopes of a label have accounts of their own", () => {
    const ids = ["pack.ts", "other.ts"].map((name) => only(write("env:PACK_AUTH_ALICE_TOKEN", name)).id);
    ids.push(only(write("env:PACK_AUTH_ALICE_TOKEN", "pack.ts", { scope: "system" })).id);
    assert.equal(new Set(ids).size, 3);
    assert.equal(only(write("env:PACK_AUTH_BANK_TOKEN")).id, ids[0], "an ID stays when a reference changes");
  });
});
