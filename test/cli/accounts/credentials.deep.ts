// `pack-auth credentials`, and what `connect` does with client credentials: real processes, a provider on this machine, an encrypted
// file in place of a keyring.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { callCli, storedIn } from "../../support/call-cli.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { openTokenServer, type TokenServer } from "../../support/token-server.ts";

const source = (setter: string, config: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("shop.example");
pack.${setter}({ ${config} } as any);
`;

describe("client credentials on the command line", function () {
  this.timeout(60_000);
  let home: string;
  let server: TokenServer;
  let pack: string;

  before(async () => {
    server = await openTokenServer();
  });
  after(() => {
    server.close();
    removePackFiles();
  });
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "pack-auth-credentials-"));
    server.reset();
    // The provider knows one client.
    server.reply = (form) =>
      form.get("client_id") === "the-id" && form.get("client_secret") === "right-secret"
        ? { body: '{"access_token":"the-access-token"}' }
        : { status: 401, body: '{"error":"invalid_client"}' };
    pack = packOf("setUserAuthentication", server.tokenUrl);
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const packOf = (setter: string, tokenUrl: string): string =>
    packFiles({ "pack.ts": source(setter, `type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "${tokenUrl}"`) });

  /** Each line is an answer. */
  async function call(args: readonly string[], ...lines: readonly string[]) {
    const result = await callCli(args, { env: storedIn(home), lines });
    assert.doesNotMatch(result.out + result.err, /-secret\b/, "no secret is shown");
    return result;
  }
  /** What there is beside the salt of the encrypted file and the verifier of its passphrase. */
  const stored = (): readonly string[] =>
    readdirSync(home, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() && !["salt", "verifier"].includes(entry.name) ? entry.name : [],
    );

  it("a wrong passphrase is reported, keeps the credentials, and still allows their removal", async () => {
    await call(["credentials", pack], "the-id", "right-secret");
    const env = { ...storedIn(home), PACK_AUTH_PASSPHRASE: "another one" };
    const sealed = await callCli(["credentials", pack], { env, lines: ["new-id", "right-secret"] });
    assert.deepEqual([sealed.code, sealed.out], [1, ""]);
    assert.equal(
      sealed.err,
      `pack-auth: The passphrase does not open the client ID and secret of ${packName()}. Unlock them, or remove them and enter new ones. Set PACK_AUTH_PASSPHRASE to the passphrase that they were stored with.\n`,
    );
    const connected = await callCli(["connect", pack], { env, lines: ["the-id", "right-secret"] });
    assert.deepEqual([connected.code, connected.out, connected.err], [1, "", sealed.err]);
    assert.match((await call(["credentials", pack])).out, /^Client ID the-id is stored/);
    const removed = await callCli(["credentials", pack, "--remove"], { env });
    assert.deepEqual([removed.code, /^Removed it\./.test(removed.err)], [0, true], removed.err);
    assert.match((await call(["credentials", pack])).out, /^No client ID/);
  });

  it("a short passphrase gets a warning for storing, and none for reading", async () => {
    const env = { ...storedIn(home), PACK_AUTH_PASSPHRASE: "abc" };
    const warning = /^pack-auth: PACK_AUTH_PASSPHRASE has fewer than 12 characters\. .* Use a longer one\.$/m;
    const { code, err } = await callCli(["credentials", pack], { env, lines: ["the-id", "right-secret"] });
    assert.equal(code, 0);
    assert.match(err, warning);
    const again = await callCli(["credentials", pack], { env });
    assert.match(again.out, /^Client ID the-id is stored/);
    assert.doesNotMatch(again.err, warning);
    const { err: ofLongOne } = await call(["credentials", packOf("setSystemAuthentication", server.tokenUrl)], "the-id", "right-secret");
    assert.doesNotMatch(ofLongOne, warning);
  });

  it("stored credentials are shown, replaced with the client ID proposed, and removed", async () => {
    const { origin } = new URL(server.tokenUrl);
    const none = await call(["credentials", pack]);
    assert.deepEqual([none.code, none.out], [0, `No client ID is stored for ${packName()}.\n`]);
    assert.match(none.err, /Nothing was changed/);
    const added = await call(["credentials", dirname(pack)], "the-id", "wrong-secret");
    assert.deepEqual([added.code, /Stored client ID the-id\. It is not tried yet/.test(added.err)], [0, true], added.err);
    const update = await call(["credentials", pack], "", "right-secret");
    assert.equal(update.out, `Client ID the-id is stored for ${packName()}, with a secret, for ${origin}/token.\n`);
    assert.match(update.err, /\[the-id\]/);
    assert.equal((await call(["connect", pack])).code, 0, "the new secret is the one that is used");
    const removed = await call(["credentials", pack, "--remove"]);
    assert.deepEqual([removed.code, /cannot be refreshed/.test(removed.err)], [0, true], removed.err);
    assert.match((await call(["credentials", pack])).out, /^No client ID/);
  });
  const packName = (): string => dirname(pack).split("/").at(-1) ?? "";

  it("credentials of the system authentication are stored apart", async () => {
    pack = packOf("setSystemAuthentication", server.tokenUrl);
    assert.equal((await call(["credentials", pack, "--system"], "the-id", "right-secret")).code, 0);
    assert.match((await call(["credentials", pack, "--remove"])).out, /^No client ID/);
    assert.match((await call(["credentials", pack, "--system"])).out, /^Client ID the-id/);
  });

  it("connect replaces a wrong secret that is stored", async () => {
    await call(["credentials", pack], "the-id", "wrong-secret");
    const connected = await call(["connect", pack], "", "right-secret");
    assert.equal(connected.code, 0, connected.err);
    assert.match(connected.err, /127\.0\.0\.1:\d+ refused to issue a token, because the client ID or secret is wrong\..*\[the-id\]/);
    assert.equal((await call(["accounts", "remove", "me"])).code, 0);
    assert.equal((await call(["connect", pack])).code, 0, "what worked is stored");
  });

  it("connect stores nothing that did not work, and says so", async () => {
    const cancelled = await call(["connect", pack], "the-id");
    assert.deepEqual([cancelled.code, cancelled.err.includes("Cancelled. Nothing was stored.")], [130, true], cancelled.err);
    const rejection = await call(["connect", pack], "the-id", "wrong-secret");
    assert.equal(rejection.code, 1);
    assert.match(rejection.err, /invalid_client.*developer settings.*with pack-auth credentials <pack>\./);
    assert.deepEqual(stored(), [], "neither left anything");
  });

  it("connect asks before a stored secret goes to another token address", async () => {
    await call(["credentials", pack], "the-id", "right-secret");
    const other = await openTokenServer();
    try {
      other.responses = [{ body: '{"access_token":"stolen"}' }];
      writeFileSync(
        pack,
        source("setUserAuthentication", `type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "${other.tokenUrl}"`),
      );
      const question = await call(["connect", pack]);
      assert.equal(question.code, 130);
      assert.match(
        question.err,
        new RegExp(`entered for ${server.tokenUrl}\\.[^]*May the stored client secret go to ${other.tokenUrl}\\?`),
      );
      assert.deepEqual(other.received, []);
      assert.equal((await call(["connect", pack], "2")).code, 0);
      assert.match((await call(["credentials", pack])).out, new RegExp(`for ${server.tokenUrl} and ${other.tokenUrl}\\.`));
    } finally {
      other.close();
    }
  });

  it("a wrong call is explained: no pack, a type without client ID, no such authentication", async () => {
    const token = packFiles({ "pack.ts": source("setUserAuthentication", "type: coda.AuthenticationType.HeaderBearerToken") });
    for (const [args, code, message] of [
      [["credentials"], 2, /has none of pack\.ts/],
      [["credentials", token], 2, /is HeaderBearerToken, which has no client ID/],
      [["credentials", token, "--system"], 1, /no system authentication/],
    ] as const) {
      const result = await call([...args]);
      assert.equal(result.code, code, result.err);
      assert.match(result.err, message);
      assert.equal(result.out, "", "nothing is said of a client ID that the pack cannot have");
    }
  });
});
