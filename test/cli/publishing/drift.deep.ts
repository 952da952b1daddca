// `pack-auth drift`: real processes, and a stand-in of the platform's API in a process of its own.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { stateFile } from "../../../cli/terminal/state-file.ts";
import { openAccounts, packKey } from "../../../platform/accounts/accounts.ts";
import { addApiToken } from "../../../platform/public-api/api-token.ts";
import { encryptedFileStore } from "../../../platform/secrets/encrypted-file-store.ts";
import { callCli, storedIn } from "../../support/call-cli.ts";
import { notRun } from "../../support/not-run.ts";
import { type Answer, answering, CTRL_C, CTRL_D, hasTerminal, onTerminal } from "../../support/on-terminal.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";
import { makeHost } from "../../support/platform-host.ts";
import { type PublicApiStandIn, STAND_IN, startPublicApi } from "../../support/public-api.ts";
import { filesWith, uniqueSecret, watchProcesses } from "../../support/secret-traces.ts";

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

describe("the hand-over on a terminal", function () {
  this.timeout(240_000);
  const CLIENT = { clientId: "client-9876-wxyz", clientSecret: uniqueSecret() };
  const PASSPHRASE = uniqueSecret();
  const SECRETS = [CLIENT.clientSecret, PASSPHRASE, STAND_IN.token];
  const PASSED: Answer = [/Passphrase of the stored credentials > $/, `${PASSPHRASE}\r`];
  const QUESTION: Answer[0] = /Type the pack ID 123456 to agree\. > $/;
  let home: string;
  let entry: string;
  let api: PublicApiStandIn;
  before(async () => {
    home = mkdtempSync(join(tmpdir(), "pack-auth-hand-over-"));
    entry = oauth(["a"]);
    api = await startPublicApi({ oauthConfig: { ...ADDRESSES, scopes: "a", clientId: "client-1234-abcd", clientSecret: SECRET } });
    const secrets = encryptedFileStore(join(home, "secrets"), PASSPHRASE);
    const accounts = openAccounts({ ...makeHost(), secrets, globalState: stateFile(join(home, "state.json")), storageFolder: home });
    await accounts.saveClientCredentials(packKey(entry), "user", {
      ...CLIENT,
      acceptedWith: [{ type: "OAuth2", tokenUrl: ADDRESSES.tokenUrl }],
      tokenEndpoints: [ADDRESSES.tokenUrl],
    });
    await addApiToken(
      { secrets, globalState: stateFile(join(home, "state.json")), prompter: { ...makeHost().prompter, input: async () => api.token } },
      "https://coda.io",
      { title: "" },
    );
  });
  after(async () => {
    await api.close();
    rmSync(home, { recursive: true, force: true });
    removePackFiles();
  });

  async function sendCredentials(...answers: readonly Answer[]) {
    const { PACK_AUTH_PASSPHRASE: _, ...env } = storedIn(home);
    const watch = watchProcesses(SECRETS);
    const result = await onTerminal([process.execPath, join(root, "dist/cli.cjs"), "drift", entry, "--send-credentials"], {
      env: { ...env, ...api.env },
      columns: 400,
      type: answering(...answers),
    });
    assert.deepEqual([watch.stop(), filesWith([home, dirname(entry)], SECRETS)], [[], []]);
    for (const secret of SECRETS) assert.ok(!result.text.includes(secret), "a secret is shown");
    return { ...result, client: (await api.state()).client };
  }

  if (!hasTerminal) {
    notRun("a real terminal (util-linux's script is not on the PATH)");
    return;
  }

  it("a wrong pack ID, Ctrl-D and Ctrl-C send nothing, and the right pack ID sends the client once", async () => {
    const before = (await api.state()).client;
    for (const [key, exitCode, sentence] of [
      ["123465\r", 1, /Nothing was sent\.\r\n$/],
      ["yes\r", 1, /Nothing was sent\.\r\n$/],
      [CTRL_D, 130, /Nothing was sent\.\r\n$/],
      [CTRL_C, 130, /Nothing was sent\.\r\n$/],
    ] as const) {
      const { code, text, client } = await sendCredentials(PASSED, [QUESTION, key]);
      assert.deepEqual([code, client], [exitCode, before], text);
      assert.match(text, sentence);
    }
    const { code, text, client } = await sendCredentials(PASSED, [QUESTION, "123456\r"]);
    assert.equal(code, 0, text);
    assert.match(text, /Send the client ID and secret to pack 123456 at coda\.io\?/);
    assert.match(text, /Pack 123456 at coda\.io has client ID ••••wxyz now, which is the one that was sent\.\r\n$/);
    assert.deepEqual(client, CLIENT);
    const puts = (await api.state()).requests.filter(({ method }) => method === "PUT");
    assert.deepEqual(
      puts.map(({ host, body }) => [host, JSON.parse(body)]),
      [["coda.io", CLIENT]],
    );
  });

  it("a Ctrl-C while the client is sent says that the outcome is unknown", async () => {
    await api.close();
    api = await startPublicApi({ oauthConfig: { ...ADDRESSES, scopes: "a" }, faults: { slow: 1 } });
    const { code, text } = await sendCredentials(
      PASSED,
      [QUESTION, "123456\r"],
      // The echo of the pack ID.
      [
        /123456\r/,
        async () => {
          while (!(await api.state()).requests.some(({ method }) => method === "PUT")) await delay(50);
          return CTRL_C;
        },
      ],
    );
    assert.equal(code, 130, text);
    assert.match(text, /It is unknown whether coda\.io took the client ID and secret\. Compare /);
  });
});
