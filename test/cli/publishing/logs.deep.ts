// `pack-auth logs` as a script calls it: a real process, and a stand-in of the public API in another.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { callCli, storedIn } from "../../support/call-cli.ts";
import { followProcesses } from "../../support/left-processes.ts";
import { answering, CTRL_C, hasTerminal, onTerminal } from "../../support/on-terminal.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";
import { type ApiFaults, type PublicApiStandIn, startPublicApi } from "../../support/public-api.ts";

type Logs = Parameters<typeof startPublicApi>[0] extends { logs?: infer L } | undefined ? NonNullable<L> : never;

describe("logs on the command line", function () {
  this.timeout(120_000);
  let home: string;
  let pack: string;
  let standIn: PublicApiStandIn | undefined;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "pack-auth-logs-"));
    const source = readFileSync(join(root, "examples/todo-oauth2/pack.ts"), "utf8");
    pack = dirname(packFiles({ "pack.ts": source, ".coda-pack.json": JSON.stringify({ packId: 123456 }) }));
  });
  afterEach(async () => {
    await standIn?.close();
    standIn = undefined;
    rmSync(home, { recursive: true, force: true });
  });
  after(removePackFiles);

  async function call(args: readonly string[], faults: ApiFaults = {}, logs: Logs = []) {
    standIn ??= await startPublicApi({ faults, logs });
    const env = { ...storedIn(home), ...standIn.env, PACK_AUTH_API_TOKEN: standIn.token };
    return callCli(["logs", pack, ...args], { env });
  }
  const doc = ["--doc", "https://coda.io/d/Tasks_ddoc-stand-in"] as const;

  it("entries are printed by connection, failures with their place, and nothing but GET is sent", async () => {
    const { code, out, err } = await call([...doc, "--limit", "6"]);
    assert.equal(code, 0, err);
    assert.match(out, /^Account 0\n {2}2026-01-01T00:00:00\.000Z {2}authentication {2}GetTask {2}\/oauth2\/token · The token endpoint/);
    assert.match(out, /^Account 1\n/m);
    assert.match(out, /^ {6}at \(.*pack\.ts:\d+:\d+\)$/m);
    assert.match(out, /has no source map of it/);
    const requests = (await standIn?.state())?.requests ?? [];
    assert.deepEqual(
      requests.map(({ method, host }) => [method, host]),
      [["GET", "coda.io"]],
    );
  });

  it("JSON has every entry with what failed and where; unknown types are raw", async () => {
    const { code, out } = await call([...doc, "--format", "json"], { unknownLogTypes: true });
    assert.equal(code, 0);
    const report = JSON.parse(out) as {
      version: number;
      hasMore: boolean;
      entries: readonly { type: string; failed: boolean; place: object }[];
    };
    assert.equal(report.version, 1);
    assert.equal(report.hasMore, false);
    assert.equal(report.entries.length, 25);
    assert.equal(report.entries.filter(({ type }) => type === "unknown").length, 5);
    assert.equal(report.entries.find(({ type }) => type === "fetcher")?.failed, true);
    assert.ok(!out.includes(standIn?.token ?? ""));
  });

  it("--explain says why a sign-in failed, and the source then has the evidence", async () => {
    const { code, out, err } = await call([...doc, "--explain", "--type", "auth", "--limit", "1"]);
    assert.equal(code, 0, err);
    assert.match(out, /invalid_grant[\s\S]*\n {6}see pack-auth explain [\w-]+\n/);
    const check = await callCli(["check", "--evidence", pack], { env: storedIn(home) });
    assert.match(check.out, /seen-published-sign-in/, check.err);
  });

  it("filters choose the entries", async () => {
    const { out } = await call([...doc, "--type", "request", "--failures", "--connection", "account 1", "--formula", "gettask"]);
    assert.match(out, /^Account 1\n/);
    assert.ok(out.split("\n").every((line) => !/^ {2}\S/.test(line) || line.includes("  request  ")));
    const none = await call([...doc, "--formula", "Other"]);
    assert.deepEqual([none.code, none.out], [0, ""]);
    assert.match(none.err, /^pack-auth: No entry\./);
  });

  it("control characters, colours and commands of a message stay text", async () => {
    const context = {
      docId: "doc-stand-in",
      packId: "123456",
      packVersion: "1",
      formulaName: "GetTask\u001b[2J",
      userId: "u",
      connectionId: "c",
      connectionName: "ali\nce\u202e",
      requestId: "r",
      requestType: "unknown",
      createdAt: "2026-01-01T00:00:00.000Z",
      logId: "l",
      detailsKey: "d",
    } as const;
    const message = "\u001b]0;title\u0007\n::error::x [link](command:evil)";
    const { out } = await call([...doc], {}, [{ type: "custom", context, message, level: "error" }]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: The test is about them.
    assert.doesNotMatch(out, /[\u0000-\u0009\u000b-\u001f\u202e]/);
    assert.doesNotMatch(out, /^::error/m);
    assert.match(out, /\\u001b\]0;title\\u0007 ::error::x \[link\]\(command:evil\)/);
  });

  for (const [what, faults, sentence] of [
    ["a refusal", { forbidden: true }, /doc-stand-in.*Choose a doc that uses the pack/],
    ["a doc of another workspace", { otherTenant: true }, /doc-stand-in/],
    ["a limit", { limited: "9" }, /Try again in 9 seconds/],
    ["an answer that is not JSON", { notJson: true }, /coda\.io/],
    ["a platform that is down", { unavailable: true }, /503/],
  ] as const)
    it(`${what} is one sentence with the next step, and fails`, async () => {
      const { code, out, err } = await call([...doc], faults);
      assert.deepEqual([code, out], [1, ""], err);
      assert.match(err, sentence);
      assert.ok(!err.includes(standIn?.token ?? ""));
    });

  it("a page token that repeats is reported after the entries", async () => {
    const { code, out, err } = await call([...doc, "--limit", "1000"], { entries: 150, repeatingPageToken: true });
    assert.equal(code, 1);
    assert.equal(out.split("\n").filter((line) => /^ {2}\S/.test(line)).length, 100);
    assert.match(err, /same page of logs again/);
  });

  it("a call without a network fails, and names the host", async () => {
    const { code, err } = await callCli(["logs", pack, ...doc], {
      env: { ...storedIn(home), HTTPS_PROXY: "http://127.0.0.1:9", PACK_AUTH_API_TOKEN: "some-token-of-a-test" },
    });
    assert.equal(code, 1);
    assert.match(err, /coda\.io/);
  });

  it("a pack without an ID, and a doc elsewhere, are said before anything is sent", async () => {
    const elsewhere = await call(["--doc", "https://evil.example/d/Tasks_ddoc-stand-in"]);
    assert.equal(elsewhere.code, 2);
    assert.match(elsewhere.err, /on coda\.io or docs\.superhuman\.com/);
    rmSync(join(pack, ".coda-pack.json"));
    const withoutId = await call([...doc]);
    assert.equal(withoutId.code, 1);
    assert.match(withoutId.err, /has no ID/);
    assert.deepEqual((await standIn?.state())?.requests, []);
  });

  (hasTerminal ? it : it.skip)("Ctrl-C between two pages ends the process, and prints no entry", async () => {
    standIn = await startPublicApi({ faults: { entries: 10_000, slow: 2 } });
    const env = { ...storedIn(home), ...standIn.env, PACK_AUTH_API_TOKEN: standIn.token };
    let processes: ReturnType<typeof followProcesses> | undefined;
    const { code, text } = await onTerminal([process.execPath, join(root, "dist/cli.cjs"), "logs", pack, ...doc, "--limit", "10000"], {
      env,
      onStart: (pid) => {
        processes = followProcesses(pid);
      },
      type: answering([
        /^/,
        async () => {
          while (((await standIn?.state())?.requests.length ?? 0) < 3) await delay(50);
          return CTRL_C;
        },
      ]),
    });
    assert.deepEqual([code, text.replace("^C", "")], [130, ""]);
    assert.deepEqual(await processes?.left(), []);
  });

  it("wrong options are refused", async () => {
    for (const args of [
      [],
      ["--doc", "x", "--agent", "a/b"],
      ["--agent", "a"],
      [...doc, "--type", "all"],
      [...doc, "--since", "soon"],
      [...doc, "--limit", "0"],
    ])
      assert.equal((await call(args)).code, 2, args.join(" "));
  });
});
