// Refresh across processes that are killed at the worst moment, and across six that share one account (security.md 6). Real child
// processes, with the encrypted file store. TESTS_KILL_RUNS and TESTS_SHARED_SECONDS make it longer.
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, type Accounts, openAccounts } from "../../../platform/accounts/accounts.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import { refreshAccount } from "../../../platform/oauth/refresh.ts";
import { encryptedFileStore } from "../../../platform/secrets/encrypted-file-store.ts";
import { bundleProgram } from "../../support/bundle-program.ts";
import { oauthCredential, oauthDefinition, storeAccount } from "../../support/oauth-account.ts";
import type { ChildOrder } from "../../support/refresh-child.ts";
import { openRotatingServer, type RotatingServer } from "../../support/rotating-server.ts";

const KILL_RUNS = Number(process.env.TESTS_KILL_RUNS ?? 12);
const SHARED_SECONDS = Number(process.env.TESTS_SHARED_SECONDS ?? 3);
const PASSPHRASE = "correct horse battery staple";

describe("Refresh across processes", function () {
  this.timeout(60_000 + KILL_RUNS * 3_000 + SHARED_SECONDS * 3_000);
  let folder: string;
  let child: string;
  let server: RotatingServer;
  let accounts: Accounts;
  const children: ChildProcess[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-refresh-"));
    child = await bundleProgram("test/support/refresh-child.ts", folder);
    accounts = openAccounts({
      secrets: encryptedFileStore(join(folder, "secrets"), PASSPHRASE),
      words: () => "",
      globalState: { get: () => undefined, set: async () => {} },
      now: Date.now,
      storageFolder: folder,
    });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(() => {
    server.close();
    for (const each of children.splice(0)) each.kill("SIGKILL");
  });

  async function start(account: Account, until: number): Promise<ChildProcess> {
    const childProcess = fork(child, { execArgv: [] });
    children.push(childProcess);
    const order: ChildOrder = {
      folder,
      secrets: join(folder, "secrets"),
      passphrase: PASSPHRASE,
      id: account.id,
      tokenUrl: server.tokenUrl,
      apiUrl: server.apiUrl,
      until,
    };
    childProcess.send(order);
    return childProcess;
  }

  it(`${KILL_RUNS} kills during a refresh lose nothing and send no refresh token twice`, async () => {
    server = await openRotatingServer({ lifetime: 1 });
    const auth = oauthDefinition(server.tokenUrl);
    const { account } = await storeAccount(accounts, auth, server.issue());
    const outcomes = { renewed: 0, signInAgain: 0 };
    for (let run = 0; run < KILL_RUNS; run++) {
      const childProcess = await start(account, 0);
      const exit = once(childProcess, "exit");
      // In turn: before the token is sent, while the provider works on it, at some moment after its answer, and when all is done.
      const moment = run % 5;
      let arrived: () => void = () => {};
      const tokenArrival = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      server.onRefresh = async () => {
        arrived();
        if (moment === 1) await once(childProcess, "exit");
      };
      const completion = new Promise<void>((resolve) => childProcess.on("message", (message) => message === "done" && resolve()));
      await once(childProcess, "message");
      if (moment === 4) await completion;
      else if (moment === 0) await delay(Math.random() * 8);
      else await Promise.race([tokenArrival, exit]);
      if (moment === 2) await delay(Math.random() * 6);
      if (moment === 3) await delay(Math.random() * 40);
      childProcess.kill("SIGKILL");
      await exit;
      server.onRefresh = undefined;

      const storedAccount = await accounts.get(account.id);
      assert.ok(storedAccount, "the account is still there");
      assert.equal(storedAccount.label, "alice");
      const stored = await accounts.credential(account.id);
      assert.equal(stored?.kind, "oauth2");
      if (stored?.kind !== "oauth2") return;
      const host = { accounts, fetch: (url: string, init: RequestInit) => fetch(url, init), now: Date.now, storageFolder: folder };
      try {
        await refreshAccount(storedAccount, auth, stored, host);
        outcomes.renewed++;
      } catch (error) {
        assert.equal((error as PackAuthError).code, "sign-in-again", String(error));
        outcomes.signInAgain++;
        await accounts.save(storedAccount, oauthCredential(server.issue()));
      }
    }
    console.log(`      ${outcomes.renewed} went on, ${outcomes.signInAgain} asked to sign in again`);
    assert.equal(new Set(server.receivedTokens).size, server.receivedTokens.length, "a refresh token was sent twice");
    assert.deepEqual(server.invalidGrants, []);
    assert.ok(outcomes.renewed > 0 && outcomes.signInAgain > 0, "both ways were tried");
  });

  it(`six processes that share one-second tokens for ${SHARED_SECONDS} s get no invalid_grant`, async () => {
    server = await openRotatingServer({ lifetime: 1 });
    const { account } = await storeAccount(accounts, oauthDefinition(server.tokenUrl), server.issue());
    const reports = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const childProcess = await start(account, SHARED_SECONDS * 1_000);
        const messages: unknown[] = [];
        childProcess.on("message", (message) => messages.push(message));
        await once(childProcess, "exit");
        return messages.at(-1) as { used?: number; error?: string };
      }),
    );
    console.log(
      `      ${server.receivedTokens.length} refreshes, ${server.statistics.grants} requests granted, ${server.statistics.refusals} refused once`,
    );
    assert.deepEqual(
      reports.map(({ error }) => error),
      Array(6).fill(undefined),
    );
    assert.deepEqual(server.invalidGrants, []);
    assert.equal(new Set(server.receivedTokens).size, server.receivedTokens.length);
    for (const { used } of reports) assert.ok((used ?? 0) > 0, "every process used the account");
  });
});

const delay = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
