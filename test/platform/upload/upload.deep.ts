import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPublicApi } from "../../../platform/public-api/client.ts";
import type { PublicApi } from "../../../platform/public-api/public-api.ts";
import { storedSourceMap, storeSourceMap } from "../../../platform/upload/source-maps.ts";
import { notesOf, type UploadOptions, type UploadPlan, upload } from "../../../platform/upload/upload.ts";
import { type PublicApiStandIn, STAND_IN, startPublicApi } from "../../support/public-api.ts";

const BUILD = {
  toolkitVersion: "1.17.5",
  bundle: "module.exports={pack:{}};",
  sourceMap: JSON.stringify({
    version: 3,
    sources: ["../pack.ts"],
    sourcesContent: ["export const pack = {};\n"],
    names: [],
    mappings: "AAAA",
  }),
};
const origin = "https://coda.io";
type Order = Parameters<typeof startPublicApi>[0];

describe("an upload", function () {
  this.timeout(60_000);
  let api: PublicApiStandIn | undefined;
  let storage: string;
  let plans: UploadPlan[];
  const stop = { current: new AbortController() };
  beforeEach(() => {
    storage = mkdtempSync(join(tmpdir(), "upload-storage-"));
    plans = [];
    stop.current = new AbortController();
  });
  afterEach(async () => {
    await api?.close();
    api = undefined;
    rmSync(storage, { recursive: true });
  });

  const start = async (order: Order, more: Partial<UploadOptions> = {}, change: (open: PublicApi) => PublicApi = (open) => open) => {
    const standIn = await startPublicApi(order);
    api = standIn;
    return upload({
      published: { packId: STAND_IN.packId, origin },
      build: async () => BUILD,
      validate: async () => ({ isChecked: true, toolkitVersion: "1.17.5", metadata: '{"formulas":[]}', errors: [], warnings: [] }),
      openApi: async () => change(openPublicApi({ origin, token: standIn.token, fetch: standIn.fetch })),
      confirm: async (plan) => {
        plans.push(plan);
        return { notes: "Notes.", allowOlderSdkVersion: false };
      },
      host: { fetch: standIn.fetch, storageFolder: storage, progress: () => {} },
      signal: stop.current.signal,
      ...more,
    });
  };
  const puts = async () => (await api?.state())?.requests.filter(({ host }) => host === STAND_IN.uploadHost) ?? [];
  const completions = async () => (await api?.state())?.requests.filter(({ path }) => path.endsWith("/uploadComplete")) ?? [];

  it("a version that the platform chooses is sent as the SDK sends it, is confirmed, and its source map is stored", async () => {
    const result = await start({ versions: [{ packVersion: "1.0.0", sdkVersion: "1.17.2" }] });
    assert.deepEqual(result, {
      isUploaded: true,
      version: "1.1.0",
      findings: [{ finding: "Added formula GetTask.", path: "formulas[0]" }],
      deprecationWarnings: [{ path: "formulas[0].schema", message: "This property is deprecated." }],
      link: "https://coda.io/p/123456",
    });
    const state = await api?.state();
    const { file = "", bundleHash } = state?.uploads["1.1.0"] ?? {};
    assert.deepEqual(JSON.parse(file), {
      metadata: { formulas: [], version: "1.1.0" },
      sdkVersion: "1.17.5",
      bundle: BUILD.bundle,
      sourceMap: BUILD.sourceMap,
    });
    assert.equal(bundleHash, createHash("sha256").update(file).digest("hex"));
    assert.equal(state?.versions[0]?.buildNotes, "Notes.");
    assert.deepEqual(plans[0], {
      packId: 123456,
      origin,
      version: "1.1.0",
      findings: [{ finding: "Added formula GetTask.", path: "formulas[0]" }],
    });
    assert.deepEqual(storedSourceMap(storage, { origin, packId: 123456, version: "1.1.0" })?.sources, ["../pack.ts"]);
  });

  it("the token reaches the API only: neither the upload host nor a file has it", async () => {
    await start({});
    const [put] = await puts();
    assert.equal(JSON.stringify(put).includes(STAND_IN.token), false);
    assert.equal(put?.headers.authorization, undefined);
    const files = readdirSync(storage, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    assert.equal(files.length, 1);
    for (const { parentPath, name } of files) assert.equal(readFileSync(join(parentPath, name), "utf8").includes(STAND_IN.token), false);
  });

  for (const [lostPut, code] of [
    ["500", "upload-rejected"],
    ["cut", "network-error"],
  ] as const)
    it(`a file that the upload host answers with "${lostPut}" ends the upload, and the version is not completed`, async () => {
      await assert.rejects(start({ faults: { lostPut } }), { code, message: /Version 0\.1\.0 is registered/ });
      assert.deepEqual(await completions(), []);
    });

  it("a file that is lost silently is not called uploaded", async () => {
    await assert.rejects(start({ faults: { lostPut: "silently" } }), {
      message: /No file was uploaded .*The file of version 0\.1\.0 was sent/,
    });
  });

  it("a version that is completed but not listed is not called uploaded", async () => {
    await assert.rejects(start({ faults: { lostVersion: true } }), {
      code: "upload-unconfirmed",
      message: /does not list it.*did not confirm/,
    });
    assert.equal(storedSourceMap(storage, { origin, packId: 123456, version: "0.1.0" }), undefined);
  });

  it("the validation errors of the platform are reported, with what was sent", async () => {
    await assert.rejects(start({ faults: { validationErrors: [{ path: "formulas[0].name", message: "Too long" }] } }), {
      code: "upload-rejected",
      message: /“formulas\[0\]\.name: Too long\.” The file of version 0\.1\.0 was sent, but the version is not complete\./,
      validationErrors: [{ path: "formulas[0].name", message: "Too long" }],
    });
  });

  it("a pack that the SDK's validator rejects is not sent", async () => {
    const errors = [{ message: "Bad name", path: "name", at: ["name"] }];
    const validate: UploadOptions["validate"] = async () => ({
      isChecked: true,
      toolkitVersion: "1",
      metadata: "{}",
      errors,
      warnings: [],
    });
    await assert.rejects(start({}, { validate }), { code: "upload-rejected", message: /name: Bad name\./, hint: /Nothing was sent/ });
    const unchecked: UploadOptions["validate"] = async () => ({ isChecked: false, reason: "It has no validator." });
    await api?.close();
    await assert.rejects(start({}, { validate: unchecked }), { code: "toolkit-build-failed", message: /It has no validator/ });
    assert.deepEqual((await api?.state())?.requests, []);
  });

  for (const [fault, code] of [
    [{ forbidden: true }, "api-forbidden"],
    [{ limited: "7" }, "api-limited"],
    [{ otherTenant: true }, "api-not-found"],
  ] as const)
    it(`an API that answers ${Object.keys(fault)[0]} ends the upload before anything is sent`, async () => {
      await assert.rejects(start({ faults: fault }), { code });
      assert.deepEqual(await puts(), []);
    });

  for (const uploadUrl of [
    "http://upload.storage.example/f",
    "https://10.0.0.1/f",
    "https://127.0.0.1/f",
    "https://user@upload.storage.example/f",
    "file:///etc/passwd",
  ])
    it(`the file is not sent to ${uploadUrl}`, async () => {
      const change = (open: PublicApi): PublicApi => ({ ...open, registerVersion: async () => ({ uploadUrl, headers: {} }) });
      await assert.rejects(start({}, {}, change), { code: "upload-rejected", message: /not https at a public host/ });
      assert.deepEqual([await puts(), await completions()], [[], []]);
    });

  for (const [name, value] of [
    ["Host", "elsewhere.example"],
    ["transfer-encoding", "chunked"],
    ["cookie", "a=b"],
    ["x-note", "a\r\nauthorization: b"],
    ["x note", "a"],
  ] as const)
    it(`a header ${JSON.stringify(`${name}: ${value}`)} that the API names is refused before the file is sent`, async () => {
      const change = (open: PublicApi): PublicApi => ({
        ...open,
        registerVersion: async () => ({ uploadUrl: `https://${STAND_IN.uploadHost}/f`, headers: { [name]: value } }),
      });
      await assert.rejects(start({}, {}, change), { code: "upload-rejected", message: /names a header for the file/ });
      assert.deepEqual([await puts(), await completions()], [[], []]);
    });

  it("a version that the platform chooses although it exists is not sent", async () => {
    const change = (open: PublicApi): PublicApi => ({ ...open, nextVersion: async () => ({ nextVersion: "1.0.0", findings: [] }) });
    await assert.rejects(start({ versions: [{ packVersion: "1.0.0" }] }, {}, change), {
      code: "upload-rejected",
      message: /exists already/,
      hint: /The platform chose it/,
    });
    assert.deepEqual([plans, await puts()], [[], []]);
  });

  it("a version that is no text of Unicode is refused by the platform, and not by an exception", async () => {
    const change = (open: PublicApi): PublicApi => ({ ...open, nextVersion: async () => ({ nextVersion: "1\ud800", findings: [] }) });
    await assert.rejects(start({}, {}, change), { name: "PackAuthError", message: /No version was sent|may be registered/ });
  });

  it("a source map that is too large to be read again is not called stored", async () => {
    const sourceMap = JSON.stringify({ version: 3, sources: [], sourcesContent: [], names: [], mappings: ";".repeat(65 * 1024 * 1024) });
    await assert.rejects(storeSourceMap(storage, { origin, packId: 1, version: "1" }, sourceMap), /larger than 64 MB/);
    assert.deepEqual(readdirSync(storage), []);
  });

  it("notes from the platform have a largest length, one line each, and no control characters", () => {
    const findings = Array.from({ length: 10_000 }, () => ({ finding: "a\nb\u001b[31m\u202e", path: "" }));
    const notes = notesOf(findings);
    assert.equal(notes.split("\n")[0], "a b\\u001b[31m\\u202e");
    assert.ok(notes.length <= 10_001);
  });

  it("an upload host that resolves to a private address gets nothing", async () => {
    const standIn = await startPublicApi();
    await standIn.close();
    const work = start(
      {},
      { host: { fetch: async () => assert.fail("sent"), lookUp: async () => ["10.1.2.3"], storageFolder: storage, progress: () => {} } },
    );
    await assert.rejects(work, { code: "request-refused", message: /private network/ });
  });

  it("a redirect of the upload host is not followed", async () => {
    const hosts: string[] = [];
    const fetch: UploadOptions["host"]["fetch"] = async (url, init) => {
      hosts.push(`${new URL(url).host} ${init.redirect}`);
      return new Response(null, { status: 307, headers: { location: "https://elsewhere.example/" } });
    };
    await assert.rejects(start({}, { host: { fetch, storageFolder: storage, progress: () => {} } }), {
      code: "upload-rejected",
      message: /redirect, which was not followed/,
    });
    assert.deepEqual(hosts, [`${STAND_IN.uploadHost} manual`]);
    assert.deepEqual(await completions(), []);
  });

  it("a version that exists already is not sent again", async () => {
    const validate: UploadOptions["validate"] = async () => ({
      isChecked: true,
      toolkitVersion: "1",
      metadata: '{"version":"1.0.0"}',
      errors: [],
      warnings: [],
    });
    await assert.rejects(start({ versions: [{ packVersion: "1.0.0" }] }, { validate }), {
      code: "upload-rejected",
      message: /exists already/,
    });
    assert.deepEqual(await puts(), []);
  });

  it("an older SDK is shown before the upload, and explains a refusal", async () => {
    const faults = { validationErrors: [{ path: "", message: "Older SDK" }] };
    await assert.rejects(start({ versions: [{ packVersion: "1.0.0", sdkVersion: "1.18.0" }], faults }), {
      nextStep: { do: "allowOlderToolkit" },
    });
    assert.equal(plans[0]?.newerToolkit, "1.18.0");
  });

  it("a second upload of the pack is refused while the first is in progress, and succeeds afterwards", async () => {
    const second = async () => {
      const standIn = api;
      assert.ok(standIn);
      return upload({
        published: { packId: STAND_IN.packId, origin },
        build: async () => BUILD,
        validate: async () => ({ isChecked: true, toolkitVersion: "1.17.5", metadata: "{}", errors: [], warnings: [] }),
        openApi: async () => openPublicApi({ origin, token: standIn.token, fetch: standIn.fetch }),
        confirm: async () => ({ notes: "", allowOlderSdkVersion: false }),
        host: { fetch: standIn.fetch, storageFolder: storage, progress: () => {} },
        signal: stop.current.signal,
      });
    };
    const confirm: UploadOptions["confirm"] = async () => {
      await assert.rejects(second(), { code: "upload-rejected", message: /Another upload of pack 123456 .* Nothing was sent\.$/ });
      return { notes: "", allowOlderSdkVersion: false };
    };
    assert.equal((await start({}, { confirm })).isUploaded, true);
    assert.deepEqual(
      (await api?.state())?.versions.map(({ packVersion }) => packVersion),
      ["0.1.0"],
    );
    assert.equal((await second()).isUploaded, true);
    assert.deepEqual(
      (await api?.state())?.versions.map(({ packVersion }) => packVersion),
      ["0.2.0", "0.1.0"],
    );
  });

  it("a cancel says what was sent", async () => {
    assert.deepEqual(await start({}, { confirm: async () => undefined }), { isUploaded: false, sent: "No version was sent." });
    await api?.close();
    const cancelDuring =
      (name: "registerVersion" | "completeUpload") =>
      (open: PublicApi): PublicApi => ({
        ...open,
        [name]: async (...args: never[]) => {
          const answer = await (open[name] as (...all: never[]) => Promise<unknown>)(...args);
          stop.current.abort();
          return answer;
        },
      });
    assert.deepEqual(await start({}, {}, cancelDuring("registerVersion")), {
      isUploaded: false,
      sent: "Version 0.1.0 is registered, but its file was not sent.",
    });
    assert.deepEqual(await puts(), []);
    await api?.close();
    stop.current = new AbortController();
    const last = await start({}, {}, cancelDuring("completeUpload"));
    assert.deepEqual(last, { isUploaded: false, sent: "Version 0.1.0 was sent and completed, but the platform did not confirm it." });
  });
});
