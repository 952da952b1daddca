// `pack-auth run --save-test` and `pack-auth test`: recorded in the sandbox, replayed where nothing can be reached.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { XMLParser } from "fast-xml-parser";
import type { SavedTest } from "../../../platform/recordings/saved-test.ts";
import { callCli, callProgram } from "../../support/call-cli.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";

describe("pack-auth test", function () {
  this.timeout(120_000);
  // A run in the sandbox starts one of its own: test/cli/running/run-sandbox.deep.ts shows that. Here they share one.
  const sandbox = sandboxOfSuite();
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-test-verb-"));
  const tests = join(folder, "tests");
  after(() => rmSync(folder, { recursive: true, force: true }));
  after(removePackFiles);

  const call = (...args: readonly string[]) =>
    callCli(args, { cwd: folder, env: { PACK_AUTH_HOME: folder, PACK_AUTH_SANDBOX: sandbox.url } });
  const save = (...args: readonly string[]) => call("run", ...args, "--sandbox");
  /** Runs tests where no socket can be opened. */
  async function test(args: readonly string[] = []) {
    const { connect } = Socket.prototype;
    let count = 0;
    Socket.prototype.connect = () => {
      count++;
      throw new Error("reached out");
    };
    try {
      return await callCli(["test", ...args], { cwd: folder, env: { PACK_AUTH_HOME: folder } });
    } finally {
      Socket.prototype.connect = connect;
      assert.equal(count, 0, "a test reached out");
    }
  }
  const readTest = (name: string): SavedTest => JSON.parse(readFileSync(join(tests, `${name}.packauth.json`), "utf8"));
  const change = (name: string, change: (test: SavedTest) => unknown): void =>
    writeFileSync(join(tests, `${name}.packauth.json`), JSON.stringify(change(readTest(name))));

  before(async () => {
    mkdirSync(join(folder, "node_modules/@codahq"), { recursive: true });
    symlinkSync(join(root, "node_modules/@codahq/packs-sdk"), join(folder, "node_modules/@codahq/packs-sdk"));
    for (const name of ["todo-oauth2", "custom-placeholders", "crm-set-endpoint"])
      cpSync(join(root, "examples", name), join(folder, name), { recursive: true });
    for (const args of [
      ["todo-oauth2", "GetTask", "7"],
      ["todo-oauth2", "GetTask", "404", "--expect-failure"],
      ["todo-oauth2", "Tasks"],
      ["custom-placeholders", "CreateTicket", "`${process.exit(1)}` */ \u2028"],
      ["crm-set-endpoint", "Contact", "Bob"],
    ]) {
      const { err } = await save(...args, "--save-test", "tests");
      assert.match(err, /Saved as tests[\\/]\w+(-2)?\.packauth\.json\. Run it with pack-auth test\./);
    }
  });

  it("a test whose pack is outside the folder is not run", async () => {
    const inner = join(folder, "stranger");
    mkdirSync(inner);
    writeFileSync(join(inner, "package.json"), '{ "name": "stranger" }');
    writeFileSync(join(inner, "a.packauth.json"), JSON.stringify({ ...readTest("GetTask"), pack: "../todo-oauth2/pack.ts" }));
    const { code, out } = await callCli(["test"], { cwd: inner, env: { PACK_AUTH_HOME: folder } });
    assert.equal(code, 2);
    assert.match(out, /its pack \.\.\/todo-oauth2\/pack\.ts is outside of the opened folder/);
    // From a folder that holds both it is the person's choice.
    assert.equal((await test(["stranger"])).code, 0);
    rmSync(inner, { recursive: true });
  });

  it("each call is saved to a file of its own, and a second run of it to none", async () => {
    const names = ["Contact", "CreateTicket", "GetTask-2", "GetTask", "Tasks"].map((name) => `${name}.packauth.json`);
    assert.deepEqual(readdirSync(tests).sort(), names.sort());
    await save("todo-oauth2", "GetTask", "404", "--expect-failure", "--save-test", "tests");
    assert.equal(readdirSync(tests).length, names.length);
    assert.equal(readTest("GetTask-2").outcome.status, "failed");
  });

  it("saved tests pass without the sandbox and with the network closed", async () => {
    const { code, out, err } = await test();
    assert.equal(code, 0, out + err);
    assert.match(out, /^5 passed$/m);
  });

  it("all tests run beside hostile files, and each of those is explained", async () => {
    const hostile = {
      "a-deep": { ...readTest("GetTask"), parameters: "DEEP" },
      "a-function": { ...readTest("GetTask"), target: { kind: "authentication", scope: "user", function: 5 } },
      "a-nameless": { ...readTest("GetTask"), target: { kind: "formula" } },
    };
    const files = Object.entries(hostile).map(([name, content]) => {
      const file = join(tests, `${name}.packauth.json`);
      writeFileSync(file, JSON.stringify(content).replace('"DEEP"', `${"[".repeat(100_000)}${"]".repeat(100_000)}`));
      return file;
    });
    const { code, out, err } = await test();
    for (const file of files) rmSync(file);
    assert.equal(code, 2, out + err);
    assert.equal(err, "");
    assert.match(out, /unreadable tests\/a-deep\.packauth\.json\n {4}The file cannot be replayed: it nests more than 1100 levels deep\./);
    assert.match(
      out,
      /unreadable tests\/a-function\.packauth\.json\n {4}The file cannot be replayed: \/target\/function is not an object\./,
    );
    assert.match(out, /unreadable tests\/a-nameless\.packauth\.json\n {4}The file cannot be replayed: \/target\/name is missing\./);
    assert.match(out, /^5 passed, 3 unreadable$/m);
  });

  it("a changed carrier or result fails, with the next step", async () => {
    const before = readTest("GetTask");
    change("GetTask", (of) => JSON.parse(JSON.stringify(of).replace("Bearer ••••", "token ••••")));
    change("Contact", (of) => ({ ...of, outcome: { status: "succeeded", value: "bob@other.example" } }));
    const { code, out } = await test();
    assert.equal(code, 1);
    assert.match(
      out,
      /failed tests\/GetTask\.packauth\.json \(GetTask, \d+ ms\)\n {4}The credential is sent in another place, at GET https:\/\/api/,
    );
    assert.match(out, /- headers\/authorization: "token ••••"\n.*\+ headers\/authorization: "Bearer ••••"/);
    assert.match(out, /The result is different\.\n {6}- "bob@other\.example"\n {6}\+ "bob@acme\.example"\n/);
    assert.match(out, /recorded again with --update/);
    assert.match(out, /^3 passed, 2 failed$/m);
    const both = ["tests/GetTask.packauth.json", "tests/Contact.packauth.json"];
    const json = JSON.parse((await test(["--format", "json", "tests/GetTask.packauth.json", "tests/Tasks.packauth.json"])).out);
    assert.deepEqual(json.summary, { passed: 1, updated: 0, failed: 1, unreadable: 0 });
    const failedTest = json.tests.find(({ name }: { name: string }) => name === "GetTask");
    assert.deepEqual(failedTest.problems[0].differences, [{ at: "/headers/authorization", recorded: "token ••••", now: "Bearer ••••" }]);
    const junit = await test(["--format", "junit", ...both, "tests/GetTask-2.packauth.json"]);
    const xml = new XMLParser({ ignoreAttributes: false }).parse(junit.out);
    assert.equal(xml.testsuites.testsuite["@_failures"], "2");
    assert.equal(xml.testsuites.testsuite.testcase.length, 3);
    const { code: updated, out: output } = await call("test", "--update", ...both);
    assert.equal(updated, 0, output);
    assert.match(output, /^2 updated$/m);
    assert.deepEqual(readTest("GetTask").requests[0]?.headers, before.requests[0]?.headers);
    assert.equal((await test(both)).code, 0);
  });

  it("simultaneous saves lose nothing: each call has a file of its own", async () => {
    const env = { PACK_AUTH_HOME: folder };
    const calls = ["one", "one two", "one two three", "one"];
    // It needs no account.
    const results = await Promise.all(
      calls.map((text) => callProgram(["run", "todo-oauth2", "CountWords", text, "--save-test", "at-once"], { cwd: folder, env })),
    );
    assert.deepEqual(
      results.map(({ code }) => code),
      [0, 0, 0, 0],
      results.map(({ err }) => err).join("\n"),
    );
    const parameters = readdirSync(join(folder, "at-once")).map(
      (name) => (JSON.parse(readFileSync(join(folder, "at-once", name), "utf8")) as SavedTest).parameters[0],
    );
    assert.deepEqual([...new Set(parameters)].sort(), calls.slice(0, 3));
    rmSync(join(folder, "at-once"), { recursive: true });
  });

  it("volatile names that a person wrote survive a new recording", async () => {
    change("Contact", (of) => ({ ...of, volatile: { query: ["session"] } }));
    await call("test", "--update", "tests/Contact.packauth.json");
    assert.deepEqual(readTest("Contact").volatile, { query: ["session"] });
  });

  it("a damaged file is explained, the others run, and the exit code is 2", async () => {
    writeFileSync(join(tests, "Damaged.packauth.json"), '{"version": 1');
    writeFileSync(join(tests, "Newer.packauth.json"), '{"version": 7}');
    const { code, out } = await test();
    assert.equal(code, 2);
    assert.match(out, /unreadable tests\/Damaged\.packauth\.json\n {4}The file cannot be replayed: it is not valid JSON/);
    assert.match(out, /written by a newer Pack Auth: its version is 7, this one reads 1\. Update Pack Auth\./);
    assert.match(out, /^5 passed, 2 unreadable$/m);
    const { code: exitCode, err } = await save("todo-oauth2", "GetTask", "7", "--save-test", "tests/Damaged.packauth.json");
    assert.equal(exitCode, 1);
    assert.match(err, /Damaged\.packauth\.json is not a saved test, so it was not replaced/);
    for (const name of ["Damaged", "Newer"]) rmSync(join(tests, `${name}.packauth.json`));
  });

  describe("of a run that fails", () => {
    const file = join(folder, "asks/Ask.packauth.json");
    const write = (expression: string, stub: object = { body: { name: "Bob" } }): string => {
      const entry = join(folder, "asks/pack.ts");
      mkdirSync(join(folder, "asks"), { recursive: true });
      writeFileSync(
        entry,
        `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("shop.example");
pack.addFormula({ name: "Ask", description: "Asks.", parameters: [], resultType: coda.ValueType.String,
  execute: async ([], { fetcher }) => { const get = (url: string) => fetcher.fetch({ method: "GET", url }); return ${expression}; } });
const schema = coda.makeObjectSchema({ idProperty: "id", displayProperty: "id", properties: { id: { type: coda.ValueType.String, mutable: true } } });
pack.addSyncTable({ name: "Rows", description: "Rows.", identityName: "Row", schema,
  formula: { name: "SyncRows", description: "Syncs.", parameters: [], execute: async () => ({ result: [] }),
    executeUpdate: async () => ({ result: [new Error("The row is locked.")] }) } });
`,
      );
      writeFileSync(join(folder, "asks/sandbox.json"), JSON.stringify({ answers: [{ request: "GET https://shop.example/a", ...stub }] }));
      return entry;
    };
    const GOOD = '(await get("https://shop.example/a")).body.name';
    const FAILURES = {
      "a 401": [GOOD, { status: 401, body: {} }],
      "a 500": [GOOD, { status: 500, body: {} }],
      "a refused request": ['(await get("https://other.example/a")).body.name'],
      "a TypeError": ['(await get("https://shop.example/a")).body.owner.name'],
      "a UserVisibleError": ['(() => { throw new coda.UserVisibleError("Not now."); })()'],
    } as const;
    const saveAsk = (entry: string, ...more: readonly string[]) => save(entry, "Ask", "--save-test", file, ...more);

    for (const [name, [expression, stub]] of Object.entries(FAILURES))
      it(`--save-test and test --update leave the saved test as it was after ${name}`, async () => {
        assert.equal((await saveAsk(write(GOOD))).code, 0);
        const before = readFileSync(file, "utf8");
        const { code, err } = await saveAsk(write(expression, stub));
        assert.deepEqual([code, readFileSync(file, "utf8")], [1, before], err);
        assert.match(err, /The run was not saved as a test: it failed\. [\s\S]*Add --expect-failure to save the failure itself\./);
        const updated = await call("test", "--update", file);
        assert.deepEqual([updated.code, readFileSync(file, "utf8")], [1, before], updated.out);
      });

    it("--expect-failure saves the failure, and refuses a run that succeeds", async () => {
      const failure = await saveAsk(write(GOOD, { status: 404, body: {} }), "--expect-failure");
      assert.deepEqual([failure.code, JSON.parse(readFileSync(file, "utf8")).outcome.status], [1, "failed"], failure.err);
      assert.match(failure.err, /Saved as asks\/Ask\.packauth\.json\. .*It expects the failure: 404/);
      assert.equal((await test([file])).code, 0);
      const before = readFileSync(file, "utf8");
      const succeeded = await saveAsk(write(GOOD), "--expect-failure");
      assert.deepEqual([succeeded.code, readFileSync(file, "utf8")], [1, before], succeeded.err);
      assert.match(succeeded.err, /The run was not saved as a test: it did not fail\. Remove --expect-failure/);
      const alone = await call("run", "asks", "Ask", "--sandbox", "--expect-failure");
      assert.deepEqual([alone.code, /--expect-failure needs --save-test/.test(alone.err)], [2, true]);
    });

    it("test --update replaces an expected failure by success, and never by another failure", async () => {
      await saveAsk(write(GOOD, { status: 404, body: {} }), "--expect-failure");
      const same = await call("test", "--update", file);
      assert.equal(same.code, 0, same.out);
      const before = readFileSync(file, "utf8");
      write(GOOD, { status: 500, body: {} });
      const other = await call("test", "--update", file);
      assert.deepEqual([other.code, readFileSync(file, "utf8")], [1, before], other.out);
      assert.match(other.out, /The test is unchanged, because the new run failed: 500/);
      write(GOOD);
      const good = await call("test", "--update", file);
      assert.deepEqual([good.code, JSON.parse(readFileSync(file, "utf8")).outcome.status], [0, "succeeded"], good.out);
    });

    it("--save-test does not save an update with a refused row, unless the failure is expected", async () => {
      const updates = ["--updates", '{"previousValue": {"Id": "1"}, "newValue": {"Id": "2"}}'];
      const rows = (...more: readonly string[]) => save(write(GOOD), "Rows:update", ...updates, "--save-test", "asks/tests", ...more);
      const refusal = await rows();
      assert.equal(refusal.code, 1);
      assert.match(refusal.err, /The run was not saved as a test: it failed/);
      assert.match((await rows("--expect-failure")).err, /It expects the failure: The row is locked\./);
    });
  });

  it("a wrong call is explained", async () => {
    for (const [args, message] of [
      [["--format", "xml"], /--format must be pretty, json, junit, github or sarif, not xml/],
      [["--account", "alice"], /Remove --account/],
      [["todo-oauth2/pack.ts"], /A test is a file that ends in \.packauth\.json/],
      [["nowhere"], /no file or folder nowhere/],
    ] as const) {
      const { code, err } = await test(args);
      assert.equal(code, 2);
      assert.match(err, message);
    }
    const odd = await save("todo-oauth2", "GetTask", "7", "--save-test", "task.json");
    assert.deepEqual([odd.code, /a folder or a file that ends in \.packauth\.json, not task\.json/.test(odd.err)], [2, true]);
    assert.match((await call("test", "--help")).out, /Usage: pack-auth test/);
  });

  it("a run without a sandbox answer, or without an account, is not saved", async () => {
    const entry = packFiles({
      "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("shop.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.addFormula({ name: "Ask", description: "Asks.", parameters: [], resultType: coda.ValueType.String,
  execute: async ([], context) => JSON.stringify((await context.fetcher.fetch({ method: "GET", url: "https://shop.example/a" })).body) });
`,
    });
    const echoed = await save(entry, "Ask", "--save-test", "new");
    assert.equal(echoed.code, 1);
    assert.match(
      echoed.err,
      /The run was not saved as a test: the sandbox has no answer for GET https:\/\/shop\.example\/a\. Add one to sandbox\.json/,
    );
    const without = await call("run", entry, "Ask", "--save-test", "new");
    assert.match(without.err, /it failed before the pack could do its work/);
    assert.ok(!readdirSync(folder).includes("new"));
  });

  it("a table whose rows share an ID is not saved", async () => {
    const entry = packFiles({
      "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addSyncTable({ name: "Rows", description: "Rows.", identityName: "Row",
  schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.Number } }, idProperty: "id", displayProperty: "id" }),
  formula: { name: "SyncRows", description: "Rows.", parameters: [], execute: async () => ({ result: [{ id: 1 }, { id: 1 }] }) } });
`,
    });
    const { code, err } = await save(entry, "Rows", "--save-test", "same");
    assert.equal(code, 1);
    assert.match(err, /The run was not saved as a test: a row has no ID of its own\. Give each row a value in the schema's idProperty/);
    assert.ok(!readdirSync(folder).includes("same"));
  });
});
