// Renewing a token: when, how often, with what, and what is stored when it fails. The provider here takes a refresh token that comes
// twice for theft, as RFC 9700 wants it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Account, type Accounts, openAccounts } from "../../../platform/accounts/accounts.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import { withLock } from "../../../platform/files/file-lock.ts";
import { missingRefreshToken } from "../../../platform/oauth/missing-refresh-token.ts";
import { isExpired, type RefreshHost, refreshAccount, refreshFile } from "../../../platform/oauth/refresh.ts";
import { refreshMark } from "../../../platform/oauth/refresh-mark.ts";
import type { OAuth2Credential } from "../../../platform/secrets/credential.ts";
import { onWire, success } from "../../support/broker.ts";
import { oauthCredential, oauthDefinition, storeAccount } from "../../support/oauth-account.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";
import { openRotatingServer, type RotatingServer } from "../../support/rotating-server.ts";
import { openTokenServer } from "../../support/token-server.ts";
import { openWire } from "../../support/wire.ts";

describe("Token refresh", () => {
  let server: RotatingServer;
  let host: TestHost;
  let accounts: Accounts;
  beforeEach(async () => {
    server = await openRotatingServer({ lifetime: 60 });
    host = makeHost();
    accounts = openAccounts(host);
  });
  afterEach(() => {
    server.close();
    rmSync(host.storageFolder, { recursive: true, force: true });
  });

  const definition = () => oauthDefinition(server.tokenUrl);
  const refreshHost = (more: Partial<RefreshHost> = {}): RefreshHost => ({
    accounts,
    fetch: host.fetch,
    now: Date.now,
    storageFolder: host.storageFolder,
    ...more,
  });
  const stored = () => storeAccount(accounts, definition(), server.issue());
  const renew = (account: Account, stale: OAuth2Credential, more?: Partial<RefreshHost>) =>
    refreshAccount(account, definition(), stale, refreshHost(more));

  it("a refusal quotes no token or client secret in any encoding", async () => {
    const raw = await openTokenServer();
    const secrets = { access: 'old/access+"token"=1', refresh: 'old/refresh+"token"=2', client: 'client/secret+"value"=3' };
    const forms = (secret: string): readonly string[] => {
      const base64 = Buffer.from(`client:${secret}`).toString("base64");
      return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), Buffer.from(secret).toString("base64"), base64];
    };
    try {
      const auth = oauthDefinition(raw.tokenUrl);
      const { account, credential } = await storeAccount(accounts, auth, secrets);
      await accounts.saveClientCredentials(account.pack, account.scope, { clientId: "client", clientSecret: secrets.client });
      for (const secret of Object.values(secrets))
        for (const form of forms(secret))
          for (const body of [{ error: "odd", error_description: `of ${form} no` }, { error: form }, { message: form }, `no ${form}`]) {
            raw.responses = [{ status: 400, body: typeof body === "string" ? body : JSON.stringify(body) }];
            const error = await refreshAccount(account, auth, credential, refreshHost()).then(
              () => assert.fail("it was refused"),
              (failure: PackAuthError) => failure,
            );
            const output = [error.message, error.hint, (error as { summary?: string }).summary, ...host.logged].join("\n");
            const core = form.slice(2, -4);
            assert.ok(!output.includes(core), `${JSON.stringify(body)} → ${output}`);
          }
      raw.responses = [{ status: 400, body: '{"error":"odd","error_description":"not new-token-here","access_token":"new-token-here"}' }];
      await assert.rejects(
        refreshAccount(account, auth, credential, refreshHost()),
        ({ message }: Error) => !message.includes("new-token"),
      );
    } finally {
      raw.close();
    }
  });

  it("auth-spec 5.5.7: a token counts as expired a minute or a tenth of its lifetime early", () => {
    const at = (expiresAt: number | undefined, lifetime?: number): boolean =>
      isExpired(
        {
          kind: "oauth2",
          accessToken: "t",
          ...(expiresAt === undefined ? {} : { expiresAt }),
          ...(expiresAt === undefined || lifetime === undefined ? {} : { issuedAt: expiresAt - lifetime }),
        },
        1_000_000,
      );
    assert.equal(at(undefined), false);
    assert.equal(at(1_059_999), true);
    assert.equal(at(1_060_001), false);
    assert.equal(at(1_000_500, 1_000), false);
    assert.equal(at(1_000_050, 1_000), true);
    assert.equal(at(1_200_000, 3_600_000), false);
  });

  it("a refused refresh token marks its account as refused until a refresh succeeds", async () => {
    const raw = await openTokenServer();
    try {
      const auth = oauthDefinition(raw.tokenUrl);
      const { account, credential } = await storeAccount(accounts, auth, { access: "token-1", refresh: "refresh-1" });
      const refreshWith = async (status: number, body: object): Promise<unknown> => {
        raw.responses = [{ status, body: JSON.stringify(body) }];
        await refreshAccount(account, auth, credential, refreshHost()).catch(() => {});
        return (await accounts.stateOf((await accounts.get(account.id)) ?? account)).state;
      };
      assert.equal(await refreshWith(503, { error: "temporarily_unavailable" }), "ready");
      assert.equal(await refreshWith(400, { error: "invalid_client" }), "ready");
      assert.equal(await refreshWith(400, { error: "invalid_grant" }), "refused");
      assert.equal(await refreshWith(200, { access_token: "token-2", token_type: "Bearer", refresh_token: "refresh-2" }), "ready");
    } finally {
      raw.close();
    }
  });

  it("auth-spec 5.5.7: new tokens are stored with their expiry before use; name and endpoint stay", async () => {
    const { account, credential } = await stored();
    await accounts.update(account.id, { endpoint: "https://acme.example", label: "renamed" });
    const fresh = await renew(account, credential);
    const storedCredential = await accounts.credential(account.id);
    assert.deepEqual(storedCredential, fresh);
    assert.ok(storedCredential?.kind === "oauth2" && storedCredential.refreshToken === "refresh-token-2");
    const now = await accounts.get(account.id);
    assert.deepEqual([now?.endpoint, now?.label], ["https://acme.example", "renamed"]);
    assert.ok((now?.expiresAt ?? 0) > Date.now());
  });

  it("RFC 6749, 6: a refresh without a new refresh token keeps the old one, which may be reused", async () => {
    server.close();
    server = await openRotatingServer({ lifetime: 60, rotates: false });
    const { account, credential } = await stored();
    const first = await renew(account, credential);
    assert.ok(first);
    const second = await renew(account, first);
    assert.equal(second?.refreshToken, credential.refreshToken);
    assert.deepEqual(server.receivedTokens, [credential.refreshToken, credential.refreshToken]);
    assert.equal((await accounts.secret(account.id))?.rotates, false);
  });

  it("ten requests at once make one refresh in one window and in several", async () => {
    const { account, credential } = await stored();
    const windows = Array.from({ length: 3 }, () => openAccounts(host));
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, index) => renew(account, credential, { accounts: windows[index % 3] ?? accounts })),
    );
    assert.equal(new Set(all.map((fresh) => fresh?.accessToken)).size, 1);
    assert.equal(server.receivedTokens.length, 1);
  });

  it("a late window uses the token that another window renewed", async () => {
    const { account, credential } = await stored();
    const fresh = await renew(account, credential);
    const late = await renew(account, credential, { accounts: openAccounts(host) });
    assert.deepEqual(late, fresh);
    assert.equal(server.receivedTokens.length, 1);
  });

  it("a late window renews a token that another window renewed and that expired since", async () => {
    const { account, credential } = await stored();
    await renew(account, credential);
    const later = Date.now() + 3_600_000;
    const late = await renew(account, credential, { accounts: openAccounts(host), now: () => later });
    assert.equal(late?.accessToken, "access-token-3");
    assert.deepEqual(server.receivedTokens, ["refresh-token-1", "refresh-token-2"]);
  });

  it("a request refused with 401 is repeated once with a fresh token", async () => {
    const wire = await openWire();
    try {
      const { account, credential } = await stored();
      wire.respond = ({ headers }, response) => response.writeHead(headers.authorization === "Bearer access-token-2" ? 200 : 401).end();
      const { send } = onWire(wire, {
        authentication: { ...definition(), networkDomain: "good.com" },
        credential,
        refresh: async () => {
          const fresh = await renew(account, credential);
          return fresh && { credential: fresh, isNew: true };
        },
      });
      assert.equal(success(await send({ url: "https://good.com/" })).status, 200);
      assert.deepEqual(
        wire.requests.map(({ headers }) => headers.authorization),
        ["Bearer access-token-1", "Bearer access-token-2"],
      );
      wire.requests.length = 0;
      wire.respond = (_request, response) => response.writeHead(401).end();
      assert.ok("message" in (await send({ url: "https://good.com/" })));
      assert.equal(wire.requests.length, 2);
    } finally {
      await wire.close();
    }
  });

  it("a new sign-in during a refresh keeps its own tokens", async () => {
    const { account, credential } = await stored();
    const anew = oauthCredential(server.issue());
    server.onRefresh = async () => void (await accounts.save(account, anew));
    assert.deepEqual(await renew(account, credential), anew);
    assert.deepEqual(await accounts.credential(account.id), anew);
  });

  it("a removal during a refresh stays removed", async () => {
    const { account, credential } = await stored();
    server.onRefresh = () => accounts.remove(account.id);
    await assert.rejects(renew(account, credential), { code: "sign-in-again" });
    assert.equal(await accounts.get(account.id), undefined);
    assert.equal(await accounts.credential(account.id), undefined);
    await assert.rejects(renew(account, credential), { code: "sign-in-again" });
  });

  it("a changed tokenUrl does not receive the refresh token", async () => {
    const { account, credential } = await stored();
    const elsewhere = await openTokenServer();
    try {
      const changedAuth = oauthDefinition(`${elsewhere.base}/token`);
      await assert.rejects(refreshAccount(account, changedAuth, credential, refreshHost()), (error: PackAuthError) => {
        assert.match(error.message, /tokenUrl is now/);
        return error.code === "sign-in-again";
      });
      assert.equal(elsewhere.received.length, 0);
    } finally {
      elsewhere.close();
    }
  });

  it("a failing store keeps the new token for a retry without another refresh request", async () => {
    const { account, credential } = await stored();
    let full = true;
    const flaky = openAccounts({
      ...host,
      secrets: {
        ...host.secrets,
        set: (key, value) => (full ? Promise.reject(new Error("disk full")) : host.secrets.set(key, value)),
      },
    });
    await assert.rejects(renew(account, credential, { accounts: flaky }), { code: "storage-failed" });
    assert.deepEqual(await accounts.credential(account.id), credential);
    full = false;
    const fresh = await renew(account, credential, { accounts: flaky });
    assert.ok(fresh?.accessToken === "access-token-2");
    assert.deepEqual(server.receivedTokens, ["refresh-token-1"]);
    // It is none of a later sign-in's.
    full = true;
    await assert.rejects(renew(account, fresh, { accounts: flaky }), { code: "storage-failed" });
    full = false;
    const anew = oauthCredential(server.issue());
    await flaky.save(account, anew);
    await renew(account, anew, { accounts: flaky });
    assert.deepEqual(server.receivedTokens, ["refresh-token-1", "refresh-token-2", anew.refreshToken]);
  });

  it("a refused refresh keeps the stored tokens and is reported to all concurrent callers", async () => {
    const { account, credential } = await stored();
    server.issue();
    await renew(account, credential);
    // Somebody else used the token that is stored now.
    const current = await accounts.credential(account.id);
    assert.ok(current?.kind === "oauth2");
    await fetch(server.tokenUrl, { method: "POST", body: new URLSearchParams({ refresh_token: current.refreshToken ?? "" }) });
    const sentCount = server.receivedTokens.length;
    const atOnce = renew(account, current).catch(() => {});
    await assert.rejects(renew(account, current), (error: PackAuthError) => {
      assert.match(error.message, /because the refresh token is expired, was revoked, or was used before\. Its answer: invalid_grant/);
      return error.code === "refresh-failed";
    });
    await atOnce;
    assert.equal(server.receivedTokens.length, sentCount + 1);
    assert.deepEqual(await accounts.credential(account.id), current);
  });

  it("an account without a refresh token is not renewed", async () => {
    const { account } = await stored();
    const bare: OAuth2Credential = { kind: "oauth2", accessToken: "a" };
    await accounts.save(account, bare);
    assert.equal(await renew(account, bare), undefined);
    await accounts.save(account, { kind: "token", token: "t" });
    assert.equal(await renew(account, bare), undefined);
    assert.deepEqual(server.receivedTokens, []);
  });

  it("a missing refresh token is reported with the scope or parameter to request", () => {
    const credential: OAuth2Credential = { kind: "oauth2", accessToken: "a", expiresAt: 600_000 };
    const at = (authorizationUrl: string, scopes: string[] = []) =>
      missingRefreshToken(credential, oauthDefinition("https://p.example/t", { authorizationUrl, scopes }), 0) ?? "";
    assert.match(at("https://p.example/a"), /works for 10 min.*offline_access/);
    assert.match(at("https://accounts.google.com/o/oauth2/v2/auth"), /access_type: "offline", prompt: "consent"/);
    assert.match(at("https://p.example/a", ["offline_access"]), /already requested/);
    assert.equal(missingRefreshToken({ ...credential, refreshToken: "r" }, oauthDefinition("https://p.example/t"), 0), undefined);
    assert.equal(missingRefreshToken({ kind: "oauth2", accessToken: "a" }, oauthDefinition("https://p.example/t"), 0), undefined);
  });

  describe("A refresh after an interruption", () => {
    const cutOff = async (rotates: boolean | undefined) => {
      const { account, credential } = await stored();
      const secret = await accounts.secret(account.id);
      assert.ok(secret);
      if (rotates !== undefined)
        await accounts.renew(account.id, { credential, generation: secret.generation, rotates, change: (unchanged) => unchanged });
      await refreshMark(`${refreshFile(host.storageFolder, account.id)}.sent`).set(credential);
      return { account, credential };
    };

    for (const rotates of [true, undefined]) {
      it(`a provider that ${rotates ? "rotates refresh tokens" : "may rotate refresh tokens"} is sent no token again and needs a new sign-in`, async () => {
        const { account, credential } = await cutOff(rotates);
        await assert.rejects(renew(account, credential), (error: PackAuthError) => {
          assert.match(error.message, /was interrupted, so its refresh token may be used up/);
          return error.code === "sign-in-again";
        });
        assert.deepEqual(server.receivedTokens, []);
        assert.deepEqual(await accounts.credential(account.id), credential);
        const again = oauthCredential(server.issue());
        await accounts.save(account, again);
        assert.ok(await renew(account, again), "the next sign-in is as good as any");
      });
    }

    it("a provider known to reuse refresh tokens is sent the token again", async () => {
      const { account, credential } = await cutOff(false);
      assert.ok(await renew(account, credential));
    });
  });
});

describe("A refresh on a full disk", () => {
  it("a refresh that cannot store new tokens sends none and is not marked interrupted", async () => {
    const host = makeHost();
    const accounts = openAccounts(host);
    let sentCount = 0;
    const fetch = async (): Promise<Response> => {
      sentCount++;
      return Response.json({ access_token: "new", refresh_token: "new-refresh" });
    };
    const auth = oauthDefinition("https://auth.example/token");
    const { account, credential } = await storeAccount(accounts, auth, { access: "old", refresh: "old-refresh" });
    const renew = () => refreshAccount(account, auth, credential, { ...host, accounts, fetch });
    // What is small still fits.
    const real = fs.writeFileSync;
    Object.assign(fs, {
      writeFileSync: (file: fs.PathOrFileDescriptor, data: string | Uint8Array, options?: fs.WriteFileOptions) => {
        if (data.length <= 4096) return real(file, data, options);
        real(file, data.slice(0, 4096), options);
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      },
    });
    syncBuiltinESMExports();
    try {
      await assert.rejects(renew(), { code: "storage-failed", hint: /free space/ });
      assert.equal(sentCount, 0);
    } finally {
      Object.assign(fs, { writeFileSync: real });
      syncBuiltinESMExports();
    }
    assert.equal((await renew())?.accessToken, "new");
    const [mark = ""] = readdirSync(host.storageFolder).filter((name) => name.endsWith(".sent"));
    assert.equal(readFileSync(join(host.storageFolder, mark), "utf8"), "");
    rmSync(host.storageFolder, { recursive: true, force: true });
  });
});

describe("A lock file", () => {
  let host: TestHost;
  let file: string;
  beforeEach(() => {
    host = makeHost();
    file = join(host.storageFolder, "thing");
  });
  afterEach(() => rmSync(host.storageFolder, { recursive: true, force: true }));

  const busy = (): PackAuthError => new Error("busy") as PackAuthError;
  const acquireLock = (patience = 5_000) => withLock(file, async () => "mine", { patience, busy });
  const lockedBy = (pid: number, machine = hostname()): void => {
    mkdirSync(`${file}.lock`, { recursive: true });
    writeFileSync(join(`${file}.lock`, "owner"), JSON.stringify({ pid, host: machine }));
  };
  const deadProcess = async (): Promise<number> => {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    return child.pid ?? 0;
  };

  it("a lock admits one holder at a time and is released after a failure", async () => {
    let inside = 0;
    let most = 0;
    const task = async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inside--;
    };
    await Promise.all(Array.from({ length: 6 }, () => withLock(file, task, { patience: 10_000, busy })));
    assert.equal(most, 1);
    await assert.rejects(
      withLock(file, () => Promise.reject(new Error("failed")), { patience: 1_000, busy }),
      /failed/,
    );
    assert.equal(await acquireLock(), "mine");
    assert.ok(!existsSync(`${file}.lock`));
  });

  it("a lock of a dead process is taken over at once by exactly one other", async () => {
    lockedBy(await deadProcess());
    assert.deepEqual(await Promise.all([acquireLock(), acquireLock(), acquireLock()]), ["mine", "mine", "mine"]);
  });

  it("a lock of a live process or of another machine is respected", async () => {
    lockedBy(process.pid);
    await assert.rejects(acquireLock(100), /busy/);
    lockedBy(await deadProcess(), "another-machine");
    await assert.rejects(acquireLock(100), /busy/);
  });

  it("a lock without an owner expires quickly, one without renewal after a while", async () => {
    mkdirSync(`${file}.lock`);
    await assert.rejects(acquireLock(100), /busy/);
    mkdirSync(`${file}.lock`, { recursive: true });
    assert.equal(await acquireLock(1_000), "mine", "the longest that a save waits for it");
    for (const cut of ["", '{"pid":']) {
      mkdirSync(`${file}.lock`);
      writeFileSync(join(`${file}.lock`, "owner"), cut);
      assert.equal(await acquireLock(1_000), "mine", "signed by half");
    }
    lockedBy(1, "another-machine");
    const longPast = Date.now() / 1000 - 60;
    utimesSync(`${file}.lock`, longPast, longPast);
    assert.equal(await acquireLock(), "mine");
  });

  it("a lock that cannot be created is reported", async () => {
    writeFileSync(join(host.storageFolder, "no-folder"), "");
    await assert.rejects(
      withLock(join(host.storageFolder, "no-folder", "thing"), async () => {}, { patience: 100, busy }),
      (error: PackAuthError) => error.code === "storage-failed",
    );
  });
});
