// The state of a stored account: one word, the reason, and what to do, by what is stored of it and what its surroundings say.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Account } from "../../../platform/accounts/account-files.ts";
import type { AccountSurroundings } from "../../../platform/accounts/account-state.ts";
import { type Accounts, openAccounts } from "../../../platform/accounts/accounts.ts";
import { snapshotOf } from "../../../platform/accounts/configuration-snapshot.ts";
import { NEEDS_SIGN_IN, needsSignIn, stateText } from "../../../protocol/account-state.ts";
import { accountOf } from "../../support/account.ts";
import { auth } from "../../support/broker.ts";
import { root } from "../../support/packs.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";

const NOW = 1_000_000;
const OAUTH = auth("OAuth2", { scopes: ["read"] });

interface Case {
  readonly account: Partial<Account>;
  readonly surroundings?: AccountSurroundings;
  readonly text: string;
  readonly needsSignIn: boolean;
}

const CASES: Readonly<Record<string, Case>> = {
  "a token that never expires": { account: {}, text: "ready", needsSignIn: false },
  "a token with time left": { account: { expiresAt: NOW + 1 }, text: "ready", needsSignIn: false },
  "a token with time left and no refresh token": {
    account: { expiresAt: NOW + 1, unrenewable: true },
    text: "ready",
    needsSignIn: false,
  },
  "an expired token and a refresh token": {
    account: { expiresAt: NOW },
    text: "renewable: its token has expired. The next run renews it.",
    needsSignIn: false,
  },
  "an expired token and no refresh token": {
    account: { expiresAt: NOW, unrenewable: true, refused: true },
    text: "expired: its token has expired, and the provider gave no refresh token. Sign in again.",
    needsSignIn: true,
  },
  "a sandbox that has ended": {
    account: { sandboxOrigin: "http://127.0.0.1:1" },
    surroundings: { hasSandboxEnded: true },
    text: "expired: its sandbox has ended. Sign in again.",
    needsSignIn: true,
  },
  "a refresh token that the provider refused, and a token with time left": {
    account: { expiresAt: NOW + 60_000, unrenewable: "refused" },
    text: "refused: the provider refused to renew the token. Sign in again.",
    needsSignIn: true,
  },
  "a refresh that was interrupted": {
    account: { expiresAt: NOW, unrenewable: "interrupted" },
    text: "refused: a refresh was interrupted, so the refresh token may be used up. Sign in again.",
    needsSignIn: true,
  },
  "a credential that the API refused": {
    account: { refused: true },
    text: "refused: the API refused the credential at its last use (401). Sign in again with a valid credential.",
    needsSignIn: true,
  },
  "another configuration": {
    account: { refused: true },
    surroundings: { definition: { ...OAUTH, scopes: ["write"] } },
    text: "changed: the configuration changed since the last sign-in: scopes changed (+ write, − read); on the platform the change takes effect after the next build. Sign in again.",
    needsSignIn: true,
  },
  "another type in the source than in the configuration that ran last": {
    account: {},
    surroundings: { definition: OAUTH, type: "WebBasic" },
    text: "changed: the authentication is now WebBasic. Sign in again.",
    needsSignIn: true,
  },
};

describe("The state of an account", () => {
  let host: TestHost;
  let accounts: Accounts;
  beforeEach(() => {
    host = { ...makeHost(), now: () => NOW };
    accounts = openAccounts(host);
  });
  afterEach(() => rmSync(host.storageFolder, { recursive: true, force: true }));

  for (const [what, { account: more, surroundings, text, needsSignIn: isEnded }] of Object.entries(CASES))
    it(`an account with ${what} is “${text.replace(/:.*/, "")}”, with the reason and what to do`, async () => {
      const account = accountOf({ type: "OAuth2", configuration: snapshotOf(OAUTH), ...more });
      await accounts.save(account, { kind: "oauth2", accessToken: "the-access-token" });
      const state = await accounts.stateOf(account, surroundings);
      assert.equal(stateText(state), text);
      assert.equal(needsSignIn(state), isEnded);
    });

  it("an account whose secret another passphrase sealed is “sealed”, with a hint", async () => {
    const hint = "Set the passphrase.";
    const sealing = openAccounts({
      ...host,
      secrets: { ...host.secrets, sealed: async () => ({ reason: "the passphrase does not open its credentials", hint }) },
    });
    assert.deepEqual(await sealing.stateOf(accountOf()), {
      state: "sealed",
      reason: "the passphrase does not open its credentials",
      nextStep: hint,
    });
  });

  it("the docs name each state, and explain those that need a sign-in", () => {
    const page = (name: string): string => readFileSync(join(root, "docs", name), "utf8");
    for (const [state, isEnded] of Object.entries(NEEDS_SIGN_IN)) {
      assert.ok(page("connecting-from-the-command-line.md").includes(`\`${state}\``), state);
      if (isEnded) assert.ok(page("connecting.md").includes(`*${state}*: `), state);
    }
  });
});
