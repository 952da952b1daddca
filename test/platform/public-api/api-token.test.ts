// The token of the public API: bound to the origin that it was entered for, and nowhere in clear.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PackAuthError } from "../../../platform/errors.ts";
import { apiTokenOrigins, environmentToken, openApiOf, removeApiToken, storedApiOf } from "../../../platform/public-api/api-token.ts";
import { encryptedFileStore } from "../../../platform/secrets/encrypted-file-store.ts";
import { makeHost } from "../../support/platform-host.ts";
import { type PublicApiStandIn, STAND_IN, startPublicApi } from "../../support/public-api.ts";

const { packId, tenantHost, token } = STAND_IN;
const AT_DEFAULT = { packId, origin: "https://coda.io" };
const AT_TENANT = { packId, origin: `https://${tenantHost}` };
const QUESTION = "May an API token go there?";
const title = "Upload";

describe("the API token", function () {
  this.timeout(60_000);
  let standIn: PublicApiStandIn;
  before(async () => {
    standIn = await startPublicApi();
  });
  after(() => standIn.close());

  const requestedHosts = async (): Promise<readonly string[]> => (await standIn.state()).requests.map(({ host }) => host);

  it("the first use asks for the token, and the second uses it", async () => {
    const host = makeHost({ fetch: standIn.fetch, replies: { "API token of coda.io": [`  ${token} `, undefined] } });
    for (let use = 0; use < 2; use++) {
      const api = await openApiOf(host, AT_DEFAULT, { title });
      assert.equal((await api?.oauthConfig(packId))?.maskedClientId, "");
    }
    assert.equal(host.prompts.length, 1);
    assert.match(host.prompts[0] ?? "", /which is sent to coda\.io only/);
    assert.deepEqual(await apiTokenOrigins(host), ["https://coda.io"]);
    assert.equal(await removeApiToken(host, "https://coda.io"), true);
    assert.deepEqual([await apiTokenOrigins(host), host.secretValues.size], [[], 0]);
    assert.equal(await removeApiToken(host, "https://coda.io"), false);
  });

  it("another host gets no token of coda.io: the person is asked first, with the host", async () => {
    const before = (await requestedHosts()).length;
    const host = makeHost({ fetch: standIn.fetch, replies: { "API token of coda.io": token, [QUESTION]: "no" } });
    assert.ok(await openApiOf(host, AT_DEFAULT, { title }));
    assert.equal(await openApiOf(host, AT_TENANT, { title }), undefined);
    assert.match(host.prompts.at(-1) ?? "", new RegExp(`\\.coda-pack\\.json of this workspace names ${tenantHost} in place of coda\\.io`));
    assert.equal(await storedApiOf(host, AT_TENANT), undefined);
    assert.equal((await requestedHosts()).length, before, "nothing was sent");
  });

  it("after the person agreed, another host gets the token that was entered for it, and is not asked for again", async () => {
    const before = (await requestedHosts()).length;
    const host = makeHost({ fetch: standIn.fetch, replies: { [QUESTION]: "yes", [`API token of ${tenantHost}`]: token } });
    for (let use = 0; use < 2; use++) await (await openApiOf(host, AT_TENANT, { title }))?.oauthConfig(packId);
    assert.equal(host.prompts.length, 2);
    assert.deepEqual((await requestedHosts()).slice(before), [tenantHost, tenantHost]);
    assert.equal(await storedApiOf(host, AT_DEFAULT), undefined);
    assert.deepEqual(await apiTokenOrigins(host), [AT_TENANT.origin]);
  });

  it("a record that names another origin is not used", async () => {
    const host = makeHost();
    host.secretValues.set(`packAuth.apiToken.${AT_TENANT.origin}`, JSON.stringify({ origin: "https://coda.io", token }));
    assert.equal(await storedApiOf(host, AT_TENANT), undefined);
  });

  it("a cancelled question for the token stores nothing", async () => {
    const host = makeHost();
    assert.equal(await openApiOf(host, AT_DEFAULT, { title }), undefined);
    assert.equal(host.secretValues.size, 0);
  });

  it("the token of the environment goes to its own host only", async () => {
    const host = makeHost({ fetch: standIn.fetch });
    assert.equal(environmentToken({}), undefined);
    const ofDefault = environmentToken({ PACK_AUTH_API_TOKEN: token });
    assert.deepEqual(ofDefault, { token, origin: "https://coda.io" });
    assert.ok(await openApiOf(host, AT_DEFAULT, { title, environmentToken: ofDefault }));
    await assert.rejects(
      openApiOf(host, AT_TENANT, { title, environmentToken: ofDefault }),
      ({ code, message }: PackAuthError) =>
        code === "api-host-unapproved" && message.includes(`for coda.io, and .coda-pack.json names ${tenantHost}`),
    );
    const ofTenant = environmentToken({ PACK_AUTH_API_TOKEN: token, PACK_AUTH_API_HOST: tenantHost });
    assert.ok(await openApiOf(host, AT_TENANT, { title, environmentToken: ofTenant }));
    await assert.rejects(openApiOf(host, AT_DEFAULT, { title, environmentToken: ofTenant }), { code: "api-host-unapproved" });
    assert.throws(() => environmentToken({ PACK_AUTH_API_TOKEN: token, PACK_AUTH_API_HOST: "http://x.example" }), {
      code: "api-host-unapproved",
    });
    assert.deepEqual(host.prompts, []);
  });

  it("the token is in no file in clear, no log, no state and no error", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pack-auth-api-token-"));
    try {
      const secrets = encryptedFileStore(join(folder, "secrets"), "correct horse battery staple");
      const faults = await startPublicApi({ faults: { echoesToken: true } });
      try {
        const host = { ...makeHost({ fetch: faults.fetch, secrets, replies: { "API token": token } }), storageFolder: folder };
        const api = await openApiOf(host, AT_DEFAULT, { title });
        const error = await api?.oauthConfig(packId).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        assert.ok(error instanceof PackAuthError);
        const texts = [
          ...readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
            entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), "latin1") : [],
          ),
          JSON.stringify([...host.states, ...host.workspaceStates, ...host.logged, ...host.prompts, ...host.copied]),
          `${error.message} ${error.hint} ${error.stack} ${String(error.cause)} ${JSON.stringify(error)}`,
          JSON.stringify(api),
        ];
        assert.ok(texts.length > 4);
        for (const text of texts)
          for (const form of [token, Buffer.from(token).toString("base64"), Buffer.from(token).toString("hex")])
            assert.ok(!text.includes(form));
        assert.ok(await storedApiOf(host, AT_DEFAULT), "the token is stored");
        const other = { ...host, secrets: encryptedFileStore(join(folder, "secrets"), "another passphrase") };
        await assert.rejects(openApiOf(other, AT_DEFAULT, { title }), { code: "storage-failed" });
      } finally {
        await faults.close();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
