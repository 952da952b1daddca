// Accounts that were made while a pack's file had another name: a link above it, a drive's letter or a case that was typed.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, newAccountId, openAccounts, packKey } from "../../../platform/accounts/accounts.ts";
import { snapshotOf } from "../../../platform/accounts/configuration-snapshot.ts";
import { auth } from "../../support/broker.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";

describe("Accounts of a pack whose file has two names", () => {
  let host: TestHost;
  let base: string;
  let linkedEntry: string;
  beforeEach(() => {
    host = makeHost();
    base = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-two-names-")));
    mkdirSync(join(base, "Real"));
    writeFileSync(join(base, "Real/pack.ts"), "");
    symlinkSync(join(base, "Real"), join(base, "real-as-typed"));
    linkedEntry = join(base, "real-as-typed/pack.ts");
  });
  afterEach(() => {
    rmSync(host.storageFolder, { recursive: true, force: true });
    rmSync(base, { recursive: true, force: true });
  });

  /** As it was stored by a version that took the name as it was typed. */
  const former = (): Account => ({
    id: newAccountId(),
    pack: createHash("sha256").update(linkedEntry).digest("hex").slice(0, 16),
    entry: linkedEntry,
    scope: "user",
    type: "OAuth2",
    label: "alice",
    shared: false,
    workspace: "file:///a",
    createdAt: 1,
    configuration: snapshotOf(auth("OAuth2")),
  });

  it("both names of the file find the accounts and the client credentials", async () => {
    const account = former();
    const before = openAccounts({ ...host, workspace: "file:///a" });
    await before.save(account, { kind: "token", token: "canary-secret-5b1e" });
    await before.saveClientCredentials(account.pack, "user", { clientId: "id", clientSecret: "canary-secret-5b1f" });

    const now = openAccounts({ ...host, workspace: "file:///a" });
    assert.equal(packKey(linkedEntry), packKey(join(base, "Real/pack.ts")));
    for (const entry of [linkedEntry, join(base, "Real/pack.ts")]) {
      const [movedAccount, ...otherAccounts] = await now.list(packKey(entry));
      assert.deepEqual(otherAccounts, []);
      assert.deepEqual(movedAccount, { ...account, pack: packKey(entry), entry: join(base, "Real/pack.ts") });
      assert.equal((await now.credential(account.id))?.kind, "token");
      assert.equal((await now.clientCredentials(packKey(entry), "user"))?.clientId, "id");
    }
    assert.deepEqual(await openAccounts({ ...host, workspace: "file:///b" }).list(), []);
  });

  it("accounts of a deleted pack are listed as strays", async () => {
    const account = former();
    await openAccounts(host).save(account, { kind: "token", token: "canary-secret-5b1e" });
    rmSync(join(base, "Real"), { recursive: true });
    assert.deepEqual(await openAccounts(host).strays(), [account]);
  });
});
