// The client of the platform's public API, against a stand-in in another process whose answers have the Packs SDK's declared types.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import type { PackAuthError } from "../../../platform/errors.ts";
import { openPublicApi } from "../../../platform/public-api/client.ts";
import type { PublicApi } from "../../../platform/public-api/public-api.ts";
import { pattern, readTable } from "../../support/json-cases.ts";
import { type ApiFaults, type PublicApiStandIn, STAND_IN, startPublicApi } from "../../support/public-api.ts";

const { packId, docId, token } = STAND_IN;
const DOC = { kind: "doc", packId, docId } as const;

describe("the client of the public API", function () {
  this.timeout(60_000);
  let standIn: PublicApiStandIn | undefined;
  afterEach(async () => {
    await standIn?.close();
    standIn = undefined;
  });

  async function open(
    order: Parameters<typeof startPublicApi>[0] = {},
    more: { timeout?: number; token?: string } = {},
  ): Promise<PublicApi> {
    standIn = await startPublicApi(order);
    return openPublicApi({ origin: "https://coda.io", token, fetch: standIn.fetch, ...more });
  }
  const failure = async (work: () => Promise<unknown>): Promise<PackAuthError> => {
    const error = await work().then(
      () => assert.fail("nothing was thrown"),
      (thrown: PackAuthError) => thrown,
    );
    assert.doesNotMatch(`${error.message} ${error.hint} ${error.stack} ${JSON.stringify(error)}`, new RegExp(token), "the token is masked");
    return error;
  };

  it("the OAuth configuration is read with masked credentials, and set", async () => {
    const api = await open({ oauthConfig: { clientId: "client-abcd", scopes: "a b" } });
    const config = await api.oauthConfig(packId);
    assert.deepEqual([config.maskedClientId, config.maskedClientSecret, config.scopes], ["••••abcd", "", "a b"]);
    const { maskedClientSecret } = await api.setOauthConfig(packId, { clientId: "client-efgh", clientSecret: "secret-1234" });
    assert.equal(maskedClientSecret, "••••1234");
    const { client, requests } = (await standIn?.state()) ?? assert.fail();
    assert.deepEqual(client, { clientId: "client-efgh", clientSecret: "secret-1234" });
    assert.deepEqual(
      requests.map(({ host, method, path, headers }) => [host, method, path, headers.authorization]),
      ["GET", "PUT"].map((method) => ["coda.io", method, `/apis/v1/packs/${packId}/oauthConfig`, `Bearer ${token}`]),
    );
  });

  it("a list of versions whose pages are empty ends, whatever next page they name", async () => {
    let requests = 0;
    const fetch = async (): Promise<Response> => Response.json({ items: [], nextPageToken: `page-${++requests}` });
    for await (const version of openPublicApi({ origin: "https://coda.io", token, fetch }).versions(packId))
      assert.fail(version.packVersion);
    assert.equal(requests, 1);
  });

  it("a version is registered, completed after its file arrived, and listed; the token stays with the API", async () => {
    const api = await open({ versions: [{ packVersion: "1.2.0" }] });
    const { nextVersion, findings } = await api.nextVersion(packId, "{}", "1.17.5");
    assert.deepEqual([nextVersion, findings.length], ["1.3.0", 1]);
    const file = '{"bundle":""}';
    const hash = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(file))).toString("hex");
    const { uploadUrl, headers } = await api.registerVersion(packId, nextVersion, hash);
    const complete = () => api.completeUpload(packId, nextVersion, { notes: "A note", allowOlderSdkVersion: false });
    assert.equal((await failure(complete)).code, "api-failed", "no file arrived yet");
    assert.equal((await standIn?.fetch(uploadUrl, { method: "PUT", headers, body: file }))?.status, 200);
    assert.equal((await complete()).length, 1);
    const versions: string[] = [];
    for await (const { packVersion } of api.versions(packId)) versions.push(packVersion);
    assert.deepEqual(versions, ["1.3.0", "1.2.0"]);
    assert.equal((await api.versionDiffs(packId, "1.2.0", "1.3.0"))[0]?.path, "formulas[0]");
    const { requests = [] } = (await standIn?.state()) ?? {};
    const sentToStorage = requests.filter(({ host }) => host === STAND_IN.uploadHost);
    assert.equal(sentToStorage.length, 1);
    assert.equal(sentToStorage[0]?.headers.authorization, undefined);
  });

  it("logs are filtered by type, text and time, of a doc and of an agent", async () => {
    const api = await open();
    const { entries } = await api.logs(DOC, {
      types: ["auth", "mcp"],
      text: "log-1",
      before: "2026-01-01T00:00:00.000Z",
      after: "2025-01-01",
    });
    assert.deepEqual(
      entries.map(({ type, logId }) => [type, logId]),
      [
        ["auth", "log-10"],
        ["mcp", "log-13"],
        ["auth", "log-15"],
        ["mcp", "log-18"],
      ],
    );
    assert.equal((await api.logs({ kind: "agent", tenantId: "t/1", agentInstanceId: "a" }, {})).entries.length, 20);
    assert.equal((await standIn?.state())?.requests[1]?.path, "/apis/v1/go/tenants/t%2F1/agentInstances/a/logs");
  });

  it("entries of undeclared types and shapes are unknown, with the raw value", async () => {
    const api = await open({ faults: { unknownLogTypes: true, entries: 1 } });
    const { entries } = await api.logs(DOC, {});
    assert.deepEqual(entries.flatMap((entry) => (entry.type === "unknown" ? [[entry.typeName, entry.formulaName]] : [])).sort(), [
      ["", ""],
      ["", ""],
      ["auth", "GetTask"],
      ["fetcher", ""],
      ["quantumLog", "GetTask"],
    ]);
    assert.ok(entries.some((entry) => entry.type === "unknown" && entry.raw.includes('"spin":"up"')));
  });

  it("a long message of an entry is cut, since many entries are in memory", async () => {
    const items = [{ type: "custom", context: {}, level: "info", message: "x".repeat(100_000) }];
    const api = openPublicApi({ origin: "https://coda.io", token, fetch: async () => Response.json({ items }) });
    const [entry] = (await api.logs(DOC, {})).entries;
    assert.deepEqual([entry?.type, entry?.type === "custom" && entry.message.length], ["custom", 2_001]);
  });

  it("a page token that repeats ends the versions", async () => {
    const api = await open({ versions: [{ packVersion: "1.0.0" }], faults: { repeatingPageToken: true } });
    let count = 0;
    for await (const _ of api.versions(packId)) count++;
    assert.equal(count, 2);
  });

  const REFUSED = readTable(
    "public-api/cases/refusals.json",
    z.array(z.tuple([z.string(), z.custom<ApiFaults>(), z.custom<PackAuthError["code"]>(), pattern])),
  );
  for (const [title, faults, code, text] of REFUSED)
    it(`${title} is ${code}, with the next step`, async () => {
      const api = await open({ faults }, faults.slow === true ? { timeout: 2_000 } : {});
      const error = await failure(() => api.oauthConfig(packId));
      assert.deepEqual([error.code, `${error.message} ${error.hint}`.match(text)?.length], [code, 1], `${error.message} ${error.hint}`);
      const { requests = [] } = (await standIn?.state()) ?? {};
      assert.deepEqual(
        requests.map(({ host }) => host),
        ["coda.io"],
      );
    });

  it("a wrong token is refused, and a token with a line break is not sent", async () => {
    const api = await open({}, { token: "another-token-of-somebody" });
    const error = await failure(() => api.oauthConfig(packId));
    assert.equal(error.code, "api-token-refused");
    assert.deepEqual([error.message, error.nextStep], ["coda.io refuses the API token: “Unauthorized.”", { do: "replaceApiToken" }]);
    assert.throws(
      () => openPublicApi({ origin: "https://coda.io", token: "canary\nx: y", fetch: () => assert.fail() }),
      ({ code, message }: PackAuthError) => code === "api-token-refused" && !message.includes("canary"),
    );
  });

  it("a 400 with validation errors rejects the upload, and carries the errors", async () => {
    const validationErrors = Array.from({ length: 8 }, (_, index) => ({ path: `formulas[${index}].name`, message: "Bad name" }));
    const api = await open({ faults: { validationErrors } });
    const hash = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from("x"))).toString("hex");
    const { uploadUrl, headers } = await api.registerVersion(packId, "1.0.0", hash);
    await standIn?.fetch(uploadUrl, { method: "PUT", headers, body: "x" });
    const error = await failure(() => api.completeUpload(packId, "1.0.0", { notes: "", allowOlderSdkVersion: false }));
    assert.equal(error.code, "upload-rejected");
    assert.match(error.message, /^coda\.io rejects pack 123456, version 1\.0\.0: “formulas\[0\]\.name: Bad name\.” .* There are 3 more\.$/);
    assert.deepEqual(error.validationErrors, validationErrors);
  });

  it("no network is api-failed, and names the host", async () => {
    const api = openPublicApi({
      origin: "https://coda.io",
      token,
      fetch: async () => {
        throw new TypeError(`fetch failed for ${token}`, { cause: Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }) });
      },
    });
    const error = await failure(() => api.oauthConfig(packId));
    assert.equal(error.code, "api-failed");
    assert.match(error.message, /coda\.io/);
  });

  it("a signal ends a request with its own reason", async () => {
    const api = await open({ faults: { slow: true } });
    const stop = new AbortController();
    const pending = api.oauthConfig(packId, stop.signal);
    setTimeout(() => stop.abort(new Error("stopped by the test")), 300);
    await assert.rejects(pending, /stopped by the test/);
  });

  it("the command line's fetch reaches the stand-in by its environment, with the certificate check on", async () => {
    standIn = await startPublicApi();
    const child = join(import.meta.dirname, "../../support/fetch-child.ts");
    const url = `https://coda.io/apis/v1/packs/${packId}/oauthConfig`;
    const ask = async (env: NodeJS.ProcessEnv): Promise<string> =>
      (await promisify(execFile)(process.execPath, ["--import", "tsx", child, url], { env })).stdout;
    assert.equal(await ask({ ...standIn.env }), "401");
    assert.match(await ask({ ...standIn.env, NODE_EXTRA_CA_CERTS: "" }), /certificate/);
    assert.equal((await standIn.state()).requests.length, 1);
  });

  it("an ID that would change the path is not sent", async () => {
    const api = openPublicApi({ origin: "https://coda.io", token, fetch: () => assert.fail() });
    for (const id of ["", ".", ".."]) assert.equal((await failure(() => api.logs({ ...DOC, docId: id }, {}))).code, "api-not-found");
  });
});
