// What stands over a setter: the sign-in button, the credentials buttons and the accounts, by the configuration and the accounts' state.
import assert from "node:assert/strict";
import { type SetterFacts, setterActions } from "../../../client/lenses/setter-actions.ts";
import type { Account } from "../../../platform/accounts/accounts.ts";
import { snapshotOf } from "../../../platform/accounts/configuration-snapshot.ts";
import type { AccountState } from "../../../protocol/account-state.ts";
import { auth } from "../../support/broker.ts";

const ready: AccountState = { state: "ready" };
const stale: AccountState = { state: "changed", reason: "the scopes changed", nextStep: "Sign in again." };
const account = (label: string, more: Partial<Account> = {}): Account => ({
  id: label,
  pack: "p",
  entry: "/pack.ts",
  scope: "user",
  type: "HeaderBearerToken",
  label,
  shared: true,
  createdAt: 1,
  configuration: snapshotOf(auth("HeaderBearerToken")),
  ...more,
});
const actions = (facts: Partial<SetterFacts>) =>
  setterActions({ entry: "/pack.ts", scope: "user", accounts: [], hasClientCredentials: false, ...facts });
const titles = (facts: Partial<SetterFacts>) => actions(facts).map(({ title }) => title);

describe("lenses over a setter", () => {
  it("auth-spec 1 step 1, 4 pack.setUserAuthentication: every type but None has a button to sign in", () => {
    for (const type of ["HeaderBearerToken", "CustomHeaderToken", "QueryParamToken", "Custom", "WebBasic"])
      assert.deepEqual(titles({ type }), ["Connect test account"], type);
    assert.deepEqual(titles({}), ["Connect test account"]);
    assert.deepEqual(titles({ type: "None" }), []);
  });

  it("auth-spec 5.5.4, 9.1: OAuth2 has a button for the client ID and secret until they exist", () => {
    assert.deepEqual(titles({ type: "OAuth2" }), ["Connect test account", "Add OAuth credentials"]);
    assert.deepEqual(titles({ type: "OAuth2", hasClientCredentials: true }), ["Connect test account"]);
    assert.deepEqual(actions({ type: "OAuth2" })[1]?.argument, { entry: "/pack.ts", scope: "user", type: "OAuth2" });
  });

  it("auth-spec 4 pack.setSystemAuthentication, 9.1: system authentication has its own button", () => {
    const [add, ...more] = actions({ scope: "system", type: "HeaderBearerToken" });
    assert.deepEqual([add?.title, add?.command, more], ["Add system authentication", "packAuth.addSystemAuthentication", []]);
    const accounts = [{ account: account("team", { scope: "system" }), state: ready }];
    assert.deepEqual(titles({ scope: "system", type: "HeaderBearerToken", accounts }), ["Replace system authentication", "team"]);
  });

  it("auth-spec 1 step 4: accounts are shown, the sandbox's as such, and more can be added", () => {
    const accounts = [
      { account: account("alice"), state: ready },
      { account: account("bob", { sandboxOrigin: "http://127.0.0.1:1" }), state: ready },
    ];
    assert.deepEqual(titles({ type: "HeaderBearerToken", accounts }), ["Connect test account", "alice", "bob (sandbox)"]);
  });

  it("accounts of the account file are shown apart, with the next step of one that nobody accepted, and many of them together", () => {
    const ofFile = (label: string, more: Partial<Account> = {}) =>
      account(label, { inFile: { label, scope: "user", secrets: { token: "env:PACK_AUTH_A" } }, ...more });
    const unaccepted: AccountState = { state: "unaccepted", reason: "nobody accepted its references", nextStep: "Run it." };
    const accounts = [
      { account: account("alice"), state: ready },
      { account: ofFile("alice"), state: unaccepted },
    ];
    assert.deepEqual(titles({ type: "HeaderBearerToken", accounts }), ["Connect test account", "alice", "alice (packauth.accounts.json)"]);
    assert.equal(actions({ accounts }).at(-1)?.tooltip, "unaccepted: nobody accepted its references. Run it.");
    const many = Array.from({ length: 200 }, (_, index) => ({ account: ofFile(`a${index}`), state: unaccepted }));
    assert.deepEqual(titles({ accounts: many }), ["Connect test account", "200 accounts of packauth.accounts.json"]);
    // A stored account does not replace one of the file.
    const system = [{ account: ofFile("robot", { scope: "system" }), state: ready }];
    assert.deepEqual(titles({ scope: "system", accounts: system }), ["Add system authentication", "robot (packauth.accounts.json)"]);
  });

  it("several accounts of one name share their lenses, however often somebody signed in", () => {
    const sandboxOrigin = "http://127.0.0.1:1";
    const accounts = Array.from({ length: 30 }, (_, id) => ({
      account: account("alice", { id: String(id), sandboxOrigin }),
      state: id < 20 ? stale : ready,
    }));
    assert.deepEqual(titles({ type: "HeaderBearerToken", accounts }), ["Sign in again: alice", "Connect test account", "alice (sandbox)"]);
  });

  it("auth-spec 9.1: an account that no longer fits the configuration asks for a sign-in, with the reason", () => {
    const only = actions({ type: "HeaderBearerToken", accounts: [{ account: account("alice"), state: stale }] });
    assert.deepEqual(
      only.map(({ title, tooltip }) => [title, tooltip]),
      [
        ["Sign in again", "alice: changed: the scopes changed. Sign in again."],
        ["alice", "Show the accounts"],
      ],
    );
    assert.equal(only[0]?.argument?.account?.id, "alice");
    const several = {
      type: "WebBasic",
      accounts: [
        { account: account("alice"), state: stale },
        { account: account("bob", { type: "WebBasic" }), state: ready },
      ],
    };
    assert.deepEqual(titles(several), ["Sign in again: alice", "Connect test account", "alice", "bob"]);
  });

  it("a refused refresh token gets a warning lens to sign in again, a renewable token none", () => {
    const reason = "the provider refused to renew the token";
    const of = (state: AccountState) =>
      actions({ type: "OAuth2", hasClientCredentials: true, accounts: [{ account: account("alice"), state }] });
    const [first] = of({ state: "refused", reason, nextStep: "Sign in again." });
    assert.deepEqual(
      [first?.icon, first?.title, first?.tooltip],
      ["warning", "Sign in again", `alice: refused: ${reason}. Sign in again.`],
    );
    const renewable = of({ state: "renewable", reason: "its token has expired", nextStep: "The next run renews it." });
    assert.deepEqual(
      renewable.map(({ title }) => title),
      ["Connect test account", "alice"],
    );
  });
});
