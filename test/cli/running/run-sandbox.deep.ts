// `pack-auth run --sandbox`: from a pack to a result in one step, with no real account, no browser and no second terminal.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { newPack } from "../../../platform/pack-template.ts";
import type { RunReport } from "../../../protocol/run.ts";
import { callCli, callProgram } from "../../support/call-cli.ts";
import { example, sandboxOfSuite } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";

const SHOP = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("shop.example");
AUTHENTICATION
pack.addFormula({
  name: "Prices", description: "Asks.", parameters: [], resultType: coda.ValueType.String, examples: [{ params: [], result: "12" }],
  execute: async ([], context) => (await context.fetcher.fetch({ method: "GET", url: "https://api.shop.example/prices" })).body.prices.join(),
});
`;

describe("pack-auth run --sandbox", function () {
  this.timeout(60_000);
  const home = mkdtempSync(join(tmpdir(), "pack-auth-run-sandbox-"));
  after(() => rmSync(home, { recursive: true, force: true }));
  after(removePackFiles);

  // The first test shows that a run starts a sandbox of its own.
  const sandbox = sandboxOfSuite();
  /** No keyring and no passphrase are there: nothing is stored. */
  const call = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    callCli(["run", ...args, "--sandbox"], { env: { PACK_AUTH_HOME: home, PACK_AUTH_SANDBOX: sandbox.url, ...env } });
  const shop = (authentication: string): string => packFiles({ "pack.ts": SHOP.replace("AUTHENTICATION", authentication) });

  it("an OAuth2 run signs in, applies the token, marks each request, and leaves nothing behind", async () => {
    const { code, out, err } = await callProgram(["run", example("todo-oauth2"), "GetTask", "7", "--sandbox"], {
      env: { PACK_AUTH_HOME: home, TMPDIR: home },
    });
    assert.equal(code, 0, err);
    assert.match(out, /"Name": "Buy milk"/);
    assert.match(err, /GET https:\/\/api\.todo\.example\/v1\/tasks\/7 200 sandbox \(Authorization → api\.todo\.example\)/);
    assert.ok(!existsSync(join(home, "accounts")), "no account is kept");
    assert.deepEqual(
      readdirSync(home).filter((name) => name.startsWith("pack-auth-sandbox-")),
      [],
    );
  });

  it("a declared localhost is reached without --allow-loopback, and the saved test replays", async () => {
    const entry = packFiles({
      "pack.ts": SHOP.replace("AUTHENTICATION", "")
        .replaceAll("shop.example", "localhost")
        .replace("https://api.localhost", "http://localhost:4123"),
      "sandbox.json": JSON.stringify({ answers: [{ request: "GET https://localhost:4123/prices", body: { prices: [12] } }] }),
    });
    const file = join(dirname(entry), "Prices.packauth.json");
    const { code, out, err } = await call([entry, "Prices", "--save-test", file]);
    assert.deepEqual([code, out], [0, "12\n"], err);
    assert.match(err, /localhost:4123 is this machine, which the platform cannot reach/);
    const again = await callCli(["test", file], { cwd: dirname(entry) });
    assert.equal(again.code, 0, again.out + again.err);
  });

  it("an omitted parameter gets the pack's suggestion, with a note", async () => {
    const entry = packFiles(newPack("HeaderBearerToken", "acme"));
    const suggested = await call([entry, "Greeting"]);
    assert.deepEqual([suggested.code, suggested.out], [0, "Hello, Alice!\n"], suggested.err);
    assert.match(suggested.err, /^word is missing\. The run uses "Hello", which the pack suggests\.$/m);
    const explicit = await call([entry, "Greeting", "Hi"]);
    assert.equal(explicit.out, "Hi, Alice!\n");
    assert.doesNotMatch(explicit.err, /suggests/);
  });

  it("the first endpoint that the pack lists is used", async () => {
    const { out, err } = await call([example("crm-set-endpoint"), "Contact", "Bob"]);
    assert.equal(out, "bob@acme.example\n", err);
  });

  for (const [what, authentication] of [
    ["a user's token", "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });"],
    ["system authentication", "pack.setSystemAuthentication({ type: coda.AuthenticationType.QueryParamToken, paramName: 'key' });"],
    ["no authentication", ""],
  ] as const)
    it(`a request without an answer is reported with what to add to sandbox.json: ${what}`, async () => {
      const { code, err } = await call([shop(authentication), "Prices"], { PACK_AUTH_TOKEN: "real", PACK_AUTH_DOMAINS: "shop.example" });
      assert.equal(code, 1, err);
      assert.match(err, /GET https:\/\/api\.shop\.example\/prices\S* 200 sandbox, no answer: echoed/);
      assert.match(err, /sandbox: No answer for GET \/prices: echoed\. Add to \S*sandbox\.json:\n.*\n.*TypeError/);
      const [added = ""] = /^ *\{ ?"request".*\}$/m.exec(err) ?? [];
      assert.deepEqual(JSON.parse(added), { request: "GET https://api.shop.example/prices", body: { prices: ["12"] } });
    });

  for (const [what, formula, request] of [
    ["the formula", "connectionRequirement: coda.ConnectionRequirement.None, ", ""],
    ["the request", "", "disableAuthentication: true, "],
  ] as const)
    it(`no credential is requested where ${what} takes no account`, async () => {
      const source = SHOP.replace("AUTHENTICATION", "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });")
        .replace("parameters: []", `${formula}parameters: []`)
        .replace('method: "GET"', `${request}method: "GET"`)
        .replace(".body.prices.join()", ".body.headers.authorization ?? 'without'");
      const { code, out, err } = await call([packFiles({ "pack.ts": source }), "Prices", "--json"]);
      assert.equal(code, 0, err);
      const { outcome, requests } = JSON.parse(out) as RunReport;
      assert.equal(outcome.status === "succeeded" ? outcome.value : "", "without");
      assert.deepEqual([requests[0]?.status, requests[0]?.credentials], [200, []]);
    });

  it("the proposed answer has the fields that the code reads, without a schema", async () => {
    const read = ".body.page.entries.map((entry) => entry.title.trim()).join()";
    const entry = packFiles({ "pack.ts": SHOP.replace("AUTHENTICATION", "").replace(".body.prices.join()", read) });
    const { err } = await call([entry, "Prices"]);
    const [added = ""] = /^ *\{ ?"request".*\}$/m.exec(err) ?? [];
    const { body } = JSON.parse(added) as { body: { page: { entries: { title: unknown }[] } } };
    assert.equal(typeof body.page.entries[0]?.title, "string", err);
  });

  it("the echoed request is in the JSON report, too", async () => {
    const { out } = await call([shop(""), "Prices", "--json"]);
    const report = JSON.parse(out) as RunReport;
    const { calls, ...echo } = report.requests[0]?.echoed ?? {};
    assert.deepEqual(echo, { message: "No answer for GET /prices: echoed.", fields: ["prices"] });
    assert.deepEqual(calls, [report.requests[0]?.calledFrom]);
  });

  it("an account named beside --sandbox is refused", async () => {
    const { code, err } = await call([shop(""), "Prices", "--account", "alice"]);
    assert.equal(code, 2);
    assert.match(err, /Remove --account/);
  });
});
