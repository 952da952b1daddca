// The store behind the command line's keyring, where that takes no more than the one of Windows: simulated by one that refuses more.
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccounts } from "../../../platform/accounts/accounts.ts";
import type { Credential } from "../../../platform/secrets/credential.ts";
import { keyringStore } from "../../../platform/secrets/keyring-store.ts";
import { accountOf } from "../../support/account.ts";
import { bundleProgram } from "../../support/bundle-program.ts";
import type { KeyringOrder } from "../../support/keyring-child.ts";
import { root } from "../../support/packs.ts";
import { makeHost } from "../../support/platform-host.ts";
import { MOST_CHARACTERS, type ShortKeyring, shortKeyring } from "../../support/short-keyring.ts";

/** As long as a JWT with a few claims. */
const jwt = (mark: string): string => `${mark}-${"eyJhbGciOiJSUzI1NiJ9".repeat(100)}`;
const oauth = (mark: string): Credential => ({ kind: "oauth2", accessToken: jwt(`access-${mark}`), refreshToken: jwt(`refresh-${mark}`) });

describe("Secrets behind a keyring with a length limit", () => {
  let folder: string;
  let keyring: ShortKeyring;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-keyring-"));
    keyring = shortKeyring(join(folder, "keyring"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const place = (): string => join(folder, "secrets");
  const open = () => keyringStore(place(), keyring);

  it("an OAuth account with JWT tokens and its renewed tokens survive a restart", async () => {
    await assert.rejects(keyring.set("account", JSON.stringify(oauth("one"))), /longer than platform limit/);
    const host = makeHost();
    const account = accountOf({ type: "OAuth2" });
    const accounts = openAccounts({ ...host, secrets: await open() });
    await accounts.save(account, oauth("one"));
    assert.equal(
      await accounts.renew(account.id, { credential: oauth("two"), generation: 1, rotates: true, change: (same) => same }),
      "stored",
    );
    assert.deepEqual(await openAccounts({ ...host, secrets: await open() }).credential(account.id), oauth("two"));
  });

  it("the keyring holds one short key, and the files show neither it nor a secret", async () => {
    const store = await open();
    await store.set("one", jwt("canary-5b1e"));
    await store.set("two", "canary-5b1e");
    const [key = "", ...otherEntries] = keyring.values();
    assert.deepEqual(otherEntries, []);
    assert.ok(key.length < MOST_CHARACTERS / 10, "far from the limit");
    assert.equal(Buffer.from(key, "base64").length, 32);
    for (const name of readdirSync(place())) {
      const file = readFileSync(join(place(), name));
      assert.ok(!file.includes("canary-5b1e") && !file.includes(key) && !file.includes(Buffer.from(key, "base64")), name);
    }
  });

  it("an unreachable or forgetful keyring is reported before anything is stored", async () => {
    const lockedKeyring = { ...keyring, get: () => Promise.reject(new Error("the keyring is locked")) };
    await assert.rejects(keyringStore(place(), lockedKeyring), /locked/);
    const forgetful = { ...keyring, set: async () => {} };
    await assert.rejects(keyringStore(place(), forgetful), { code: "storage-failed", message: /lost what was stored/ });
  });

  it("stored secrets read as absent once the keyring lost the key; new secrets are kept", async () => {
    await (await open()).set("one", "first");
    keyring = shortKeyring(join(folder, "another-keyring"));
    const store = await open();
    assert.equal(await store.get("one"), undefined);
    await store.set("one", "second");
    assert.equal(await (await open()).get("one"), "second");
  });

  it("two folders have two keys", async () => {
    const other = () => keyringStore(join(folder, "other"), keyring);
    await (await open()).set("one", "here");
    await (await other()).set("one", "there");
    assert.equal(new Set(keyring.values()).size, 2);
    assert.deepEqual([await (await open()).get("one"), await (await other()).get("one")], ["here", "there"]);
  });

  it("a folder that cannot be created is reported", async () => {
    await assert.rejects(keyringStore(join(root, "package.json", "secrets"), keyring), {
      code: "storage-failed",
      message: /cannot be used/,
    });
  });

  it("six processes that start at once use one key", async function () {
    this.timeout(60_000);
    const child = await bundleProgram("test/support/keyring-child.ts", folder);
    const names = ["a", "b", "c", "d", "e", "f"];
    const children = names.map(() => fork(child, { execArgv: [] }));
    try {
      await Promise.all(children.map((each) => once(each, "message")));
      const messages = children.map((each) => once(each, "message"));
      for (const [index, each] of children.entries()) {
        const name = names[index] ?? "";
        const order: KeyringOrder = { folder: place(), keyring: join(folder, "keyring"), name, value: jwt(name) };
        each.send(order);
      }
      for (const [message] of await Promise.all(messages)) assert.deepEqual(message, {});
    } finally {
      for (const each of children) each.kill("SIGKILL");
    }
    assert.equal(keyring.values().length, 1);
    const store = await open();
    for (const name of names) assert.equal(await store.get(name), jwt(name));
  });
});
