// What the accounts view tells of an account: the most pressing first, and the reason where it must be signed in again.
import assert from "node:assert/strict";
import { accountLines, accountParts, scopeParts, teamAccountLines, teamAccountParts } from "../../../client/views/account-text.ts";
import type { Account } from "../../../platform/accounts/accounts.ts";
import { snapshotOf } from "../../../platform/accounts/configuration-snapshot.ts";
import type { AccountState } from "../../../protocol/account-state.ts";
import { auth } from "../../support/broker.ts";

const ready: AccountState = { state: "ready" };
const account = (more: Partial<Account> = {}): Account => ({
  id: "a",
  pack: "p",
  entry: "/pack.ts",
  scope: "user",
  type: "OAuth2",
  label: "alice (Acme)",
  shared: false,
  createdAt: 1,
  configuration: snapshotOf(auth("OAuth2")),
  ...more,
});

describe("texts about an account", () => {
  it("auth-spec 1 step 4: type, endpoint, and who shares the account are shown", () => {
    assert.deepEqual(accountParts(account({ endpoint: "https://acme.example" }), ready, 0), [
      "OAuth2",
      "https://acme.example",
      "this workspace",
    ]);
    assert.deepEqual(accountParts(account({ shared: true, scope: "system", sandboxOrigin: "http://127.0.0.1:1" }), ready, 0), [
      "system",
      "sandbox",
      "OAuth2",
      "every workspace",
    ]);
    assert.ok(accountLines(account(), ready).includes("May be used in this workspace only"));
  });

  it("an account of an account file says where it is from, and names its references", () => {
    const inFile = { label: "alice", scope: "system", secrets: { token: "env:PACK_AUTH_ALICE_TOKEN" } } as const;
    const ofFile = { ...account({ label: "alice", scope: "system", endpoint: "https://acme.example" }), inFile };
    const parts = ["from packauth.accounts.json, not stored", "system", "https://acme.example", "accepted"];
    assert.deepEqual(teamAccountParts(ofFile, ready), parts);
    assert.deepEqual(teamAccountLines(ofFile, ready), ["alice", ...parts, "token: env:PACK_AUTH_ALICE_TOKEN"]);
    const unaccepted = { state: "unaccepted", reason: "nobody accepted its references", nextStep: "Run it." } as const;
    assert.deepEqual(teamAccountParts(ofFile, unaccepted).at(-1), "nobody accepted its references");
    assert.deepEqual(teamAccountLines(ofFile, unaccepted).slice(-2), ["Run it.", "token: env:PACK_AUTH_ALICE_TOKEN"]);
  });

  it("full details have a line each, and missing ones have none", () => {
    const full = { scope: "system", sandboxOrigin: "http://127.0.0.1:1", endpoint: "https://acme.example", shared: true } as const;
    assert.deepEqual(accountLines(account({ ...full, scopesGranted: ["read"], expiresAt: 0 }), ready), [
      "alice (Acme)",
      "Type: OAuth2, system authentication",
      "Sandbox account: its requests do not reach a real provider",
      "Endpoint: https://acme.example",
      "May be used in every workspace",
      "Granted: read (requested: nothing)",
      `Token valid until ${new Date(0).toLocaleString()}`,
    ]);
    assert.deepEqual(accountLines(account(), ready), ["alice (Acme)", "Type: OAuth2", "May be used in this workspace only"]);
  });

  it("auth-spec 9.1: an account to sign in again begins with that, and the reason", () => {
    const stale: AccountState = { state: "changed", reason: "the scopes changed", nextStep: "Sign in again." };
    assert.equal(accountParts(account({ expiresAt: 60_000 }), stale, 0)[0], "changed: sign in again");
    assert.ok(!accountParts(account({ expiresAt: 60_000 }), stale, 0).some((part) => part.startsWith("token")));
    assert.deepEqual(accountLines(account(), stale).slice(0, 2), ["alice (Acme)", "changed: the scopes changed. Sign in again."]);
  });

  it("auth-spec 5.5.7: a token's remaining time is shown, and an expired one is renewed", () => {
    const of = (expiresAt: number): string | undefined => accountParts(account({ expiresAt }), ready, 0).at(-1);
    const minute = 60_000;
    assert.deepEqual([-1, 0, minute, 119 * minute, 120 * minute, 47 * 60 * minute, 72 * 60 * minute].map(of), [
      "next run renews the token",
      "next run renews the token",
      "token for 1 min",
      "token for 119 min",
      "token for 2 h",
      "token for 47 h",
      "token for 3 days",
    ]);
  });

  it("a refused account begins with the refusal, and its token's time is not shown", () => {
    const reason = "the provider refused to renew the token";
    const refusedState: AccountState = { state: "refused", reason, nextStep: "Sign in again." };
    const revoked = account({ expiresAt: 60 * 60_000 });
    assert.equal(accountParts(revoked, refusedState, 0)[0], "refused: sign in again");
    assert.deepEqual(accountLines(revoked, refusedState), [
      "alice (Acme)",
      `refused: ${reason}. Sign in again.`,
      "Type: OAuth2",
      "May be used in this workspace only",
    ]);
  });

  it("auth-spec 2.3 scopes: granted scopes are shown beside requested ones", () => {
    const lines = (scopesGranted: readonly string[]) => accountLines(account({ scopesRequested: ["read", "write"], scopesGranted }), ready);
    assert.ok(lines(["read"]).includes("Granted: read (requested: read, write)"));
    assert.ok(lines([]).includes("Granted: nothing (requested: read, write)"));
    assert.ok(!accountLines(account(), ready).some((line) => line.startsWith("Granted")));
  });

  it("the row of a scope contains whether it is granted, and who requests it", () => {
    const row = { scope: "items:read", isGranted: true };
    assert.deepEqual(scopeParts({ ...row, requestedBy: ["the configuration", "List"] }), [
      "granted",
      "requested by the configuration, List",
    ]);
    assert.deepEqual(scopeParts({ ...row, isGranted: false }), ["not granted"]);
    assert.deepEqual(scopeParts({ ...row, requestedBy: [] }), ["granted", "requested by nobody"]);
  });

  it("auth-spec 5.6.3: a default name is marked as such until somebody renames the account", () => {
    const line = "The sign-in returned no name, so this is the default name";
    assert.ok(accountLines(account({ unnamed: true }), ready).includes(line));
    for (const named of [{}, { unnamed: false }, { unnamed: true, renamed: true }])
      assert.ok(!accountLines(account(named), ready).includes(line));
  });
});
