// A stored account before a run: it is taken only as what it was made for, and nothing is asked of anybody where it cannot be.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type Accounts, openAccounts } from "../../../platform/accounts/accounts.ts";
import type { SandboxSignIn } from "../../../platform/connect/flows/flow.ts";
import { usableAccount } from "../../../platform/connect/usable-account.ts";
import type { Pack } from "../../../platform/process/pack.ts";
import { oauthAccount, oauthDefinition, storeAccount } from "../../support/oauth-account.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";

const HERE = "http://127.0.0.1:4001";
const auth = oauthDefinition("https://login.shop.example/token");
const pack = { definition: { networkDomains: [], formulas: [], syncTables: [], userAuthentication: auth } } as unknown as Pack;

describe("A stored account", () => {
  let host: TestHost;
  let accounts: Accounts;
  beforeEach(() => {
    // Before the stored token runs out.
    host = { ...makeHost({ fetch: () => assert.fail("it was sent somewhere") }), now: () => 0 };
    accounts = openAccounts(host);
  });
  afterEach(() => rmSync(host.storageFolder, { recursive: true, force: true }));
  const stored = async (sandboxOrigin?: string) =>
    (
      await storeAccount(
        accounts,
        auth,
        { access: "the-access-token", refresh: "the-refresh-token" },
        sandboxOrigin ? { sandboxOrigin } : {},
      )
    ).account;
  const side = (origin: string, clientSecret?: string): SandboxSignIn => ({
    origin,
    clientCredentials: { clientId: "client", ...(clientSecret === undefined ? {} : { clientSecret }) },
  });

  it("a sandbox account works with its own sandbox only", async () => {
    const account = await stored(HERE);
    const use = (origin: string) => usableAccount(pack, account, { accounts, host, sandbox: async () => side(origin) });
    assert.equal((await use(HERE)).sandboxOrigin, HERE);
    await assert.rejects(use("http://127.0.0.1:4002"), { code: "sign-in-again", message: /The sandbox that alice belongs to is gone/ });
  });

  it("a sandbox account lists the sandbox client's secret, if any, for masking", async () => {
    const account = await stored(HERE);
    for (const secrets of [[], ["the-sandbox-secret"]]) {
      const sandbox = async () => side(HERE, ...secrets);
      assert.deepEqual(await (await usableAccount(pack, account, { accounts, host, sandbox })).otherSecrets?.(), secrets);
    }
  });

  it("an account with an expired token is renewed before use", async () => {
    const account = await stored();
    const fetch = async () => Response.json({ access_token: "the-new-token", token_type: "bearer", expires_in: 60 });
    const runAccount = await usableAccount(pack, account, {
      accounts,
      host: { ...host, fetch, now: () => 10_000 },
      sandbox: () => assert.fail("it was asked for"),
    });
    assert.ok(runAccount.credential.kind === "oauth2");
    assert.equal(runAccount.credential.accessToken, "the-new-token");
    assert.deepEqual(await accounts.credential(account.id), runAccount.credential);
  });

  it("a sandbox account queries the secret store and the sandbox concurrently", async () => {
    const account = await stored(HERE);
    let ask: (() => void) | undefined;
    const sandboxRequest = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const get = (key: string) => sandboxRequest.then(() => host.secrets.get(key));
    const slow = openAccounts({ ...host, secrets: { ...host.secrets, get } });
    const sandbox = async () => {
      ask?.();
      return side(HERE);
    };
    assert.equal((await usableAccount(pack, account, { accounts: slow, host, sandbox })).sandboxOrigin, HERE);
  });

  it("a real provider's account starts no sandbox and lists the client secret for masking", async () => {
    const account = await stored();
    const runAccount = await usableAccount(pack, account, { accounts, host, sandbox: () => assert.fail("it was asked for") });
    assert.equal("sandboxOrigin" in runAccount, false);
    assert.deepEqual(await runAccount.otherSecrets?.(), ["client-secret"]);
  });

  it("an account without credentials reports “sign in again”", async () => {
    const account = await stored();
    host.secretValues.clear();
    await assert.rejects(usableAccount(pack, account, { accounts, host, sandbox: () => assert.fail("it was asked for") }), {
      code: "sign-in-again",
      message: /alice cannot be used: the secret store no longer has its credentials/,
      hint: "Sign in again.",
    });
  });

  it("an account without credentials reports that even if its sandbox fails too", async () => {
    const account = await stored(HERE);
    host.secretValues.clear();
    const sandbox = () => Promise.reject(new Error("it does not start"));
    await assert.rejects(usableAccount(pack, account, { accounts, host, sandbox }), { message: /alice cannot be used/ });
    // Where nobody waits for it, its failure would end the process.
    await new Promise(setImmediate);
  });

  it("a credential without a refresh token is not renewed after a refusal", async () => {
    for (const credential of [
      { kind: "token", token: "the-token" },
      { kind: "oauth2", accessToken: "the-access-token" },
    ] as const) {
      const account = oauthAccount(auth);
      await accounts.save(account, credential);
      const runAccount = await usableAccount(pack, account, { accounts, host, sandbox: () => assert.fail("it was asked for") });
      assert.equal(await runAccount.refresh?.(runAccount.credential), undefined);
      assert.deepEqual(runAccount.credential, credential);
    }
  });
});
