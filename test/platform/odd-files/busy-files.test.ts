// Files that a virus scanner or another window has open, as Windows refuses them: simulated, by calls of the file system that fail.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { stateFile } from "../../../cli/terminal/state-file.ts";
import { accountFiles } from "../../../platform/accounts/account-files.ts";
import { openAccounts } from "../../../platform/accounts/accounts.ts";
import { PackAuthError } from "../../../platform/errors.ts";
import { withLock } from "../../../platform/files/file-lock.ts";
import { retryWhileBusy } from "../../../platform/files/retry-while-busy.ts";
import { replaceFile, writeWhole } from "../../../platform/files/write-file.ts";
import { refreshMark } from "../../../platform/oauth/refresh-mark.ts";
import { makeCanary } from "../../../platform/process/spawn-runner.ts";
import { encryptedFileStore } from "../../../platform/secrets/encrypted-file-store.ts";
import { accountOf } from "../../support/account.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";
import { type RefusedCalls, refuseCalls } from "../../support/refused-calls.ts";

describe("A file that another program has open", () => {
  let host: TestHost;
  let folder: string;
  let refusedCalls: RefusedCalls | undefined;
  const refuse = (...callOptions: Parameters<typeof refuseCalls>): RefusedCalls => {
    refusedCalls = refuseCalls(...callOptions);
    return refusedCalls;
  };
  beforeEach(() => {
    host = makeHost();
    folder = host.storageFolder;
  });
  afterEach(() => {
    refusedCalls?.restore();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const code of ["EPERM", "EACCES", "EBUSY"])
    it(`a file is replaced once the other program closes it (${code})`, async () => {
      const file = join(folder, "a.json");
      await writeWhole(file, "old");
      const { count } = refuse("renameSync", /a\.json$/, code, 4);
      await writeWhole(file, "new");
      assert.equal(count(), 4);
      assert.equal(readFileSync(file, "utf8"), "new");
      assert.deepEqual(readdirSync(folder), ["a.json"]);
    });

  it("a file that stays open keeps its content, with no leftovers beside it", async () => {
    const file = join(folder, "a.json");
    await writeWhole(file, "old");
    refuse("renameSync", /a\.json$/, "EBUSY", Number.POSITIVE_INFINITY);
    await assert.rejects(writeWhole(file, "new"), { code: "EBUSY" });
    assert.equal(readFileSync(file, "utf8"), "old");
    assert.deepEqual(readdirSync(folder), ["a.json"]);
  });

  it("a refusal for another reason is not retried", async () => {
    const { count } = refuse("renameSync", /a\.json$/, "ENOSPC", Number.POSITIVE_INFINITY);
    await assert.rejects(writeWhole(join(folder, "a.json"), "new"), { code: "ENOSPC" });
    assert.equal(count(), 1);
  });

  it("a file saved during the retries of --fix is not overwritten", async () => {
    const file = join(folder, "pack.ts");
    writeFileSync(file, "old");
    refuse("renameSync", /pack\.ts$/, "EBUSY", 2);
    const replacement = replaceFile(file, "fixed", () => readFileSync(file, "utf8") === "old");
    writeFileSync(file, "saved");
    assert.equal(await replacement, false);
    assert.equal(readFileSync(file, "utf8"), "saved");
  });

  it("a cache that is briefly locked still gets the new results", async () => {
    const file = join(folder, "cache.json");
    await writeWhole(file, "{}");
    refuse("renameSync", /cache\.json$/, "EPERM", 2);
    await writeWhole(file, '{"key":"next"}');
    assert.match(readFileSync(file, "utf8"), /next/);
  });

  it("a renewed token is stored although its record or secret is briefly locked", async () => {
    for (const [call, matching] of [
      ["renameSync", /\.json$/],
      ["renameSync", /\.sealed$/],
      ["readFileSync", /\.sealed$/],
      ["readFileSync", /accounts.[\w-]+\.json$/],
    ] as const) {
      const accounts = openAccounts({ ...host, secrets: encryptedFileStore(join(folder, "secrets"), "open sesame") });
      const account = accountOf();
      await accounts.save(account, { kind: "token", token: "old-token-5b1e" });
      const { count, restore } = refuse(call, matching, "EBUSY", 3);
      const outcome = await accounts.renew(account.id, {
        credential: { kind: "token", token: "new-token-5b1e" },
        generation: 1,
        change: (unchanged) => ({ ...unchanged, label: "renewed" }),
      });
      restore();
      assert.deepEqual([outcome, count()], ["stored", 3], `${call} ${matching}`);
      assert.deepEqual(await accounts.credential(account.id), { kind: "token", token: "new-token-5b1e" });
      assert.equal((await accounts.get(account.id))?.label, "renewed");
    }
  });

  it("an account file that stays open fails the renewal and keeps the account", async () => {
    const accounts = openAccounts(host);
    const account = accountOf();
    await accounts.save(account, { kind: "token", token: "old-token-5b1e" });
    const { restore } = refuse("readFileSync", /accounts.[\w-]+\.json$/, "EBUSY", Number.POSITIVE_INFINITY);
    await assert.rejects(
      accounts.renew(account.id, { credential: { kind: "token", token: "new-token-5b1e" }, generation: 1, change: (same) => same }),
      (error: PackAuthError) => error.code === "storage-failed" && /Another program has the file open/.test(error.hint ?? ""),
    );
    restore();
    assert.deepEqual(await accounts.credential(account.id), { kind: "token", token: "old-token-5b1e" });
  });

  it("a briefly locked account stays listed and keeps its pack's registration", async () => {
    const accounts = openAccounts(host);
    const [one, two] = [accountOf(), accountOf({ label: "bob", createdAt: 2 })];
    for (const account of [one, two]) await accounts.save(account, { kind: "token", token: "token-5b1e" });
    await accounts.saveClientCredentials(one.pack, one.scope, {
      clientId: "id",
      registration: { issuer: "https://p.example", redirectUri: "http://localhost:3000/oauth" },
    });
    refuse("readFileSync", new RegExp(`accounts.${two.id}`), "EBUSY", 3);
    assert.deepEqual(
      (await accounts.list()).map(({ label }) => label),
      ["alice", "bob"],
    );
    refusedCalls?.restore();
    refuse("readFileSync", new RegExp(`accounts.${two.id}`), "EBUSY", 3);
    await accounts.remove(one.id);
    assert.equal((await accounts.clientCredentials(one.pack, one.scope))?.clientId, "id");
  });

  it("a briefly locked state file keeps its other values", async () => {
    const file = join(folder, "state.json");
    await stateFile(file).set("one", 1);
    refuse("readFileSync", /state\.json$/, "EBUSY", 2);
    await stateFile(file).set("two", 2);
    await Promise.all(["three", "four", "five"].map((key) => stateFile(file).set(key, key)));
    assert.deepEqual(
      ["one", "two", "three", "four", "five"].map((key) => stateFile(file).get(key)),
      [1, 2, "three", "four", "five"],
    );
  });

  it("an unreadable state file is not overwritten, an invalid one counts as empty", async () => {
    const file = join(folder, "state.json");
    assert.equal(stateFile(file).get("one"), undefined);
    for (const text of ["{", "null", "[1]", '"one"']) {
      writeFileSync(file, text);
      assert.equal(stateFile(file).get("0"), undefined, text);
      await stateFile(file).set("one", 1);
      assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { one: 1 }, text);
    }
    refuse("readFileSync", /state\.json$/, "EIO", 1);
    await assert.rejects(stateFile(file).set("two", 2), { code: "EIO" });
    assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { one: 1 });
  });

  it("a file is removed once the other program closes it", async () => {
    const files = accountFiles(folder);
    const account = accountOf();
    await files.put(account);
    refuse("rmSync", /\.json$/, "EPERM", 2);
    await files.remove(account.id);
    assert.equal(await files.get(account.id), undefined);
  });

  it("a briefly locked mark still shows that a refresh token was sent", async () => {
    const mark = refreshMark(join(folder, "a.sent"));
    const credential = { kind: "oauth2", accessToken: "a", refreshToken: "r" } as const;
    await mark.set(credential);
    const { restore } = refuse("readFileSync", /a\.sent$/, "EBUSY", 2);
    assert.equal(await mark.isOn(credential), true);
    restore();
    refuse("openSync", /a\.sent$/, "EBUSY", 2);
    await mark.clear();
    assert.equal(await mark.isOn(credential), false);
  });
});

describe("A temporary folder that another program has open", () => {
  it("a folder in use raises no error and is removed once it is free", async () => {
    const canary = makeCanary();
    const folder = dirname(canary.file);
    const { count, restore } = refuseCalls("rmSync", new RegExp(`${basename(folder)}$`), "EBUSY", 2);
    try {
      canary.remove();
      while (existsSync(folder)) await new Promise((resolve) => setTimeout(resolve, 10));
      assert.equal(count(), 2);
    } finally {
      restore();
    }
  });
});

describe("A lock whose folder another program has open", () => {
  let host: TestHost;
  let file: string;
  let refusedCalls: RefusedCalls | undefined;
  beforeEach(() => {
    host = makeHost();
    file = join(host.storageFolder, "thing");
  });
  afterEach(() => {
    refusedCalls?.restore();
    rmSync(host.storageFolder, { recursive: true, force: true });
  });

  const acquireLock = (patience = 5_000): Promise<string> =>
    withLock(file, async () => "mine", { patience, busy: () => new PackAuthError("storage-failed", "busy") });

  for (const code of ["EPERM", "EACCES", "EBUSY"])
    it(`a lock is created once the former one is gone (${code})`, async () => {
      refusedCalls = refuseCalls("mkdirSync", /thing\.lock$/, code, 4);
      assert.equal(await acquireLock(), "mine");
      assert.equal(refusedCalls.count(), 4);
    });

  it("a lock that cannot be created is reported", async () => {
    refusedCalls = refuseCalls("mkdirSync", /thing\.lock$/, "EPERM", Number.POSITIVE_INFINITY);
    await assert.rejects(acquireLock(), /lock file .* could not be created/);
  });

  it("a full disk is reported and leaves no lock behind", async () => {
    refusedCalls = refuseCalls("writeFileSync", /owner$/, "ENOSPC", 1);
    await assert.rejects(acquireLock(), ({ message, hint }: PackAuthError) => {
      assert.match(message, /^The lock file .*thing\.lock could not be created: ENOSPC/);
      assert.equal(hint, "Free some space on the disk, and try again.");
      return true;
    });
    assert.deepEqual(readdirSync(host.storageFolder), []);
    assert.equal(await acquireLock(), "mine");
  });

  it("a stale lock on a full disk is reported without waiting", async () => {
    mkdirSync(`${file}.lock`, { recursive: true });
    utimesSync(`${file}.lock`, 1, Date.now() / 1000 - 2);
    refusedCalls = refuseCalls("writeFileSync", /owner$/, "ENOSPC", Number.POSITIVE_INFINITY);
    await assert.rejects(acquireLock(), /could not be created: ENOSPC/);
  });

  it("a lock is written and released although a scanner reads its owner file", async () => {
    for (const [call, matching, code] of [
      ["readFileSync", /owner$/, "EBUSY"],
      ["rmSync", /owner$/, "EBUSY"],
      ["rmdirSync", /thing\.lock$/, "ENOTEMPTY"],
    ] as const) {
      refusedCalls = refuseCalls(call, matching, code, 2);
      assert.equal(await acquireLock(), "mine");
      assert.equal(refusedCalls.count(), 2);
      refusedCalls.restore();
      assert.ok(!existsSync(`${file}.lock`), call);
    }
  });

  it("a lock of a live process stays although its owner file is unreadable", async () => {
    mkdirSync(`${file}.lock`);
    writeFileSync(join(`${file}.lock`, "owner"), JSON.stringify({ pid: process.pid, host: hostname() }));
    const before = Date.now() / 1000 - 5;
    utimesSync(`${file}.lock`, before, before);
    refusedCalls = refuseCalls("readFileSync", /owner$/, "EBUSY", Number.POSITIVE_INFINITY);
    await assert.rejects(acquireLock(300), /busy/);
  });
});

describe("Work that the system refuses briefly", () => {
  it("refused work is retried until it returns its result", async () => {
    let tries = 0;
    const work = async (): Promise<string> => {
      if (++tries < 3) throw Object.assign(new Error("busy"), { code: "EBUSY" });
      return "done";
    };
    assert.equal(await retryWhileBusy(work), "done");
    assert.equal(tries, 3);
  });
});
