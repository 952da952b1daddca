// The state of a stored account: one word, the reason, and what to do, by what is stored of it and what its surroundings say.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Accounts, openAccounts } from "../../../platform/accounts/accounts.ts";
import { snapshotOf } from "../../../platform/accounts/configuration-snapshot.ts";
import { NEEDS_SIGN_IN, needsSignIn, stateText } from "../../../protocol/account-state.ts";
import { accountOf } from "../../support/account.ts";
import { auth } from "../../support/broker.ts";
import { eachCase } from "../../support/json-cases.ts";
import { root } from "../../support/packs.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";

const NOW = 1_000_000;
const OAUTH = auth("OAuth2", { scopes: ["read"] });

const stateCase = z.strictObject({
  title: z.string(),
  /** The milliseconds until its token expires. */
  timeLeft: z.int().exactOptional(),
  account: z
    .strictObject({
      unrenewable: z.union([z.literal(true), z.enum(["refused", "interrupted"])]).exactOptional(),
      refused: z.literal(true).exactOptional(),
      sandboxOrigin: z.string().exactOptional(),
    })
    .default({}),
  /** The scopes of the configuration that ran last; without them, none is known. */
  scopes: z.array(z.string()).exactOptional(),
  surroundings: z.strictObject({ hasSandboxEnded: z.literal(true).exactOptional(), type: z.string().exactOptional() }).exactOptional(),
  text: z.string(),
  needsSignIn: z.boolean(),
});

describe("The state of an account", () => {
  let host: TestHost;
  let accounts: Accounts;
  beforeEach(() => {
    host = { ...makeHost(), now: () => NOW };
    accounts = openAccounts(host);
  });
  afterEach(() => rmSync(host.storageFolder, { recursive: true, force: true }));

  eachCase(
    "accounts/cases/account-states.json",
    stateCase,
    ({ title, timeLeft, account: more, scopes, surroundings, text, ...expected }) => {
      it(`an account with ${title} is “${text.replace(/:.*/, "")}”, with the reason and what to do`, async () => {
        const expiry = timeLeft === undefined ? {} : { expiresAt: NOW + timeLeft };
        const account = accountOf({ type: "OAuth2", configuration: snapshotOf(OAUTH), ...more, ...expiry });
        await accounts.save(account, { kind: "oauth2", accessToken: "the-access-token" });
        const definition = scopes === undefined ? {} : { definition: { ...OAUTH, scopes } };
        const state = await accounts.stateOf(account, { ...surroundings, ...definition });
        assert.equal(stateText(state), text);
        assert.equal(needsSignIn(state), expected.needsSignIn);
      });
    },
  );

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
