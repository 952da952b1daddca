// Dynamic registrations (RFC 7591) that a real provider has forgotten, or that several accounts of a pack signed in with: each account
// keeps its own, and no forgotten one is a dead end.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type Account, type Accounts, openAccounts, packKey } from "../../../platform/accounts/accounts.ts";
import { connect } from "../../../platform/connect/connect.ts";
import { removeAccount } from "../../../platform/connect/remove-account.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import { refreshAccount } from "../../../platform/oauth/refresh.ts";
import type { ClientCredentials, OAuth2Credential } from "../../../platform/secrets/credential.ts";
import { auth } from "../../support/broker.ts";
import { declaredPack } from "../../support/declared-pack.ts";
import { type OidcProvider, openOidcProvider } from "../../support/oidc-provider.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";
import { keepPort } from "../../support/reserved-port.ts";

const ENTRY = "/packs/registrations/pack.ts";
const KEY = packKey(ENTRY);

describe("Dynamic registrations", function () {
  this.timeout(30_000);
  let provider: OidcProvider;
  let host: TestHost;
  let accounts: Accounts;
  before(async () => {
    provider = await openOidcProvider();
  });
  after(() => provider.close());
  beforeEach(() => {
    provider.requests.length = 0;
    host = makeHost({ replies: { "edirect address": "open" } });
    accounts = openAccounts(host);
  });
  afterEach(() => rmSync(host.storageFolder, { recursive: true, force: true }));

  const definition = () =>
    auth("OAuth2", {
      useDynamicClientRegistration: true,
      authorizationUrl: provider.authorizationUrl,
      tokenUrl: provider.tokenUrl,
      scopes: ["orders:read"],
    });
  const signIn = async (existing?: Account, path = "/oauth"): Promise<Account> => {
    const connected = await connect(declaredPack(ENTRY, definition()), {
      scope: "user",
      packName: "shop",
      host,
      accounts,
      redirect: { host: "localhost", port: 0, path },
      ...(existing === undefined ? {} : { existing }),
    });
    assert.ok(connected);
    return connected.account;
  };
  const registered = async (): Promise<ClientCredentials | undefined> => accounts.clientCredentials(KEY, "user");
  const registrations = () => provider.requests.filter((request) => request === "POST /reg").length;
  const forget = async (client: ClientCredentials | undefined): Promise<void> =>
    (provider.provider.Client as unknown as { adapter: { destroy(id: string): Promise<void> } }).adapter.destroy(client?.clientId ?? "");
  const tokens = async ({ id }: Account): Promise<OAuth2Credential> => {
    const credential = await accounts.credential(id);
    assert.ok(credential?.kind === "oauth2");
    return credential;
  };
  const refresh = async (account: Account) => refreshAccount(account, definition(), await tokens(account), { ...host, accounts });

  it("an account refreshes and revokes with its own registration after later ones", async () => {
    const first = await signIn(undefined, "/oauth");
    const own = await registered();
    // A free port is another redirect address, and so another registration.
    const second = await signIn(undefined, "/back");
    assert.notEqual((await registered())?.clientId, own?.clientId);
    assert.equal((await accounts.secret(first.id))?.client?.clientId, own?.clientId);
    for (const account of [first, second, first]) {
      const fresh = await refresh(account);
      assert.ok(fresh && (await provider.accepts(fresh.accessToken)));
    }
    const last = await tokens(first);
    assert.deepEqual(await removeAccount(first.id, { ...host, accounts }), { revoked: true });
    assert.ok(!(await provider.accepts(last.accessToken)));
    assert.ok(await refresh(second));
  });

  for (const method of ["client_secret_basic", "client_secret_post"] as const)
    it(`a client registered with ${method} sends one token request by that method`, async () => {
      const strict = await openOidcProvider({ clientAuthMethods: [method] });
      const requests: string[] = [];
      strict.provider.on("grant.error", (_context, error) => requests.push(error.message));
      strict.provider.on("grant.success", () => requests.push("token"));
      try {
        const auth = { ...definition(), authorizationUrl: strict.authorizationUrl, tokenUrl: strict.tokenUrl };
        const connected = await connect(declaredPack(ENTRY, auth), {
          scope: "user",
          packName: "shop",
          host,
          accounts,
          redirect: { host: "localhost", port: 0, path: "/oauth" },
        });
        assert.ok(connected);
        assert.equal((await registered())?.registration?.authMethod, method);
        assert.ok(await refreshAccount(connected.account, auth, await tokens(connected.account), { ...host, accounts }));
        assert.deepEqual(requests, ["token", "token"]);
      } finally {
        strict.close();
      }
    });

  it("an account keeps working when the pack's client credentials are removed or replaced", async () => {
    const account = await signIn();
    await accounts.saveClientCredentials(KEY, "user", { clientId: "typed", clientSecret: "typed-secret" });
    assert.ok(await refresh(account));
    await accounts.removeClientCredentials(KEY, "user");
    assert.ok(await refresh(account));
    assert.deepEqual(await removeAccount(account.id, { ...host, accounts }), { revoked: true });
  });

  it("a registration forgotten by the provider is dropped at the refresh for a new one", async () => {
    const account = await signIn();
    const before = await tokens(account);
    await forget(await registered());
    await assert.rejects(refresh(account), (error: PackAuthError) => {
      assert.match(error.message, /because it no longer knows the client ID that it registered for this pack/);
      assert.match(error.hint ?? "", /^Sign in again\. The application is then registered again\./);
      return error.code === "sign-in-again";
    });
    assert.equal(await registered(), undefined);
    assert.deepEqual(await tokens(account), before);
    assert.equal((await accounts.get(account.id))?.unrenewable, "refused", "no list calls it ready");
    const again = await signIn(account);
    assert.equal(again.id, account.id);
    assert.equal((await accounts.get(account.id))?.unrenewable, undefined);
    assert.equal(registrations(), 2);
    assert.ok(await refresh(again));
  });

  it("a registration forgotten by the provider is dropped at the revocation, which removes the account", async () => {
    const account = await signIn();
    const other = await signIn(undefined, "/back");
    const stays = await registered();
    await forget((await accounts.secret(account.id))?.client);
    const removal = await removeAccount(account.id, { ...host, accounts });
    assert.match((removal.revoked === false && removal.problem) || "", /invalid_client/);
    assert.equal(await accounts.get(account.id), undefined);
    assert.deepEqual(await registered(), stays, "another one is not dropped for it");
    const latest = await signIn(undefined, "/third");
    await forget(await registered());
    await removeAccount(latest.id, { ...host, accounts });
    assert.equal(await registered(), undefined);
    assert.ok(await accounts.get(other.id), "although others are left");
  });

  it("a registration forgotten between browser and token is dropped, and the next sign-in works", async () => {
    const fetching = host.fetch;
    const forgetful = {
      ...host,
      fetch: async (url: string, init: RequestInit) => {
        const clientId = new URL(host.openedUrls.at(-1) ?? provider.issuer).searchParams.get("client_id");
        if (url === provider.tokenUrl && clientId !== null) await forget({ clientId });
        return fetching(url, init);
      },
    };
    await assert.rejects(
      connect(declaredPack(ENTRY, definition()), {
        scope: "user",
        packName: "shop",
        host: forgetful,
        accounts,
        redirect: { host: "localhost", port: 0, path: "/oauth" },
      }),
      (error: PackAuthError) => error.code === "token-exchange-failed" && /no longer knows the client ID/.test(error.message),
    );
    assert.equal(await registered(), undefined);
    assert.ok(await signIn());
  });

  it("a registration whose sign-in never returned from the browser is not reused", async () => {
    const { port, release } = await keepPort();
    const cancelled = new AbortController();
    const abandoned = {
      ...host,
      openBrowser: async () => {
        cancelled.abort();
        return true;
      },
    };
    const options = { scope: "user", packName: "shop", accounts, redirect: { host: "localhost", port, path: "/oauth" } } as const;
    assert.ok(await connect(declaredPack(ENTRY, definition()), { ...options, host }));
    assert.equal(registrations(), 1);
    assert.equal(await connect(declaredPack(ENTRY, definition()), { ...options, host: abandoned, signal: cancelled.signal }), undefined);
    assert.ok(await connect(declaredPack(ENTRY, definition()), { ...options, host }));
    assert.equal(registrations(), 2);
    release();
  });

  it("a registration is removed with the last account of its pack; typed credentials stay", async () => {
    const first = await signIn();
    const second = await signIn(undefined, "/back");
    await removeAccount(first.id, { ...host, accounts });
    assert.ok(await registered());
    await removeAccount(second.id, { ...host, accounts });
    assert.equal(await registered(), undefined);
    assert.deepEqual([...host.secretValues.keys()], []);
    await signIn();
    assert.equal(registrations(), 3);

    const third = await signIn();
    await accounts.saveClientCredentials(KEY, "user", { clientId: "typed" });
    for (const account of await accounts.list(KEY)) await removeAccount(account.id, { ...host, accounts });
    assert.equal(await accounts.get(third.id), undefined);
    assert.deepEqual(await registered(), { clientId: "typed" });
  });

  it("a registration's secret is bound to the token endpoint of its provider", async () => {
    await signIn();
    assert.deepEqual((await registered())?.tokenEndpoints, [provider.tokenUrl]);
  });
});
