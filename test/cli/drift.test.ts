// `pack-auth drift`: real processes, and a stand-in of the platform's API in a process of its own.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callCli, storedIn } from "../support/call-cli.ts";
import { packFiles, removePackFiles } from "../support/pack-file.ts";
import { type PublicApiStandIn, STAND_IN, startPublicApi } from "../support/public-api.ts";

const ADDRESSES = { authorizationUrl: "https://login.shop.example/authorize", tokenUrl: "https://login.shop.example/token" };
const SECRET = "canary-4f1d7a9c2b60e835";

const packOf = (config: string): string =>
  packFiles({
    "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("shop.example");
pack.setUserAuthentication({ ${config} } as any);
`,
    ".coda-pack.json": JSON.stringify({ packId: STAND_IN.packId }),
  });
const oauth = (scopes: readonly string[]): string =>
  packOf(
    `type: coda.AuthenticationType.OAuth2, authorizationUrl: "${ADDRESSES.authorizationUrl}", tokenUrl: "${ADDRESSES.tokenUrl}", scopes: ${JSON.stringify(scopes)}`,
  );

describe("drift on the command line", function () {
  this.timeout(120_000);
  let home: string;
  let api: PublicApiStandIn;
  before(async () => {
    home = mkdtempSync(join(tmpdir(), "pack-auth-drift-"));
    api = await startPublicApi({ oauthConfig: { ...ADDRESSES, scopes: "b a", clientId: "client-1234-abcd", clientSecret: SECRET } });
  });
  after(async () => {
    await api.close();
    rmSync(home, { recursive: true, force: true });
    removePackFiles();
  });
  const call = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    callCli(["drift", ...args], { env: { ...storedIn(home), ...api.env, PACK_AUTH_API_TOKEN: api.token, ...env } });

  it("the same configuration: one sentence, the lines, and exit code 0", async () => {
    const { code, out, err } = await call([oauth(["a", "b"])]);
    assert.deepEqual([code, err], [0, ""]);
    assert.match(out, /^The published pack fits this source\. It has client ID ••••abcd and scopes b a\.\n/);
    assert.match(out, /redirect address .*Register this address at the provider/);
  });

  it("a difference: exit code 1, and as JSON the lines that differ", async () => {
    const { code, out } = await call([oauth(["a", "b", "c"]), "--format", "json"]);
    const { summary, differs, lines } = JSON.parse(out);
    assert.deepEqual([code, differs], [1, true]);
    assert.equal(summary, "The published pack has client ID ••••abcd and scopes b a; this source has a b c. Different: scopes.");
    assert.deepEqual(
      lines.flatMap((line: { subject: string; isSame?: boolean }) => (line.isSame === false ? line.subject : [])),
      ["scopes"],
    );
    assert.ok(!out.includes(SECRET));
  });

  it("a source without OAuth2 says what applies, and asks nobody", async () => {
    const before = (await api.state()).requests.length;
    const { code, out } = await call([packOf("type: coda.AuthenticationType.HeaderBearerToken")], { PACK_AUTH_API_TOKEN: "" });
    assert.deepEqual([code, /nothing to compare/.test(out), (await api.state()).requests.length], [0, true, before]);
  });

  it("the hand-over needs a terminal: without one nothing is sent", async () => {
    const { code, err } = await call([oauth(["a"]), "--send-credentials"]);
    assert.equal(code, 2);
    assert.match(err, /--send-credentials needs a terminal, because a person has to agree\. Nothing was sent\./);
    assert.ok((await api.state()).requests.every(({ method }) => method === "GET"));
  });

  it("a wrong token, a wrong format and no pack are clear sentences", async () => {
    const refused = await call([oauth(["a"])], { PACK_AUTH_API_TOKEN: "another-token-of-nobody" });
    assert.deepEqual([refused.code, /coda\.io refuses the API token/.test(refused.err)], [1, true], refused.err);
    assert.equal((await call([oauth(["a"]), "--format", "sarif"])).code, 2);
    assert.equal((await call([])).code, 2);
  });
});
