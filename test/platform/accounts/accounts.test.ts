// Accounts in their stores: what is kept, what survives a failure, another window, a lost keyring and a move.
import assert from "node:assert/strict";
import { createCipheriv, createDecipheriv, scryptSync } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { unusable } from "../../../platform/accounts/account-state.ts";
import { openAccounts, packKey } from "../../../platform/accounts/accounts.ts";
import { snapshotOf } from "../../../platform/accounts/configuration-snapshot.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import type { Credential } from "../../../platform/secrets/credential.ts";
import { encryptedFileStore } from "../../../platform/secrets/encrypted-file-store.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { accountOf } from "../../support/account.ts";
import { auth } from "../../support/broker.ts";
import { whileWatched } from "../../support/event-loop-lag.ts";
import { authentication, eachCase, pattern } from "../../support/json-cases.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";

const SECRET = "canary-secret-5b1e";
const token = (value = SECRET): Credential => ({ kind: "token", token: value });

/** Another window on the same machine: the same secret store and folder, its own workspace. */
const windowOf = (host: TestHost, workspace?: string) => openAccounts({ ...host, ...(workspace === undefined ? {} : { workspace }) });

describe("Accounts", () => {
  let host: TestHost;
  beforeEach(() => {
    host = makeHost();
  });
  afterEach(() => rmSync(host.storageFolder, { recursive: true, force: true }));

  it("auth-spec 1 step 4: several accounts of a pack and its system account survive a restart", async () => {
    const accounts = openAccounts(host);
    await accounts.save(accountOf({ label: "alice", createdAt: 1 }), token("token-of-alice"));
    await accounts.save(accountOf({ label: "bob", createdAt: 2 }), token("token-of-bob"));
    await accounts.save(accountOf({ label: "robot", createdAt: 3, scope: "system" }), token("token-of-the-robot"));
    await accounts.save(accountOf({ label: "other pack", pack: packKey("/packs/two/pack.ts") }), token());
    const later = await openAccounts(host).list(packKey("/packs/one/pack.ts"));
    assert.deepEqual(
      later.map(({ label, scope }) => `${label} ${scope}`),
      ["alice user", "bob user", "robot system"],
    );
    assert.deepEqual(await openAccounts(host).credential(later[1]?.id ?? ""), token("token-of-bob"));
  });

  it("auth-spec 1 step 4: other workspaces see an account only while it is shared", async () => {
    const [here, there] = [windowOf(host, "file:///a"), windowOf(host, "file:///b")];
    const account = accountOf({ shared: false, workspace: "file:///a" });
    await here.save(account, token());
    assert.equal((await here.list()).length, 1);
    assert.equal((await there.list()).length, 0);
    await here.update(account.id, { shared: true });
    assert.equal((await there.list()).length, 1);
    await there.update(account.id, { shared: false });
    assert.deepEqual([(await here.list()).length, (await there.list()).length], [0, 1]);
  });

  it("secrets are written to the secret store and nowhere else", async () => {
    const accounts = openAccounts(host);
    await accounts.save(accountOf(), token());
    await accounts.saveClientCredentials("p", "user", { clientId: "id", clientSecret: SECRET });
    const files = readdirSync(host.storageFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    assert.ok(files.length > 0);
    for (const file of files) assert.ok(!readFileSync(join(file.parentPath, file.name), "utf8").includes(SECRET), file.name);
    assert.ok(!JSON.stringify([...host.states, ...host.workspaceStates]).includes(SECRET));
    assert.ok([...host.secretValues.values()].every((value) => value.includes(SECRET)));
  });

  it("two windows that change different things at the same moment keep both changes", async () => {
    const windows = [openAccounts(host), openAccounts(host), openAccounts(host)] as const;
    const account = accountOf();
    await windows[0].save(account, token());
    await Promise.all([
      windows[0].update(account.id, { label: "renamed", renamed: true }),
      windows[1].update(account.id, { endpoint: "https://acme.example" }),
      windows[2].update(account.id, { scopesGranted: ["read"] }),
      ...Array.from({ length: 10 }, (_, index) => windows[index % 3]?.save(accountOf({ label: `n${index}` }), token())),
    ]);
    const storedAccount = await windows[1].get(account.id);
    assert.deepEqual(
      [storedAccount?.label, storedAccount?.endpoint, storedAccount?.scopesGranted],
      ["renamed", "https://acme.example", ["read"]],
    );
    assert.equal((await windows[2].list()).length, 11);
  });

  it("accounts that three windows save under one label at once get three labels", async () => {
    const windows = [windowOf(host), windowOf(host), windowOf(host)];
    const savedAccounts = await Promise.all(windows.map((window) => window.save(accountOf({ label: "alice" }), token())));
    const labels = (await windowOf(host).list()).map(({ label }) => label);
    assert.deepEqual(labels.sort(), ["alice", "alice 2", "alice 3"]);
    assert.deepEqual(savedAccounts.map(({ label }) => label).sort(), labels);
  });

  it("an account that is renamed or moved gets a label unique in its pack", async () => {
    const accounts = openAccounts(host);
    await accounts.save(accountOf({ label: "alice" }), token());
    const bob = await accounts.save(accountOf({ label: "bob" }), token());
    await accounts.update(bob.id, { label: "alice", renamed: true });
    assert.equal((await accounts.get(bob.id))?.label, "alice 2");
    await accounts.update(bob.id, { label: "alice 2" });
    assert.equal((await accounts.get(bob.id))?.label, "alice 2", "its own label is free");
    const elsewhere = await accounts.save(accountOf({ label: "alice", pack: packKey("/packs/two/pack.ts") }), token());
    assert.equal(elsewhere.label, "alice", "of another pack");
    await accounts.adopt(elsewhere.id, "/packs/one/pack.ts");
    assert.equal((await accounts.get(elsewhere.id))?.label, "alice 3");
  });

  it("change listeners hear changes of their own window and of other windows", async () => {
    const accounts = openAccounts(host);
    let changeCount = 0;
    const stop = accounts.onDidChange(() => changeCount++);
    await accounts.save(accountOf(), token());
    accounts.changedElsewhere();
    stop();
    accounts.changedElsewhere();
    assert.equal(changeCount, 2);
  });

  it("a secret that the keyring lost or damaged reads “sign in again” without an exception", async () => {
    const account = accountOf();
    const good = openAccounts(host);
    await good.save(account, token());
    const [key = ""] = host.secretValues.keys();
    for (const broken of [undefined, "", "{", "null", "[]", '{"credential":null}', '{"credential":{}}']) {
      if (broken === undefined) host.secretValues.delete(key);
      else host.secretValues.set(key, broken);
      assert.equal(await good.credential(account.id), undefined, String(broken));
      const state = await good.stateOf(account);
      assert.deepEqual(state, {
        state: "sealed",
        reason: "the secret store no longer has its credentials",
        nextStep: "Sign in again.",
      });
      assert.equal((await good.list()).length, 1, "the account itself stays");
    }
  });

  it("a secret store that cannot be reached is named, and asks for no new sign-in", async () => {
    const account = accountOf();
    await openAccounts(host).save(account, token());
    const locked = openAccounts({
      ...host,
      secrets: {
        ...host.secrets,
        get: async () => {
          throw new Error("the keyring is locked");
        },
      },
    });
    const state = await locked.stateOf(account);
    assert.deepEqual(state, {
      state: "sealed",
      reason: "the secret store cannot be read",
      nextStep: "Unlock the system's keyring, and try again. What is stored there is unchanged.",
    });
    assert.equal(unusable(state, String).code, "storage-failed");
    await assert.rejects(locked.credential(account.id), { code: "storage-failed" });
  });

  it("damaged account files are left out of the list, which keeps the others", async () => {
    const accounts = openAccounts(host);
    await accounts.save(accountOf({ label: "good" }), token());
    for (const [name, text] of Object.entries({ "a.json": "{", "b.json": "null", "c.json": "[1]", "d.json": '{"id":1}', "e.txt": "?" }))
      writeFileSync(join(accounts.folder, name), text);
    assert.deepEqual(
      (await accounts.list()).map(({ label }) => label),
      ["good"],
    );
  });

  it("account files with a wrong member type, over 1 MB or too deep are skipped", async () => {
    const accounts = openAccounts(host);
    const good = accountOf({ label: "good", clientMethod: "basic" });
    await accounts.save(good, token());
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const damaged: Readonly<Record<string, unknown>> = {
      endpoint: { toString: 1 },
      expiresAt: "soon",
      createdAt: null,
      scopesGranted: "a b",
      configuration: { type: { more: 1 } },
      clientMethod: "carrier pigeon",
      server: { tokenUrl: 7 },
      workspace: "w".repeat(1024 * 1024),
      renamed: "DEEP",
    };
    for (const [name, value] of Object.entries(damaged)) {
      const account = accountOf({ id: name, label: name });
      writeFileSync(join(accounts.folder, `${name}.json`), JSON.stringify({ ...account, [name]: value }).replace('"DEEP"', deep));
    }
    const listed = await accounts.list();
    assert.deepEqual(
      listed.map(({ label }) => label),
      ["good"],
    );
  });

  it("reading ten thousand accounts does not block the process", async () => {
    const accounts = openAccounts(host);
    mkdirSync(accounts.folder, { recursive: true });
    for (let index = 0; index < 10_000; index++) {
      const account = accountOf({ createdAt: index });
      writeFileSync(join(accounts.folder, `${account.id}.json`), JSON.stringify(account));
    }
    const { value, longest } = await whileWatched(async () => [(await accounts.list()).length, (await accounts.strays()).length]);
    assert.deepEqual(value, [10_000, 10_000]);
    console.log(`      the longest turn took ${longest.toFixed(0)} ms`);
    assert.ok(longest < 200, "ten times what a person may notice");
  });

  it("leftovers of a killed process are removed, files being written are not", async () => {
    const accounts = openAccounts(host);
    mkdirSync(accounts.folder, { recursive: true });
    const [old, fresh, foreign] = ["a.json.0123456789ab.new", "b.json.ba9876543210.new", "notes.new"].map((name) => {
      const path = join(accounts.folder, name);
      writeFileSync(path, "{");
      return path;
    }) as [string, string, string];
    const past = Date.now() / 1000 - 120;
    for (const path of [old, foreign]) utimesSync(path, past, past);
    await accounts.save(accountOf(), token());
    assert.deepEqual([old, fresh, foreign].map(existsSync), [false, true, true]);
  });

  it("a failing secret store leaves the stored account as it was", async () => {
    const accounts = openAccounts(host);
    const account = accountOf();
    await accounts.save(account, token("the-first-token"));
    const failing = openAccounts({
      ...host,
      secrets: {
        get: host.secrets.get,
        set: () => Promise.reject(new Error("disk full")),
        delete: () => Promise.reject(new Error("disk full")),
      },
    });
    const storageFailure = { code: "storage-failed" };
    await assert.rejects(failing.save(account, token("the-second-token")), storageFailure);
    await assert.rejects(failing.save(accountOf({ label: "new" }), token("the-third-token")), storageFailure);
    await assert.rejects(failing.remove(account.id), storageFailure);
    assert.deepEqual(
      (await accounts.list()).map(({ label }) => label),
      ["alice"],
    );
    assert.deepEqual(await accounts.credential(account.id), token("the-first-token"));
  });

  it("a failed write of the account file restores the former secret", async () => {
    const accounts = openAccounts(host);
    const account = accountOf();
    await accounts.save(account, token("the-first-token"));
    // A folder stands where the file would go.
    rmSync(join(accounts.folder, `${account.id}.json`));
    mkdirSync(join(accounts.folder, `${account.id}.json`, "x"), { recursive: true });
    await assert.rejects(accounts.save(account, token("the-second-token")), (error: PackAuthError) => error.code === "storage-failed");
    assert.deepEqual(await accounts.credential(account.id), token("the-first-token"));
    const fresh = accountOf();
    mkdirSync(join(accounts.folder, `${fresh.id}.json`, "x"), { recursive: true });
    await assert.rejects(accounts.save(fresh, token("the-third-token")));
    assert.equal(await accounts.credential(fresh.id), undefined, "no secret without an account");
  });

  it("a removed account leaves no secret and no file", async () => {
    const accounts = openAccounts(host);
    const account = accountOf();
    await accounts.save(account, token());
    await accounts.remove(account.id);
    assert.equal(await accounts.get(account.id), undefined);
    assert.equal(host.secretValues.size, 0);
    assert.deepEqual(
      readdirSync(accounts.folder).filter((name) => name.endsWith(".json")),
      [],
    );
  });

  describe("Accounts whose configuration changed", () => {
    const oauth = (more: Partial<AuthenticationDefinition> = {}): AuthenticationDefinition =>
      auth("OAuth2", {
        authorizationUrl: "https://p.example/a",
        tokenUrl: "https://p.example/t",
        scopes: ["read", "write"],
        additionalParams: { access_type: "offline" },
        ...more,
      });

    const changeCase = z.strictObject({
      title: z.string(),
      before: authentication.default({}),
      change: authentication,
      reason: pattern.optional(),
    });

    eachCase("accounts/cases/changed-configurations.json", changeCase, ({ title, before, change, reason }) => {
      it(`auth-spec 9.1: an account ${reason === undefined ? "stays ready after a change of" : "asks for a new sign-in, with the reason, after a change of"} ${title}`, async () => {
        const accounts = openAccounts(host);
        const account = accountOf({ type: "OAuth2", configuration: snapshotOf(oauth(before)) });
        await accounts.save(account, { kind: "oauth2", accessToken: "a", refreshToken: "r" });
        const state = await accounts.stateOf(account, { definition: oauth(change) });
        if (reason === undefined) return assert.equal(state.state, "ready");
        assert.ok(state.state === "changed");
        assert.match(state.reason, reason);
        assert.match(state.reason, /on the platform the change takes effect after the next build/);
      });
    });

    it("auth-spec 5.7.1: an account without an endpoint asks for a new sign-in once the configuration needs one", async () => {
      const accounts = openAccounts(host);
      const account = accountOf();
      await accounts.save(account, token());
      const state = await accounts.stateOf(account, { definition: auth("HeaderBearerToken", { requiresEndpointUrl: true }) });
      assert.deepEqual(state, { state: "changed", reason: "the configuration now asks for an endpoint", nextStep: "Sign in again." });
    });
  });

  describe("Accounts of a pack that moved", () => {
    let place: string;
    beforeEach(() => {
      place = mkdtempSync(join(tmpdir(), "pack-auth-moved-"));
      mkdirSync(join(place, "before"));
      writeFileSync(join(place, "before/pack.ts"), "");
    });
    afterEach(() => rmSync(place, { recursive: true, force: true }));

    it("strays and their client credentials join the pack that a person chooses", async () => {
      const before = join(place, "before/pack.ts");
      const accounts = windowOf(host, "file:///before");
      const account = accountOf({ pack: packKey(before), entry: before, shared: false, workspace: "file:///before" });
      await accounts.save(account, token());
      await accounts.saveClientCredentials(packKey(before), "user", { clientId: "id", clientSecret: "client-secret" });
      assert.deepEqual(await accounts.strays(), []);
      renameSync(join(place, "before"), join(place, "after"));
      const after = join(place, "after/pack.ts");
      const later = windowOf(host, "file:///after");
      assert.deepEqual(await later.list(packKey(after)), []);
      assert.deepEqual(
        (await later.strays()).map(({ id }) => id),
        [account.id],
      );
      await later.adopt(account.id, after);
      assert.deepEqual(await later.strays(), []);
      assert.deepEqual(
        (await later.list(packKey(after))).map(({ label }) => label),
        ["alice"],
      );
      assert.deepEqual(await later.credential(account.id), token());
      assert.equal((await later.clientCredentials(packKey(after), "user"))?.clientSecret, "client-secret");
    });

    it("accounts keep their pack when its ID on the platform changes", () => {
      const entry = join(place, "before/pack.ts");
      const keys = [1, 2].map((packId) => {
        writeFileSync(join(place, "before/.coda-pack.json"), JSON.stringify({ packId }));
        return packKey(entry);
      });
      assert.equal(keys[0], keys[1]);
    });
  });
});

describe("The encrypted file store", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-sealed-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("the passphrase opens the stored secrets, another passphrase opens none", async () => {
    const store = encryptedFileStore(folder, "open sesame");
    await store.set("one", SECRET);
    await store.set("two", "äöü €");
    assert.equal(await encryptedFileStore(folder, "open sesame").get("one"), SECRET);
    assert.equal(await encryptedFileStore(folder, "open sesame").get("two"), "äöü €");
    assert.equal(await encryptedFileStore(folder, "close sesame").get("one"), undefined);
    await store.delete("one");
    assert.equal(await store.get("one"), undefined);
    assert.throws(() => encryptedFileStore(folder, ""), { code: "credentials-missing" });
  });

  it("a mistyped passphrase stores nothing and is reported before the sign-in", async () => {
    const mistyped = encryptedFileStore(folder, "open sesami");
    // Nothing is stored yet: any passphrase may be the one.
    await mistyped.assertStorable?.();
    const store = encryptedFileStore(folder, "open sesame");
    await store.set("one", SECRET);
    const refusal = { code: "storage-failed", message: /^The passphrase is not that of the stored credentials/ };
    await assert.rejects(async () => mistyped.assertStorable?.(), refusal);
    for (const name of ["one", "two"]) await assert.rejects(mistyped.set(name, "another"), refusal);
    assert.equal(await encryptedFileStore(folder, "open sesame").get("one"), SECRET);
    assert.equal(await mistyped.sealed?.("two"), undefined, "there is nothing under that name");
    // Who has no passphrase left can still remove what there is.
    await mistyped.delete("one");
    assert.equal(await store.get("one"), undefined);
  });

  it("two processes that store the first secret at once end with one passphrase", async () => {
    const stores = ["open sesame", "close sesame"].map((passphrase) => encryptedFileStore(folder, passphrase));
    const results = await Promise.allSettled(stores.map((store, index) => store.set(String(index), SECRET)));
    assert.deepEqual(results.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  });

  it("a truncated verifier is refused and not replaced", async () => {
    await encryptedFileStore(folder, "open sesame").set("one", SECRET);
    for (const content of ["", "short"]) {
      writeFileSync(join(folder, "verifier"), content);
      await assert.rejects(encryptedFileStore(folder, "open sesame").set("one", "another"), { code: "storage-failed" });
    }
    assert.equal(await encryptedFileStore(folder, "open sesame").get("one"), SECRET);
  });

  it("files are AES-256-GCM (RFC 5116) with fresh nonces under a scrypt key (RFC 7914)", async () => {
    const store = encryptedFileStore(folder, "open sesame");
    const nonces = new Set<string>();
    for (const value of ["first", SECRET]) {
      await store.set("one", value);
      const [name = ""] = readdirSync(folder).filter((each) => each.endsWith(".sealed"));
      const sealed = readFileSync(join(folder, name));
      const [nonce, tag, body] = [sealed.subarray(0, 12), sealed.subarray(12, 28), sealed.subarray(28)];
      nonces.add(nonce.toString("hex"));
      const key = scryptSync("open sesame", readFileSync(join(folder, "salt")), 32, { N: 32_768, r: 8, p: 3, maxmem: 2 ** 26 });
      const decipher = createDecipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from("one")).setAuthTag(tag);
      assert.equal(decipher.update(body, undefined, "utf8") + decipher.final("utf8"), value);
      // One that cannot be read is not one that is gone.
      rmSync(join(folder, name));
      mkdirSync(join(folder, name));
      await assert.rejects(store.get("one"), { code: "EISDIR" });
      rmSync(join(folder, name), { recursive: true });
    }
    assert.equal(nonces.size, 2);
  });

  it("secrets sealed with weaker scrypt parameters open and are sealed again when written", async () => {
    const store = encryptedFileStore(folder, "open sesame");
    await store.set("one", "first");
    const [name = ""] = readdirSync(folder).filter((each) => each.endsWith(".sealed"));
    const keyWith = (p: number): Buffer =>
      scryptSync("open sesame", readFileSync(join(folder, "salt")), 32, { N: 32_768, r: 8, p, maxmem: 2 ** 26 });
    const nonce = Buffer.alloc(12, 1);
    const cipher = createCipheriv("aes-256-gcm", keyWith(1), nonce).setAAD(Buffer.from("one"));
    const body = Buffer.concat([cipher.update(SECRET, "utf8"), cipher.final()]);
    writeFileSync(join(folder, name), Buffer.concat([nonce, cipher.getAuthTag(), body]));
    assert.equal(await encryptedFileStore(folder, "open sesame").get("one"), SECRET);
    assert.equal(await encryptedFileStore(folder, "another one").get("one"), undefined);
    await store.set("one", SECRET);
    const sealed = readFileSync(join(folder, name));
    const decipher = createDecipheriv("aes-256-gcm", keyWith(3), sealed.subarray(0, 12))
      .setAAD(Buffer.from("one"))
      .setAuthTag(sealed.subarray(12, 28));
    assert.equal(decipher.update(sealed.subarray(28), undefined, "utf8") + decipher.final("utf8"), SECRET);
  });

  for (const length of [0, 15, 17])
    it(`a salt of ${length} bytes is refused: nothing is read or stored under it`, async () => {
      await encryptedFileStore(folder, "open sesame").set("one", SECRET);
      const names = readdirSync(folder).sort();
      writeFileSync(join(folder, "salt"), Buffer.alloc(length));
      const store = encryptedFileStore(folder, "open sesame");
      const damaged = { code: "storage-failed", message: /salt is damaged: it must have 16 bytes/ };
      await assert.rejects(store.get("one"), damaged);
      await assert.rejects(store.set("two", SECRET), damaged);
      assert.deepEqual(readdirSync(folder).sort(), names);
    });

  it("files of the store and of the accounts are private to their owner", async function () {
    if (process.platform === "win32") this.skip();
    const host = {
      ...makeHost(),
      storageFolder: join(folder, "storage"),
      secrets: encryptedFileStore(join(folder, "secrets"), "open sesame"),
    };
    await openAccounts(host).save(accountOf(), token());
    const modes = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => {
      const { mode } = statSync(join(folder, name));
      return `${name.split(".").at(-1)} ${(mode & 0o777).toString(8)}`;
    });
    assert.deepEqual(modes.sort(), [
      "json 600",
      "sealed 600",
      "secrets 700",
      "secrets/salt 600",
      "secrets/verifier 600",
      "storage 700",
      "storage/accounts 700",
    ]);
  });

  it("a secret that the passphrase does not open differs from one that does not exist", async () => {
    await encryptedFileStore(folder, "open sesame").set("one", SECRET);
    const other = encryptedFileStore(folder, "close sesame");
    assert.match((await other.sealed?.("one"))?.reason ?? "", /passphrase does not open/);
    assert.equal(await other.sealed?.("two"), undefined);
    assert.equal(await encryptedFileStore(folder, "open sesame").sealed?.("one"), undefined);
  });

  it("a failed new sign-in keeps the secret that the passphrase does not open", async () => {
    const host = makeHost();
    const account = accountOf();
    const own = encryptedFileStore(folder, "open sesame");
    await openAccounts({ ...host, secrets: own }).save(account, token());
    const other = encryptedFileStore(folder, "close sesame");
    const full = { ...other, set: () => Promise.reject(new Error("the disk is full")) };
    await assert.rejects(openAccounts({ ...host, secrets: full }).save(account, token("new")), { code: "storage-failed" });
    assert.deepEqual(await openAccounts({ ...host, secrets: own }).credential(account.id), token());
    rmSync(host.storageFolder, { recursive: true, force: true });
  });

  it("files show neither secrets nor their names; changed or swapped files open nothing", async () => {
    const store = encryptedFileStore(folder, "open sesame");
    await store.set("name-of-one", SECRET);
    await store.set("name-of-two", "another");
    const sealed = readdirSync(folder).filter((name) => name.endsWith(".sealed"));
    assert.equal(sealed.length, 2);
    const [first = "", second = ""] = sealed.map((name) => join(folder, name));
    for (const path of [first, second]) {
      assert.ok(!path.includes("name-of"));
      assert.ok(!readFileSync(path).includes(SECRET));
    }
    const bytes = readFileSync(first);
    writeFileSync(first, readFileSync(second));
    writeFileSync(second, bytes);
    assert.equal(await store.get("name-of-one"), undefined);
    assert.equal(await store.get("name-of-two"), undefined);
    writeFileSync(first, bytes.subarray(0, 20));
    assert.equal(await store.get("name-of-one"), undefined);
  });
});
