// `pack-auth test --live` against a server that changes: the exit codes, the reports, and what is sent and shown.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { XMLParser } from "fast-xml-parser";
import { liveSarif } from "../../../cli/test/live.ts";
import { callCli } from "../../support/call-cli.ts";
import { fakeOp } from "../../support/fake-op.ts";
import { openFaultyServer } from "../../support/faulty-server.ts";
import { type Answer, answering, hasTerminal, onTerminal } from "../../support/on-terminal.ts";
import { root } from "../../support/packs.ts";
import { sarifProblems, standardProblems, standardSchema } from "../../support/sarif.ts";

const SECRET = "canary-of-the-credential-1f9c";
const ANSWER = "canary-of-the-answer";
const ITEM = { id: 1, name: "Milk", due: "today" };

const BOMB = gzipSync(Buffer.alloc(100 * 1024 * 1024, `${ANSWER} `));

interface Result {
  readonly locations: readonly { readonly physicalLocation: { readonly artifactLocation: { readonly index: number } } }[];
}

type Responder = (request: IncomingMessage, response: ServerResponse) => void;

const json = (response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const items =
  (item: unknown): Responder =>
  (_, response) =>
    json(response, { items: [item] });

describe("pack-auth test --live", function () {
  this.timeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-test-live-"));
  const methods: string[] = [];
  let respond: Responder = items(ITEM);
  const server = createServer((request, response) => {
    methods.push(request.method ?? "");
    request.resume().on("end", () => respond(request, response));
  });
  const file = "tests/Read.packauth.json";
  const outputs: string[] = [];
  let recorded: readonly string[] = [];
  const readTests = () => readdirSync(join(folder, "tests")).map((name) => readFileSync(join(folder, "tests", name), "utf8"));

  const env = { PACK_AUTH_HOME: join(folder, "home"), PACK_AUTH_TOKEN: SECRET, PACK_AUTH_DOMAINS: "127.0.0.1 localhost" };
  async function call(args: readonly string[], more: NodeJS.ProcessEnv = {}) {
    methods.length = 0;
    const ran = await callCli(args, { cwd: folder, env: { ...env, ...more } });
    outputs.push(ran.out, ran.err);
    return ran;
  }
  const live = (args: readonly string[] = [file], more: NodeJS.ProcessEnv = {}) => call(["test", "--live", ...args], more);
  const writePack = (readMethod = "GET"): void => {
    const { port } = server.address() as AddressInfo;
    writeFileSync(
      join(folder, "pack.ts"),
      `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("127.0.0.1");
pack.addNetworkDomain("localhost");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
const formula = (name: string, method: "GET" | "POST", more = {}) => pack.addFormula({ name, description: name, parameters: [],
  resultType: coda.ValueType.String, ...more, execute: async ([], context) => {
    await context.fetcher.fetch({ method: "GET", url: "http://127.0.0.1:${port}/items" });
    return JSON.stringify((await context.fetcher.fetch({ method, url: "http://127.0.0.1:${port}/items" })).body);
  } });
formula("Read", "${readMethod}" as "GET");
formula("Write", "POST", { isAction: true });
`,
    );
  };
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    mkdirSync(join(folder, "node_modules/@codahq"), { recursive: true });
    symlinkSync(join(root, "node_modules/@codahq/packs-sdk"), join(folder, "node_modules/@codahq/packs-sdk"));
    writeFileSync(join(folder, "package.json"), "{}");
    writePack();
    for (const name of ["Read", "Write"]) {
      const { code, err } = await call(["run", "pack.ts", name, "--allow-loopback", "--save-test", "tests", "--yes"]);
      assert.equal(code, 0, err);
    }
    recorded = readTests();
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    respond = items(ITEM);
  });

  const cases = {
    "answers as before": [0, items({ id: 2, name: ANSWER, due: ANSWER, added: ANSWER }), /^$/],
    "loses a field": [1, items({ id: 2, name: ANSWER }), /items\/\*\/due \(string\) is gone\./],
    "renames a field": [1, items({ id: 2, title: ANSWER, due: ANSWER }), /items\/\*\/name \(string\) is probably renamed to title\./],
    "changes a type": [1, items({ ...ITEM, id: ANSWER }), /items\/\*\/id was number, and is string\./],
    "moves to another declared host": [
      1,
      ({ headers, url }, response) =>
        headers.host?.startsWith("localhost") === true
          ? json(response, { items: [ITEM] })
          : json(response, {}, 302, { location: `http://localhost:${headers.host?.split(":")[1]}${url}?${ANSWER}` }),
      /it redirects to localhost:\d+\./,
    ],
    "asks for another scheme": [
      1,
      (_, response) => json(response, { error: ANSWER }, 401, { "www-authenticate": `DPoP error="${ANSWER}"` }),
      /it answered 401 and asks for dpop\. The credential is sent as Bearer\./,
    ],
    "answers with HTML": [
      1,
      (_, response) => void response.setHeader("content-type", "text/html").end(`<html>${ANSWER}`),
      /it answers with HTML, and answered with JSON when it was recorded\./,
    ],
    "has removed the address": [
      1,
      (_, response) => json(response, { error: ANSWER }, 410),
      /it answered 410, and 200 when it was recorded\./,
    ],
    "refuses the credential": [
      3,
      (_, response) => json(response, { error: ANSWER }, 401, { "www-authenticate": "Bearer" }),
      /it refused the credential with 401\. Sign in again/,
    ],
    "limits requests": [
      3,
      (_, response) => json(response, { error: ANSWER }, 429),
      /it answered 429, because too many requests were sent\./,
    ],
    fails: [3, (_, response) => json(response, { error: ANSWER }, 500), /it answered 500\. Try again later\./],
    "hangs up": [3, (_, response) => void response.destroy(), /no complete answer came\. 127\.0\.0\.1:\d+ closed the connection\. Check/],
    "sends a small body that unpacks to a large one": [
      3,
      (_, response) => void response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(BOMB),
      /no complete answer came\. The response is larger than 25 MB/,
    ],
    "sends without an end": [
      3,
      (_, response) => {
        const part = Buffer.alloc(1024 * 1024, ANSWER);
        const write = (): void => {
          while (!response.destroyed && response.write(part));
        };
        response.on("drain", write);
        write();
      },
      /no complete answer came\. The response is larger than 25 MB/,
    ],
    "answers with 204": [3, (_, response) => void response.writeHead(204).end(), /it answered 204 with nothing/],
    "answers with half of its JSON": [
      1,
      (_, response) => void response.setHeader("content-type", "application/json").end(`{"items":["${ANSWER}`),
      /it answers with invalid JSON, and answered with JSON when it was recorded\./,
    ],
    "redirects without an end": [
      1,
      ({ url }, response) => json(response, {}, 302, { location: `${url}?${ANSWER}` }),
      /it redirects too often, or to an address that is refused\./,
    ],
    "has nothing any more": [3, (_, response) => json(response, { items: [] }), /Most recorded fields have no counterpart/],
  } satisfies Record<string, [code: number, respond: Responder, text: RegExp]>;
  for (const [what, [exitCode, responder, text]] of Object.entries(cases))
    it(`a server that ${what} gives the exit code ${exitCode}, and SARIF that is valid`, async () => {
      respond = responder;
      const { code, out, err } = await live([file, "--format", "sarif"]);
      assert.equal(code, exitCode, out + err);
      const log = JSON.parse(out);
      assert.deepEqual(sarifProblems(log), []);
      if (standardSchema !== undefined) assert.deepEqual(standardProblems(log, standardSchema), []);
      const [{ results, invocations }] = log.runs;
      assert.equal(results.length > 0, exitCode === 1);
      assert.equal(invocations[0].executionSuccessful, exitCode !== 3);
      const messages = [...results, ...invocations[0].toolExecutionNotifications].map(({ message }) => message.text).join("\n");
      assert.match(messages, text);
      assert.ok(methods.every((method) => method === "GET"));
    });

  it("a change stands at the line of its recorded request, with a rule", async () => {
    respond = items({ id: 1, name: "a" });
    const [result] = JSON.parse((await live([file, "--format", "sarif"])).out).runs[0].results;
    assert.equal(result.ruleId, "api-field-lost");
    const { artifactLocation, region } = result.locations[0].physicalLocation;
    assert.equal(artifactLocation.uri, file);
    assert.match(readFileSync(join(folder, file), "utf8").split("\n")[region.startLine - 1] ?? "", /"url": "http/);
  });

  it("the SARIF of a thousand changed tests is valid, and each result has its own file", () => {
    const results = Array.from({ length: 1_000 }, (_, index) => ({
      path: `tests/Read-${index}.packauth.json`,
      name: "Read",
      status: "changed" as const,
      duration: 1,
      problems: [
        { message: "GET https://api.example/items: due (string) is gone.", differences: [], rule: "api-field-lost" as const, line: 3 },
      ],
    }));
    const log = JSON.parse(liveSarif(results, folder, folder));
    assert.deepEqual(sarifProblems(log), []);
    if (standardSchema !== undefined) assert.deepEqual(standardProblems(log, standardSchema), []);
    const indexes = log.runs[0].results.map((result: Result) => result.locations[0]?.physicalLocation.artifactLocation.index);
    assert.deepEqual(indexes, [...results.keys()]);
  });

  it("other formats say the same", async () => {
    respond = items({ id: 1, name: "a" });
    const { summary, tests } = JSON.parse((await live(["--format", "json"])).out);
    assert.deepEqual(summary, { unchanged: 0, changed: 1, notTried: 1, inconclusive: 0, unreadable: 0 });
    assert.equal(tests.find(({ name }: { name: string }) => name === "Read").problems[0].rule, "api-field-lost");
    const { testsuite } = new XMLParser({ ignoreAttributes: false }).parse((await live(["--format", "junit"])).out).testsuites;
    assert.deepEqual([testsuite["@_failures"], testsuite["@_skipped"]], ["1", "1"]);
    assert.match((await live(["--format", "github"])).out, /^::error file=tests\/Read\.packauth\.json,title=pack-auth test::GET http/m);
    respond = (_, response) => json(response, {}, 429);
    assert.match((await live(["--format", "github"])).out, /^::warning file=tests\/Read\.packauth\.json/m);
  });

  it("a test that needs POST is not tried and counted apart, and --actions sends it", async () => {
    const write = "tests/Write.packauth.json";
    const { code, out } = await live([write]);
    assert.deepEqual([code, methods], [0, []]);
    assert.match(out, /^not tried tests\/Write\.packauth\.json/m);
    assert.match(out, /It sends POST, which may change data\. Add --actions if it may be sent\./);
    assert.match(out, /^1 not tried\nNothing was tried, so nothing is known of the API\.$/m);
    assert.match((await live([write, "--format", "sarif"])).err, /Nothing was tried/);
    assert.match((await live(["tests"])).out, /^1 unchanged, 1 not tried$/m);
    const { code: sentCode, out: sentOut } = await live([write, "--actions"]);
    assert.deepEqual([sentCode, [...methods]], [0, ["GET", "POST"]], sentOut);
    respond = items({ id: 1 });
    assert.equal((await live([write, "--actions"])).code, 1);
  });

  it("a pack that sends POST although the test has GET only is stopped before it is sent", async () => {
    writePack("POST");
    try {
      const { code, out } = await live();
      assert.deepEqual([code, methods], [0, ["GET"]], out);
      assert.match(out, /The pack sends POST to 127\.0\.0\.1:\d+, which may change data\./);
      assert.match(out, /Nothing was tried/);
    } finally {
      writePack();
    }
  });

  it("a test without an account is not tried, and one with an unusable account is inconclusive", async () => {
    const none = await live([file], { PACK_AUTH_TOKEN: "" });
    assert.equal(none.code, 0);
    assert.match(none.out, /There is no account\. Connect one with pack-auth connect, or set PACK_AUTH_TOKEN in the environment/);
    const unnamed = await live([file], { PACK_AUTH_DOMAINS: "other.example" });
    assert.deepEqual([unnamed.code, methods], [3, []]);
    assert.match(unnamed.out, /which PACK_AUTH_DOMAINS does not name; nothing was sent/);
    assert.equal((await live([file, "--account", "Nobody"])).code, 3);
  });

  describe("with an account of packauth.accounts.json", () => {
    const accountFile = join(folder, "packauth.accounts.json");
    const write = (token: string): void =>
      writeFileSync(accountFile, JSON.stringify({ version: 1, accounts: [{ label: "alice", secrets: { token } }] }));
    const none = { PACK_AUTH_TOKEN: "" };
    const alice = { ...none, PACK_AUTH_ALICE_TOKEN: `${SECRET}-of-alice` };
    const named = [file, "--account", "alice"];
    const carried: (string | undefined)[] = [];
    beforeEach(() => {
      write("env:PACK_AUTH_ALICE_TOKEN");
      respond = (request, response) => {
        carried.push(request.headers.authorization);
        json(response, { items: [ITEM] });
      };
      carried.length = 0;
    });
    after(() => rmSync(accountFile, { force: true }));

    it("a test is not tried if none is chosen, and the report names the account", async () => {
      const { code, out } = await live([file], alice);
      assert.deepEqual([code, methods], [0, []], out);
      assert.match(
        out,
        /^not tried .*\n.*Or choose an account of packauth\.accounts\.json with --account: alice\.\n1 not tried\nNothing was tried/m,
      );
    });

    it("a test is not tried beside a broken file, and the report says why the file has no account", async () => {
      writeFileSync(accountFile, "{");
      const { code, out } = await live([file], none);
      assert.deepEqual([code, methods], [0, []], out);
      assert.match(out, /There is no account\. .* packauth\.accounts\.json cannot be used: it is not JSON\./);
    });

    it("a test is sent with the chosen account, and with no other of the environment", async () => {
      const { code, out } = await live(named, { ...alice, PACK_AUTH_TOKEN: `${SECRET}-of-nobody` });
      assert.deepEqual([code, new Set(carried)], [0, new Set([`Bearer ${SECRET}-of-alice`])], out);
      assert.match(out, /^1 unchanged$/m);
    });

    for (const [what, more, text] of [
      ["variable is unset", none, /PACK_AUTH_ALICE_TOKEN is not set\. Set PACK_AUTH_ALICE_TOKEN in the environment\./],
      [
        "hosts are not all in PACK_AUTH_DOMAINS",
        { ...alice, PACK_AUTH_DOMAINS: "other.example" },
        /go to 127\.0\.0\.1 and localhost, which PACK_AUTH_DOMAINS/,
      ],
      [
        "hosts are there without PACK_AUTH_DOMAINS",
        { ...alice, PACK_AUTH_DOMAINS: "" },
        /which PACK_AUTH_DOMAINS does not name; nothing was sent/,
      ],
    ] as const)
      it(`a test is inconclusive if the account's ${what}`, async () => {
        const { code, out } = await live(["tests", "--account", "alice"], more);
        assert.deepEqual([code, methods], [3, []], out);
        assert.match(out, text);
        assert.match(out, /^1 not tried, 1 inconclusive$/m);
        const { code: sarifCode, out: log } = await live([...named, "--format", "sarif"], more);
        const [{ results, invocations }] = JSON.parse(log).runs;
        assert.deepEqual([sarifCode, results, invocations[0].executionSuccessful], [3, [], false]);
      });

    it("1Password is called once for all tests of a pack", async () => {
      const op = fakeOp(`process.stdout.write("${SECRET}-of-op");`);
      cpSync(join(folder, file), join(folder, "tests/Second.packauth.json"));
      try {
        write("op://vault/shop/token");
        const { code, out } = await live(["tests", "--account", "alice"], { ...none, PACK_AUTH_OP: op.path });
        assert.deepEqual([code, op.calls().length, new Set(carried)], [0, 1, new Set([`Bearer ${SECRET}-of-op`])], out);
        assert.match(out, /^2 unchanged, 1 not tried$/m);
      } finally {
        rmSync(join(folder, "tests/Second.packauth.json"));
        op.remove();
      }
    });

    (hasTerminal ? it : it.skip)("a person on a terminal is asked once for all tests, and a no is inconclusive", async () => {
      const command = [process.execPath, join(root, "dist/cli.cjs"), "test", "--live", "tests", "--account", "alice"];
      const answer = async (...answers: readonly Answer[]) => {
        const { code, text } = await onTerminal(command, {
          cwd: folder,
          env: { ...env, ...alice },
          columns: 200,
          type: answering(...answers),
        });
        outputs.push(text);
        return { code, text, questions: text.split("Accept this?").length - 1 };
      };
      cpSync(join(folder, file), join(folder, "tests/Second.packauth.json"));
      try {
        const no = await answer([/y\/N >/, "n\r"], [/y\/N >/, "y\r"]);
        assert.deepEqual([no.code, no.questions, carried], [3, 1, []], no.text);
        assert.match(no.text, /The secrets of the account alice were not read: nobody accepted that\./);
        assert.match(no.text, /1 not tried, 2 inconclusive/);
        const yes = await answer([/y\/N >/, "y\r"]);
        assert.deepEqual([yes.code, yes.questions, new Set(carried)], [0, 1, new Set([`Bearer ${SECRET}-of-alice`])], yes.text);
        assert.match(yes.text, /2 unchanged, 1 not tried/);
      } finally {
        rmSync(join(folder, "tests/Second.packauth.json"));
      }
    });
  });

  it("a formula that was renamed is inconclusive, and nothing is sent", async () => {
    const pack = readFileSync(join(folder, "pack.ts"), "utf8");
    writeFileSync(join(folder, "pack.ts"), pack.replace('formula("Read"', 'formula("ReadAll"'));
    try {
      const { code, out } = await live();
      assert.deepEqual([code, methods], [3, []], out);
      assert.match(out, /The pack has no formula Read\. Record the test again if that is right\. To see why, use pack-auth run\./);
    } finally {
      writePack();
    }
  });

  for (const [fault, text] of [
    ["bad TLS", /The certificate of 127\.0\.0\.1:\d+ is not trusted/],
    ["nobody", /127\.0\.0\.1:\d+ refuses connections\. Check the URL/],
  ] as const)
    it(`a server with the fault "${fault}" is inconclusive`, async () => {
      const faulty = await openFaultyServer(fault);
      const { port } = server.address() as AddressInfo;
      const [pack, test] = ["pack.ts", file].map((name) => readFileSync(join(folder, name), "utf8"));
      const there = (source = ""): string => source.replaceAll(`http://127.0.0.1:${port}`, faulty.origin);
      try {
        writeFileSync(join(folder, "pack.ts"), there(pack));
        writeFileSync(join(folder, file), there(test));
        const { code, out } = await live();
        assert.equal(code, 3, out);
        assert.match(out, text);
      } finally {
        faulty.close();
        writePack();
        writeFileSync(join(folder, file), test ?? "");
      }
    });

  for (const [fault, repeated] of [
    ["nobody", 1],
    ["429", 0],
    ["5xx", 0],
  ] as const)
    it(`the second test of a server with the fault "${fault}" is ${repeated === 0 ? "tried" : "inconclusive at once"}`, async () => {
      const faulty = await openFaultyServer(fault);
      const { port } = server.address() as AddressInfo;
      const second = join(folder, "tests/Second.packauth.json");
      const [pack = "", test = ""] = ["pack.ts", file].map((name) => readFileSync(join(folder, name), "utf8"));
      const there = (source: string): string => source.replaceAll(`http://127.0.0.1:${port}`, faulty.origin);
      try {
        writeFileSync(join(folder, "pack.ts"), there(pack));
        for (const path of [join(folder, file), second]) writeFileSync(path, there(test));
        const { code, out } = await live([file, "tests/Second.packauth.json", "--format", "json"]);
        assert.deepEqual([code, JSON.parse(out).summary.inconclusive], [3, 2], out);
        assert.equal(out.split("did not answer before in this run").length - 1, repeated, out);
      } finally {
        faulty.close();
        rmSync(second, { force: true });
        writePack();
        writeFileSync(join(folder, file), test);
      }
    });

  it("Ctrl-C while a server does not answer ends it with 130, and without a report", async () => {
    const request = new Promise<void>((resolve) => {
      respond = () => resolve();
    });
    const args = [join(root, "dist/cli.cjs"), "test", "--live", file, "--format", "sarif"];
    const child = spawn(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH, ...env } });
    let out = "";
    child.stdout.on("data", (data: Buffer) => {
      out += data;
    });
    await request;
    child.kill("SIGINT");
    assert.deepEqual([...(await once(child, "close")), out], [130, null, ""]);
  });

  it("two calls at once do not disturb each other", async () => {
    const calls = await Promise.all([live(), live()]);
    assert.deepEqual(
      calls.map(({ code, err }) => [code, err]),
      [
        [0, ""],
        [0, ""],
      ],
    );
  });

  it("a change wins over an obstacle, and an unreadable file over both", async () => {
    let count = 0;
    respond = (_, response) => (count++ < 1 ? json(response, { items: [{ id: 1 }] }) : json(response, {}, 429));
    cpSync(join(folder, file), join(folder, "tests/Second.packauth.json"));
    const { code, out } = await live(["tests"]);
    assert.match(out, /1 changed, 1 not tried, 1 inconclusive/);
    assert.equal(code, 1);
    writeFileSync(join(folder, "tests/Damaged.packauth.json"), "{");
    assert.equal((await live(["tests"])).code, 2);
    for (const name of ["Second", "Damaged"]) rmSync(join(folder, `tests/${name}.packauth.json`));
  });

  for (const [args, text] of [
    [["--live", "--update"], /Remove --live or --update/],
    [["--actions"], /Remove --actions, or add --live/],
    [["--format", "sarif"], /Add --live, or choose another format/],
  ] as const)
    it(`${args.join(" ")} is refused`, async () => {
      const { code, err } = await call(["test", ...args]);
      assert.equal(code, 2);
      assert.match(err, text);
    });

  it("no value of an answer or of the credential was written or shown", () => {
    for (const text of outputs) assert.doesNotMatch(text, /canary-of/);
    assert.deepEqual(readTests(), recorded);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && !entry.parentPath.includes("node_modules"),
    );
    for (const { parentPath, name } of files) assert.doesNotMatch(readFileSync(join(parentPath, name), "utf8"), /canary-of/);
  });
});
