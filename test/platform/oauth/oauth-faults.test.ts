// Faults × phases of security.md 6 for the token and refresh requests: every one ends in time with one message, and nothing that is
// stored is lost by it.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { openAccounts } from "../../../platform/accounts/accounts.ts";
import type { PackAuthError } from "../../../platform/errors.ts";
import { refreshAccount } from "../../../platform/oauth/refresh.ts";
import { requestToken } from "../../../platform/oauth/token-request.ts";
import { FAULTS, type Fault, type FaultyServer, openFaultyServer } from "../../support/faulty-server.ts";
import { oauthDefinition, storeAccount } from "../../support/oauth-account.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";

/** The deadline under test, and what the test itself waits before it calls something a hang. */
const SHORT = 250;
const HANG = 10_000;
/** What the deadline ends; every other fault shows by itself, on a busy machine perhaps later. */
const limitOf = (fault: Fault): { timeout?: number } => (fault === "slow" || fault === "stalled" ? { timeout: SHORT } : {});

const MESSAGES: Readonly<Record<Fault, RegExp>> = {
  slow: /did not answer in time/,
  stalled: /did not answer in time/,
  reset: /closed the connection/,
  truncated: /closed the connection|sent less/,
  huge: /answered with more than 1 MB/,
  "bad TLS": /certificate of 127\.0\.0\.1:\d+ is not trusted/,
  "429": /status 429/,
  "5xx": /status 503/,
  nobody: /refuses connections/,
};

describe("OAuth faults", function () {
  this.timeout(HANG * 2);
  let host: TestHost;
  let server: FaultyServer;
  beforeEach(() => {
    host = makeHost();
  });
  afterEach(() => {
    server.close();
    rmSync(host.storageFolder, { recursive: true, force: true });
  });

  for (const fault of FAULTS) {
    it(`a token request ends in time with one message: ${fault}`, async () => {
      server = await openFaultyServer(fault);
      const tokenUrl = `${server.origin}/token`;
      const error = await inTime(
        requestToken(
          {
            auth: oauthDefinition(tokenUrl),
            configRoot: "userAuthentication",
            tokenUrl,
            address: tokenUrl,
            client: { clientId: "client", clientSecret: "client-secret" },
            fetch: (url, init) => fetch(url, init),
            now: Date.now,
            ...limitOf(fault),
          },
          {
            kind: "code",
            callback: new URLSearchParams({ code: "the-code", state: "s" }),
            state: "s",
            redirectUri: "http://localhost:3000/oauth",
          },
        ),
      );
      assert.match(error.message, MESSAGES[fault]);
      assert.ok((error.hint ?? "").length > 10);
      // Nobody's field is to blame where the provider has enough of it.
      assert.equal(error.configPath, fault === "429" || fault === "5xx" ? "userAuthentication" : "userAuthentication.tokenUrl");
      assert.ok(server.requests() <= 1, "a code is not sent again after such a fault");
    });

    it(`a refresh ends in time and keeps the stored tokens: ${fault}`, async () => {
      server = await openFaultyServer(fault);
      const accounts = openAccounts(host);
      const auth = oauthDefinition(`${server.origin}/token`);
      const { account, credential } = await storeAccount(accounts, auth, { access: "the-access-token", refresh: "the-refresh-token" });
      const refresh = () => refreshAccount(account, auth, credential, { ...host, accounts, ...limitOf(fault) });
      // What was sent and never answered may be used up (refresh-lost.test.ts).
      const isLost = ["slow", "stalled", "reset", "truncated", "huge"].includes(fault);
      for (const time of [1, 2]) {
        const error = await inTime(refresh());
        assert.equal(error.code, isLost ? "sign-in-again" : "refresh-failed");
        assert.match(error.message, isLost && time === 2 ? /was interrupted/ : MESSAGES[fault]);
        assert.deepEqual(await accounts.credential(account.id), credential);
        const stored = await accounts.get(account.id);
        assert.deepEqual(stored, isLost ? { ...account, unrenewable: "interrupted" } : account);
        assert.equal((await accounts.stateOf(stored, auth)).state, isLost ? "refused" : "ready");
      }
    });
  }

  it("a refresh ends in time even if the host's fetch ignores the signal", async () => {
    server = await openFaultyServer("nobody");
    const accounts = openAccounts(host);
    const auth = oauthDefinition(`${server.origin}/token`);
    const { account, credential } = await storeAccount(accounts, auth, { access: "the-access-token", refresh: "the-refresh-token" });
    const never = () => new Promise<never>(() => {});
    const error = await inTime(refreshAccount(account, auth, credential, { ...host, accounts, fetch: never, timeout: SHORT }));
    assert.match(error.message, /did not answer in time/);
  });
});

async function inTime(work: Promise<unknown>): Promise<PackAuthError> {
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("it hangs")), HANG);
  });
  return Promise.race([work, hang])
    .then(
      () => assert.fail("it did not fail"),
      (error: unknown) => error as PackAuthError,
    )
    .finally(() => clearTimeout(timer));
}
