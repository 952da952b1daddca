// Tests that are recorded from runs: what is written, that no secret is in it, and what a replay finds.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunAccount } from "../../../platform/accounts/run-account.ts";
import { differences } from "../../../platform/recordings/differences.ts";
import { differenceLines, problemText } from "../../../platform/recordings/problem-text.ts";
import { findSecrets } from "../../../platform/recordings/proof.ts";
import { testOf } from "../../../platform/recordings/record-test.ts";
import { type Problem, replay } from "../../../platform/recordings/replay.ts";
import { readTest, type SavedTest, testFileName, testText } from "../../../platform/recordings/saved-test.ts";
import { fileIn, readTestFile, writeTestFile } from "../../../platform/recordings/test-file.ts";
import type { RunTarget } from "../../../protocol/run.ts";
import { pack } from "../../support/open-packs.ts";
import { packFiles } from "../../support/pack-file.ts";
import type { RunOptions } from "../../support/run.ts";
import { recordRun } from "../../support/run.ts";
import { formula, RUN_PACK, runsOfSuite } from "../../support/run-pack.ts";
import { schemaAgrees } from "../../support/schema-agreement.ts";

const CANARY = 'canary/+"7f3a&Zq secret';

const account: RunAccount = { scope: "user", credential: { kind: "token", token: CANARY } };

const SOURCE = `${RUN_PACK}
pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Key", tokenPrefix: "Key" });
const Optional = { connectionRequirement: coda.ConnectionRequirement.Optional };
formula("Read", async (args: any, context: any) => JSON.stringify(await get(context, "https://good.com/items?page=1")), Optional);
formula("Write", async (args: any, context: any) =>
  (await context.fetcher.fetch({ method: "POST", url: "https://good.com/items", body: JSON.stringify({ title: "Milk", at: Date.now() + Math.random() }) })).body, Optional);
formula("Nonce", async (args: any, context: any) => {
  const url = "https://good.com/items?nonce=" + Math.random();
  await context.fetcher.fetch({ method: "POST", url, headers: { "X-Request": String(Math.random()) }, form: { stamp: String(Math.random()), kept: "1" } });
  return "done " + Math.random();
}, Optional);
formula("Upload", async (args: any, context: any) => {
  const boundary = "b" + Math.random();
  const body = Buffer.from("--" + boundary + "\\r\\ncontent-disposition: form-data; name=file\\r\\n\\r\\n\\u00e9\\r\\n--" + boundary + "--", "latin1");
  await context.fetcher.fetch({ method: "POST", url: "https://good.com/files", headers: { "Content-Type": "multipart/form-data; boundary=" + boundary }, body });
  return "sent";
}, Optional);
formula("Many", async (args: any, context: any) =>
  (await context.fetcher.fetch({ method: "POST", url: "https://good.com/items", body: JSON.stringify(Array.from({ length: 60 }, Math.random)) })).body.path, Optional);
formula("Path", async (args: any, context: any) => get(context, "https://good.com/items/" + Math.random()), Optional);
formula("Two", async (args: any, context: any) => (await Promise.all([get(context, "https://good.com/b"), get(context, "https://good.com/a")])).join(" "), Optional);
formula("Moved", async (args: any, context: any) => get(context, "https://good.com/moved"), Optional);
formula("Bytes", async (args: any, context: any) => (await get(context, "https://good.com/bytes", { isBinaryResponse: true })).length + "", Optional);
formula("Fails", async (args: any, context: any) => get(context, "https://good.com/403"), Optional);
formula("Large", async (args: any, context: any) => (await get(context, "https://good.com/large")).length + "", Optional);
formula("Signed", async (args: any, context: any) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64").replaceAll(/[+/=]/g, "");
  const token = [part({ alg: "HS256" }), part({ at: Math.random() }), "c2lnbmF0dXJlLW9mLWl0"].join(".");
  return get(context, "https://good.com/items", { headers: { Authorization: "Bearer " + token } });
}, Optional);
formula("Backwards", async (args: any, context: any) => get(context, "https://good.com/backwards"), Optional);
`;

const kinds = (problems: readonly Problem[]): readonly string[] => problems.map(({ kind }) => kind);

describe("Differences of two values", () => {
  it("paths follow RFC 6901, and ignored ones are left out with their children", () => {
    const [recorded, now] = [
      { "a/b": 1, "~": [1], a: { b: 1, c: 1 } },
      { "a/b": 2, "~": [2], a: { b: 2 } },
    ];
    const places = (ignored?: readonly string[]) => [...differences(recorded, now, new Set(ignored))].map(({ at }) => at);
    assert.deepEqual(places(), ["/a~1b", "/~0/0", "/a/b", "/a/c"]);
    assert.deepEqual(places(["/a", "/~0/0"]), ["/a~1b"]);
  });

  it("a different outcome is described by which run failed", () => {
    const [succeededOutcome, failedOutcome] = [
      { status: "succeeded" as const, value: 1 },
      { status: "failed" as const, error: { code: "e", message: "no" } },
    ];
    const outcomeText = (recorded: typeof succeededOutcome | typeof failedOutcome, now: typeof succeededOutcome | typeof failedOutcome) =>
      problemText({ kind: "outcome", recorded, now });
    assert.equal(
      outcomeText(failedOutcome, { ...failedOutcome, error: { code: "e", message: "never" } }).message,
      "It failed with a different error.",
    );
    assert.equal(outcomeText(succeededOutcome, failedOutcome).message, "It failed.");
    assert.deepEqual(outcomeText(failedOutcome, succeededOutcome), {
      message: "It did not fail.",
      differences: [{ at: "", recorded: failedOutcome.error, now: 1 }],
    });
    assert.deepEqual(differenceLines({ at: "/a", recorded: "x".repeat(400), now: undefined }), [`- a: "${"x".repeat(299)}…`]);
  });
});

describe("Recordings", function () {
  this.timeout(60_000);
  const suite = runsOfSuite(SOURCE);
  const { wire } = suite;
  beforeEach(() => {
    wire.respond = ({ path, headers }, response) => {
      response.setHeader("content-type", "application/json").setHeader("x-echo", encodeURIComponent(String(headers["x-key"])));
      if (path === "/moved") response.writeHead(302, { location: "/items" }).end();
      else if (path === "/403") response.writeHead(403).end('{"error":"no"}');
      else if (path === "/bytes") response.end(Buffer.from([1, 2, 255]));
      else if (path === "/large") response.setHeader("content-type", "text/plain").end("x".repeat(6_000_000));
      else if (path === "/backwards") response.end(JSON.stringify({ is: [...CANARY].reverse().join("") }));
      else response.end(JSON.stringify({ path, key: headers["x-key"] ?? null }));
    };
  });
  const record = async (name: string, more: Partial<RunOptions> = {}): Promise<SavedTest> => {
    const recorded = await recordRun(suite.openedPack, formula(name), [], { fetch: wire.fetch, lookup: wire.lookup, account, ...more });
    return testOf(recorded, "pack.ts");
  };
  const changedPack = async (from: string, to: string): Promise<Awaited<ReturnType<typeof pack>>> =>
    pack(packFiles({ "pack.ts": SOURCE.replace(from, to) }));

  it("a recording has all requests in order, masked, with the credential's carrier", async () => {
    const test = await record("Two");
    assert.deepEqual(test.account, { scope: "user", type: "CustomHeaderToken" });
    assert.deepEqual(
      test.requests.map(({ url }) => url),
      ["https://good.com/b", "https://good.com/a"],
    );
    const [first] = test.requests;
    assert.deepEqual(first?.headers, { "x-key": "Key ••••" });
    assert.deepEqual(first.credentials, ["X-Key"]);
    assert.deepEqual("json" in first.response && first.response.json, { path: "/b", key: "Key ••••" });
    assert.deepEqual(findSecrets(test, [CANARY]), []);
    assert.deepEqual(readTest(testText(test)), test);
  });

  it("a written recording matches its schema, and the schema decides what is read", async () => {
    const files: object[] = [];
    for (const name of ["Nonce", "Moved", "Bytes", "Fails"]) files.push(JSON.parse(testText(await record(name))));
    const targets: Readonly<Record<RunTarget["kind"], Omit<RunTarget, "kind">>> = {
      formula: { name: "F" },
      syncTable: { name: "T", dynamicUrl: "u", continuation: {} },
      validateParameters: { name: "T" },
      update: { name: "T", updates: [{ previousValue: {}, newValue: {}, updatedFields: ["a"] }] },
      table: { name: "T", function: "getName", search: "s" },
      propertyOptions: { table: "T", property: "p", search: "s", values: {} },
      authentication: { scope: "user", function: { name: "getOptions", step: "s" } },
      autocomplete: { formula: "F", ofSyncTable: true, parameter: "p", search: "s", values: {} },
    };
    for (const [kind, target] of Object.entries(targets)) files.push({ ...files[0], target: { kind, ...target } });
    schemaAgrees("packauth-test.schema.json", files, readTest);
  });

  for (const name of ["Read", "Write", "Nonce", "Many", "Upload", "Two", "Moved", "Bytes", "Fails"])
    it(`${name} replays equal without a connection`, async () => {
      const test = await record(name);
      const before = wire.requests.length;
      const { problems, report } = await replay(suite.openedPack, readTest(testText(test)));
      assert.deepEqual(problems, []);
      assert.equal(report.requests.length, test.requests.length);
      assert.equal(wire.requests.length, before);
    });

  it("a credential made by the pack keeps its scheme and loses its value", async () => {
    const test = await record("Signed");
    assert.equal(test.requests[0]?.headers.authorization, "Bearer ••••");
    assert.deepEqual([test.volatile, (await replay(suite.openedPack, test)).problems], [{}, []]);
    const { problems } = await replay(await changedPack('"Bearer " + token', '"JWT " + token'), test);
    assert.deepEqual(kinds(problems), ["request"]);
  });

  it("volatile parts are named without a second request, and the rest is compared", async () => {
    const before = wire.requests.length;
    assert.deepEqual((await record("Write")).volatile, { body: ["/at"] });
    assert.equal(wire.requests.length, before + 1);
    const nonce = await record("Nonce");
    assert.deepEqual(nonce.volatile, { query: ["nonce", "stamp"], headers: ["x-request"], result: [""] });
    assert.deepEqual((await record("Upload")).volatile, { headers: ["content-type"], body: ["/base64"] });
    const other = await changedPack('kept: "1"', 'kept: "2"');
    const { problems } = await replay(other, nonce);
    assert.deepEqual(kinds(problems), ["request"]);
    assert.deepEqual(problems[0]?.kind === "request" && problems[0].differences, [{ at: "/body/form/kept/0", recorded: "1", now: "2" }]);
  });

  it("a changed prefix or header is reported as a changed carrier", async () => {
    const test = await record("Read");
    for (const [from, to] of [
      ['tokenPrefix: "Key"', 'tokenPrefix: "Token"'],
      ['headerName: "X-Key"', 'headerName: "X-Other"'],
    ] as const) {
      const { problems } = await replay(await changedPack(from, to), test);
      assert.ok(problems[0]?.kind === "request" && problems[0].carrierChanged, to);
    }
    const { problems } = await replay(await changedPack("items?page=1", "items?page=2"), test);
    assert.ok(problems[0]?.kind === "request" && !problems[0].carrierChanged);
    assert.deepEqual(problems[0].differences, [{ at: "/query/page/0", recorded: "1", now: "2" }]);
  });

  it("a changed type, result or outcome and extra or missing requests are reported", async () => {
    const test = await record("Read");
    const first = test.requests[0];
    assert.ok(first);
    const problemKinds = async (from: string, to: string, own: SavedTest = test): Promise<readonly string[]> =>
      kinds((await replay(await changedPack(from, to), own)).problems);
    assert.deepEqual((await problemKinds("CustomHeaderToken, headerName", "HeaderBearerToken, headerName"))[0], "account");
    assert.deepEqual(await problemKinds("JSON.stringify(await get", "JSON.stringify(1 + await get"), ["result"]);
    assert.deepEqual(
      await problemKinds(
        '"https://good.com/items?page=1")), Optional',
        '"https://good.com/items?page=1").then(() => { throw new Error("no"); })), Optional',
      ),
      ["outcome"],
    );
    assert.deepEqual(kinds((await replay(suite.openedPack, { ...test, requests: [first, { ...first }] })).problems), ["missing"]);
    assert.deepEqual(kinds((await replay(suite.openedPack, { ...test, requests: [] })).problems), ["request"]);
  });

  it("a request repeated with a renewed credential is recorded once", async () => {
    const refresh = async () => ({ credential: { kind: "oauth2", accessToken: "renewed-token" }, isNew: true }) as const;
    const oauth = SOURCE.replace(
      'type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Key", tokenPrefix: "Key"',
      'type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://good.com/a", tokenUrl: "https://good.com/t", tokenPrefix: "Key"',
    );
    wire.respond = ({ headers }, response) => {
      response.setHeader("content-type", "application/json");
      if (headers.authorization === "Key renewed-token") response.end('{"ok":true}');
      else response.writeHead(401).end("{}");
    };
    const loadedPack = await pack(packFiles({ "pack.ts": oauth }));
    const recorded = await recordRun(loadedPack, formula("Read"), [], {
      fetch: wire.fetch,
      lookup: wire.lookup,
      account: { scope: "user", credential: { kind: "oauth2", accessToken: "former-token" }, refresh },
    });
    const test = await testOf(recorded, "pack.ts");
    assert.deepEqual(
      test.requests.map(({ response }) => response.status),
      [200],
    );
    assert.deepEqual((await replay(loadedPack, test)).problems, []);
    assert.doesNotMatch(testText(test), /renewed-token|former-token/);
  });

  for (const [name, more, message] of [
    ["Path", {}, /the address of https:\/\/good\.com\/items\/[\d.]+ changes each time/],
    ["Large", {}, /larger than 5 MB/],
    ["Backwards", {}, /\/requests\/0\/response\/json\/is contains a credential of the account/],
    ["Read", { account: { ...account, credential: { kind: "token", token: "abc" } } }, /the token is too short to be found in a recording/],
    ["Read", { fetch: () => Promise.reject(new Error("reset")) }, /GET https:\/\/good\.com\/items\?page=1 got no answer/],
  ] as const)
    it(`a recording of ${name} is refused: ${message.source}`, async () => {
      await assert.rejects(record(name, more), (error: Error & { code?: string }) => {
        assert.equal(error.code, "recording-refused");
        assert.match(error.message, message);
        return true;
      });
    });

  const html = (text: string): string => [...text].map((each) => `&#${each.codePointAt(0)};`).join("");
  for (const [what, form] of Object.entries({
    "as it is": CANARY,
    "in an address": encodeURIComponent(CANARY),
    "in an address twice": encodeURIComponent(encodeURIComponent(CANARY)),
    "in JSON in JSON": JSON.stringify(JSON.stringify(CANARY)),
    "in HTML": html(CANARY),
    "in hexadecimal digits": Buffer.from(CANARY).toString("hex").toUpperCase(),
    "in base64, behind a name": Buffer.from(`me:${CANARY}`).toString("base64"),
    "in base64url": Buffer.from(`{"a":"${CANARY}"}`).toString("base64url"),
    "in base64 of an address": Buffer.from(encodeURIComponent(CANARY)).toString("base64"),
    "in base64 of UTF-16": Buffer.from(CANARY, "utf16le").toString("base64"),
    "in JavaScript's escapes": [...CANARY].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    "in base64 of JSON": Buffer.from(JSON.stringify({ a: CANARY })).toString("base64"),
    backwards: [...CANARY].reverse().join(""),
  }))
    it(`a secret ${what} is found in a value and in a name`, () => {
      assert.deepEqual(
        findSecrets({ a: { b: [`x ${form} y`] } }, [CANARY]).map(({ at }) => at),
        ["/a/b/0"],
      );
      assert.equal(findSecrets({ [form]: 1 }, [CANARY]).length, 1);
    });

  it("common secret formats are found, and words are not", () => {
    const secretKinds = (value: unknown): readonly string[] => findSecrets(value, []).map(({ what }) => what);
    for (const token of [
      `xapp-1-A${"B1".repeat(6)}-1234567890123-${"0a".repeat(20)}`,
      `shpat_${"0a".repeat(16)}`,
      `gldt-${"a1B2".repeat(6)}`,
      `glrt-${"a1B2".repeat(6)}`,
      `ya29.${"a1B2".repeat(10)}`,
      `GOCSPX-${"a1B2".repeat(7)}`,
    ])
      assert.equal(secretKinds({ note: `use ${token}` }).length, 1, token.slice(0, 6));
    assert.deepEqual(secretKinds({ note: `use ghp_${"a1".repeat(18)}` }), ["a text that looks like a secret (GitHub token)"]);
    assert.deepEqual(secretKinds(["-----BEGIN RSA PRIVATE KEY-----"]), ["a private key"]);
    assert.deepEqual(secretKinds({ jwt: `eyJ${"a".repeat(12)}.eyJ${"b".repeat(12)}.${"c".repeat(12)}` }), [
      "a text that looks like a secret (JSON Web Token)",
    ]);
    assert.deepEqual(secretKinds({ access_token: "0123456789" }), ["a value that is called access_token"]);
    for (const name of ["x-auth-token", "X-Subject-Token"])
      assert.deepEqual(secretKinds({ [name]: "0123456789" }), [`a value that is called ${name}`]);
    assert.deepEqual(secretKinds({ url: "https://me:secret@good.com/" }), ["a credential in an address"]);
    assert.deepEqual(
      secretKinds({ access_token: "••••", token: "next", password: null, note: "Bearer ••••", url: "https://good.com/a:b@c" }),
      [],
    );
  });

  it("file names are valid on every system and unique for each call", async () => {
    const name = (of: string): string => testFileName({ target: formula(of) });
    assert.equal(name("GetTask"), "GetTask.packauth.json");
    assert.equal(name("../../etc/passwd"), "etc-passwd.packauth.json");
    assert.equal(name("CON"), "test-CON.packauth.json");
    assert.equal(name("\u202e\0"), "test-.packauth.json");
    const folder = mkdtempSync(join(tmpdir(), "pack-auth-recordings-"));
    try {
      const test = await record("Read");
      await writeTestFile(join(folder, "Read.packauth.json"), test);
      assert.equal(fileIn(folder, test), join(folder, "Read.packauth.json"));
      assert.equal(fileIn(folder, { ...test, parameters: ["other"] }), join(folder, "Read-2.packauth.json"));
      mkdirSync(join(folder, "taken"));
      await assert.rejects(writeTestFile(join(folder, "taken"), test), /was not written: .*The file is unchanged/);
      writeFileSync(join(folder, "Read.packauth.json"), "{");
      assert.throws(() => fileIn(folder, test), /Read\.packauth\.json is not a saved test, so it was not replaced/);
      assert.equal(readFileSync(join(folder, "Read.packauth.json"), "utf8"), "{");
      assert.throws(() => readTestFile(folder), /cannot be read/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("a damaged file is reported with its path, a newer one with what to do", async () => {
    const test = await record("Read");
    const readError = (own: unknown): string => {
      try {
        readTest(JSON.stringify(own));
      } catch (error) {
        return (error as Error).message;
      }
      return "taken";
    };
    assert.match(readError([]), /it is not a saved test/);
    assert.match(readError({ ...test, version: 2 }), /written by a newer Pack Auth: its version is 2/);
    assert.match(readError({ ...test, version: "1" }), /its version is "1"/);
    assert.match(readError({ ...test, requests: undefined }), /\/requests is missing/);
    assert.match(readError({ ...test, requests: [{ ...test.requests[0], url: 7 }] }), /\/requests\/0\/url is not a string/);
    assert.match(
      readError({ ...test, requests: [{ ...test.requests[0], response: { status: 99, headers: {} } }] }),
      /response\/status is not a status/,
    );
    assert.match(readError({ ...test, outcome: { status: "fine" } }), /\/outcome\/status is not one of succeeded, failed/);
    assert.match(readError({ ...test, volatil: {} }), /\/volatil is not a field of a saved test/);
    assert.match(readError({ ...test, target: { kind: "mcpTool" } }), /\/target\/kind is not one of/);
  });

  const TARGETS: readonly (readonly [target: unknown, problem: RegExp])[] = [
    ["Read", /\/target is not an object/],
    [{}, /\/target\/kind is missing/],
    [{ kind: ["formula"], name: "Read" }, /\/target\/kind is not one of/],
    [{ kind: "formula" }, /\/target\/name is missing/],
    [{ kind: "formula", name: { toString: 1 } }, /\/target\/name is not a string/],
    [{ kind: "formula", name: "Read", more: 1 }, /\/target\/more is not a field/],
    [{ kind: "authentication", scope: "user", function: 5 }, /\/target\/function is not an object/],
    [{ kind: "authentication", scope: "user", function: { name: "getOptions" } }, /\/target\/function\/step is missing/],
    [{ kind: "autocomplete", formula: 7, parameter: "a", search: "" }, /\/target\/formula is not a string/],
    [{ kind: "propertyOptions", table: "T", property: "p", search: "", values: [] }, /\/target\/values is not an object/],
    [{ kind: "table", name: "T", function: "constructor" }, /\/target\/function is not one of/],
    [{ kind: "update", name: "T", updates: [{ previousValue: {}, newValue: {}, updatedFields: "a" }] }, /updatedFields is not a list/],
  ];
  for (const [target, problem] of TARGETS)
    it(`a saved test with the target ${JSON.stringify(target)} is refused as invalid`, async () => {
      const test = await record("Read");
      assert.throws(() => readTest(JSON.stringify({ ...test, target })), { code: "test-invalid", message: problem });
    });

  it("a saved test that nests 100,000 levels deep is refused as invalid", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const text = testText(await record("Read")).replace('"parameters": []', `"parameters": ${deep}`);
    assert.ok(text.includes(deep));
    assert.throws(() => readTest(text), { code: "test-invalid", message: /nests more than 1100 levels deep/ });
  });
});
