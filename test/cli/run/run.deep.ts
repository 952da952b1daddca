// `pack-auth run` as a shell or a pipeline calls it: credentials in its environment, a server on this machine.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { RunReport } from "../../../protocol/run.ts";
import { callCli, callProgram } from "../../support/call-cli.ts";
import { pattern, readTable } from "../../support/json-cases.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";

const TOKEN = "canary-token-8d1f";
const home = mkdtempSync(join(tmpdir(), "pack-auth-run-home-"));
const OWN = { PACK_AUTH_HOME: home, PACK_AUTH_DOMAINS: "127.0.0.1" };

const call = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => callCli(["run", ...args], { env: { ...OWN, ...env } });

const source = (origin: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("127.0.0.1");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: async (context) => (await context.fetcher.fetch({ method: "GET", url: "${origin}/me" })).body.sent });
const { None, Required } = coda.ConnectionRequirement;
const parameter = (name: string, type: any, more = {}) => coda.makeParameter({ type, name, description: name, ...more } as any);
pack.addFormula({ name: "Join", description: "j", resultType: coda.ValueType.String, connectionRequirement: None,
  parameters: [parameter("words", coda.ParameterType.StringArray), parameter("day", coda.ParameterType.Date), parameter("mark", coda.ParameterType.String, { optional: true, autocomplete: async (_: any, search: string, values: any) => ["!", "?", values.day].filter((each) => each?.includes(search)) })],
  execute: async ([words, day, mark]: any, context: any) => words.join("+") + " " + day.toISOString() + (mark ?? "") + " " + context.timezone } as any);
pack.addFormula({ name: "Me", description: "m", resultType: coda.ValueType.String, connectionRequirement: Required, parameters: [],
  execute: async (_: any, context: any) => { console.log("asking"); return (await context.fetcher.fetch({ method: "GET", url: "${origin}/me" })).body.sent; } });
pack.addFormula({ name: "Fails", description: "f", resultType: coda.ValueType.String, connectionRequirement: None, parameters: [], execute: async () => { throw new coda.UserVisibleError("no such thing"); } });
pack.addFormula({ name: "Titles", description: "t", resultType: coda.ValueType.String, connectionRequirement: None, parameters: [],
  execute: async () => { console.log("log \\u001b]0;owned\\u0007\\nsecond line"); throw new coda.UserVisibleError("thrown \\u001b[2J\\u009b1m\\r"); } });
pack.addFormula({ name: "Forever", description: "f", resultType: coda.ValueType.String, connectionRequirement: None, parameters: [], execute: async () => { console.log("begun"); for (;;); } });
pack.addSyncTable({ name: "Rows", identityName: "Row", description: "r", connectionRequirement: None,
  schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.Number } }, idProperty: "id", displayProperty: "id" }),
  formula: { name: "SyncRows", description: "r", parameters: [], execute: async (_: any, context: any) => {
    const page = context.sync.continuation?.page ?? 0;
    return { result: [{ id: page * 2 }, { id: page * 2 + 1 }], continuation: { page: page + 1 } };
  } } });
pack.addSyncTable({ name: "Shirts", identityName: "Shirt", description: "s", connectionRequirement: None,
  schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.Number }, name: { type: coda.ValueType.String, fromKey: "title", mutable: true },
    color: { type: coda.ValueType.String, codaType: coda.ValueHintType.SelectList, mutable: true, options: async (context: any) => [context.search + " for " + context.propertyValues.id + " in " + context.sync.parameters.shop] } } as any, idProperty: "id", displayProperty: "name" }),
  formula: { name: "SyncShirts", description: "s", parameters: [parameter("shop", coda.ParameterType.String, { optional: true })],
    validateParameters: async (_: any, __: string, { shop }: any) => (shop === "shut" ? { isValid: false, message: "It is shut." } : { isValid: true }),
    execute: async (_: any, context: any) => ({ result: [{ id: context.sync.previousCompletion?.incrementalContinuation.next ?? 1, title: "a" }], completion: { incrementalContinuation: { next: 2 } } }),
    executeUpdate: async ([shop]: any, updates: any[]) => ({ result: updates.map(({ newValue }) => newValue.title === "bad" ? new Error("bad in " + shop) : newValue) }) } } as any);
pack.addDynamicSyncTable({ name: "Boards", identityName: "Board", description: "b", connectionRequirement: None, listDynamicUrls: async () => [], getName: async (context: any) => context.sync.dynamicUrl.length, getDisplayUrl: async () => "",
  getSchema: async () => coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String } }, idProperty: "id", displayProperty: "id" }), formula: { name: "SyncBoards", description: "b", parameters: [], execute: async () => ({ result: [] }) } } as any);
`;

/** `@pack` stands for the path of the pack. */
const wrongWords = z.strictObject({ args: z.array(z.string()), message: pattern });

describe("pack-auth run", function () {
  this.timeout(60_000);
  let server: Server;
  let pack: string;
  before(async () => {
    server = createServer((request, response) =>
      response.setHeader("content-type", "application/json").end(JSON.stringify({ sent: request.headers.authorization ?? null })),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    pack = packFiles({ "pack.ts": source(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) });
  });
  after(() => {
    rmSync(home, { recursive: true, force: true });
    server.close();
    removePackFiles();
  });

  it("parameters are words or JSON, and the result is printed alone", async () => {
    const fromWords = await call([dirname(pack), "Join", "a, b", "2026-12-01", "--timezone", "Asia/Tokyo", "--time-limit", "9999999"]);
    assert.deepEqual([fromWords.code, fromWords.out], [0, "a+b 2026-11-30T15:00:00.000Z Asia/Tokyo\n"], fromWords.err);
    const json = await call([pack, "Join", "--timezone", "UTC", "--params", '{"words":["a,b"],"day":"2026-12-01","mark":"!"}']);
    assert.deepEqual([json.code, json.out], [0, "a,b 2026-12-01T00:00:00.000Z! UTC\n"], json.err);
    assert.deepEqual(JSON.parse((await call([pack, "Join:autocomplete:mark", "?"])).out), ["?"]);
    const beside = await call([pack, "Join:autocomplete:mark", "2026", "--params", '{"day":"2026-12-01"}', "--timezone", "Asia/Tokyo"]);
    assert.deepEqual(JSON.parse(beside.out), ["2026-11-30T15:00:00.000Z"], beside.err);
  });

  it("a refused request is explained once, with the option that allows it", async () => {
    for (const execute of ["(await asked).body", "await asked.then(() => '', () => 'caught')"]) {
      const local = packFiles({
        "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("localhost");
pack.addFormula({ name: "Get", description: "g", resultType: coda.ValueType.String, parameters: [],
  execute: async (_: any, context: any) => { const asked = context.fetcher.fetch({ method: "GET", url: "http://localhost:9/" }); return ${execute}; } });
`,
      });
      const { err } = await call([local, "Get"]);
      assert.equal(err.match(/is not secure/g)?.length, 1, err);
      assert.match(err, /For a server on this machine, use --allow-loopback\./);
      assert.doesNotMatch(err, /packAuth\./);
      assert.match(err, /^after upload: The platform refuses it too\./m);
    }
  });

  it("a difference that decides what becomes of the pack has its verdict, and the verdicts are counted", async () => {
    const unnamed = packFiles({
      "pack.ts": `import * as coda from "@codahq/packs-sdk";
const built = coda.newPack();
built.addFormula({ name: "Get", description: "g", resultType: coda.ValueType.String, parameters: [], execute: async () => "x" });
export default built;
`,
    });
    const { code, err } = await call([unnamed, "Get"]);
    assert.equal(code, 0, err);
    assert.match(err, /^after upload \(the upload rejects it\): Write export const pack/m);
    assert.match(err, /^after upload: The upload rejects 1$/m);
  });

  it("a result is unchanged in a file or pipe, and no command in a workflow's log", async () => {
    const evil = "::error::made up ##vso[task.setvariable variable=x]y\u001b[2J";
    const params = JSON.stringify({ words: [evil], day: "2026-12-01" });
    const runArguments = [pack, "Join", "--timezone", "UTC", "--params", params];
    const plain = `${evil} 2026-12-01T00:00:00.000Z UTC\n`;
    assert.equal((await call(runArguments)).out, plain);
    for (const runner of ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"]) {
      const env = { [runner]: "true" };
      const printedText = plain.replace("::error", ": :error").replace("##vso", "## vso").replace("\u001b", "\\u001b");
      assert.equal((await call(runArguments, env)).out, printedText);
      const json = (await call([...runArguments, "--json"], env)).out;
      assert.doesNotMatch(json, /^\s*::|##vso\[/m);
      assert.equal((JSON.parse(json) as { outcome: { value: string } }).outcome.value, plain.trimEnd());
    }
    const file = join(home, "result.txt");
    const fileDescriptor = openSync(file, "w");
    spawnSync(process.execPath, [join(root, "dist/cli.cjs"), "run", ...runArguments], {
      env: { PATH: process.env.PATH, PACK_AUTH_HOME: home, GITHUB_ACTIONS: "true" },
      stdio: ["ignore", fileDescriptor, "ignore"],
    });
    closeSync(fileDescriptor);
    assert.equal(readFileSync(file, "utf8"), plain);
  });

  it("the account comes from the environment, by label too, and is never shown", async () => {
    const missing = await call([pack, "Me"]);
    assert.equal(missing.code, 1);
    assert.match(missing.err, /pack-auth connect, or set PACK_AUTH_TOKEN in the environment/);
    for (const [args, env] of [
      [["Me"], { PACK_AUTH_TOKEN: TOKEN }],
      [["Me", "--account", "alice@acme.io"], { PACK_AUTH_ALICE_ACME_IO_TOKEN: TOKEN }],
      [["Auth:getConnectionName"], { PACK_AUTH_TOKEN: TOKEN }],
    ] as const) {
      const result = await call([pack, ...args, "--allow-loopback"], env);
      assert.deepEqual([result.code, result.out], [0, "Bearer ••••\n"], result.err);
      assert.ok(!result.err.includes(TOKEN));
    }
    const other = await call([pack, "Me", "--account", "bob"], { PACK_AUTH_TOKEN: TOKEN });
    assert.equal(other.code, 2);
    assert.match(
      other.err,
      /no account bob, stored, in the environment or in a packauth\.accounts\.json beside pack\.ts\. .* set PACK_AUTH_BOB_TOKEN/,
    );
  });

  it("a refused credential gets the variable to set", async () => {
    const refusing = createServer((_, response) => void response.writeHead(401).end("no"));
    await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
    const entry = packFiles({ "pack.ts": source(`http://127.0.0.1:${(refusing.address() as AddressInfo).port}`) });
    const { code, err } = await call([entry, "Me", "--allow-loopback"], { PACK_AUTH_TOKEN: TOKEN });
    refusing.close();
    assert.equal(code, 1);
    assert.match(err, /To use another credential, set PACK_AUTH_TOKEN\./);
    assert.doesNotMatch(err, /sign in again/i);
  });

  it("a missing system account gets its variables to set", async () => {
    const system = packFiles({
      "pack.ts": source(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
        .replace(
          "setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken,",
          "setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken,",
        )
        .replace("connectionRequirement: Required", "connectionRequirement: None"),
    });
    const without = await call([system, "Me", "--allow-loopback"]);
    assert.match(without.err, /^Set PACK_AUTH_SYSTEM_TOKEN for the system authentication, or use pack-auth connect\.$/m);
    const withIt = await call([system, "Me", "--allow-loopback"], { PACK_AUTH_SYSTEM_TOKEN: TOKEN });
    assert.deepEqual([withIt.out, withIt.err.includes("PACK_AUTH_SYSTEM")], ["Bearer ••••\n", false]);
  });

  it("the JSON report is complete and masked", async () => {
    const { code, out, err } = await call([pack, "Me", "--json", "--allow-loopback"], { PACK_AUTH_TOKEN: TOKEN });
    assert.equal(code, 0, err);
    const report = JSON.parse(out) as RunReport & { version: number };
    assert.equal(report.version, 1);
    assert.deepEqual(report.outcome, { status: "succeeded", value: "Bearer ••••" });
    assert.equal(report.requests[0]?.credentials[0]?.carrier, "Authorization");
    assert.equal(report.console[0]?.message, "asking");
    assert.ok(!out.includes(TOKEN));
  });

  it("rows are printed one a line, and counted beside them", async () => {
    const { code, out, err } = await call([pack, "Rows", "--rows", "3"]);
    assert.deepEqual([code, out], [0, '{"Id":0}\n{"Id":1}\n{"Id":2}\n']);
    assert.match(err, /3 rows.*the table has more/s);
  });

  it("rows are written back, and a row that was not written fails the run", async () => {
    const rows = packFiles({
      "rows.json": '[{"previousValue":{"Id":1,"Name":"a"},"newValue":{"Name":"b"}},{"previousValue":{"Id":2},"newValue":{"Name":"bad"}}]',
    });
    const both = await call([pack, "Shirts:update", "north", "--updates", `@${join(dirname(rows), "rows.json")}`]);
    assert.deepEqual(
      [both.code, both.out],
      [
        1,
        '{"outcome":"success","finalValue":{"Id":1,"Name":"b"}}\n{"outcome":"error","error":{"name":"Error","message":"bad in north"}}\n',
      ],
      both.err,
    );
    const one = await call([pack, "Shirts:update", "--updates", '{"previousValue":{"Id":1},"newValue":{"Name":"b"}}']);
    assert.equal(one.code, 0, one.err);
  });

  it("a table gives a property's options, its validation of parameters, and new rows", async () => {
    const options = await call([pack, "Shirts:options:color", "dark", "red", "--row", '{"Id":7}', "--params", '{"shop":"north"}']);
    assert.deepEqual(JSON.parse(options.out), ["dark red for 7 in north"], options.err);
    const shut = await call([pack, "Shirts", "shut"]);
    assert.deepEqual([shut.code, shut.out], [1, ""]);
    assert.match(shut.err, /It is shut\./);
    assert.deepEqual(JSON.parse((await call([pack, "Shirts:validateParameters", "shut"])).out), { isValid: false, message: "It is shut." });
    const twice = await call([pack, "Shirts:incremental"]);
    assert.equal(twice.out, '{"Id":2,"Name":"a"}\n', twice.err);
    const from = await call([pack, "Shirts", "--completion", '{"incrementalContinuation":{"next":5}}', "--json"]);
    const report = JSON.parse(from.out) as RunReport;
    assert.deepEqual(report.outcome.status === "succeeded" && report.outcome.value, [{ Id: 5, Name: "a" }]);
    assert.deepEqual(report.sync?.completion, { incrementalContinuation: { next: 2 } });
    const none = await call([pack, "Rows:incremental", "--rows", "2"]);
    assert.deepEqual([none.code, none.out], [2, ""]);
    assert.match(none.err, /Raise rows\. The table was not read to its end.* See --rows\./);
  });

  it("a dynamic table without its URL gets the option that names it", async () => {
    const { code, out, err } = await call([pack, "Boards:getName"]);
    assert.deepEqual([code, out], [2, ""]);
    const empty = await call([pack, "Boards", "--dynamic-url", "x"]);
    assert.deepEqual([empty.code, empty.out], [0, ""], empty.err);
    assert.match(err, /Boards is a dynamic table: .* Name it with --dynamic-url. pack-auth run .*pack.ts Boards:listDynamicUrls lists/);
  });

  it("text of a pack or an API is shown, without its terminal commands", async () => {
    const { code, out, err } = await call([pack, "Titles"], { FORCE_COLOR: "0" });
    assert.deepEqual([code, out], [1, ""]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
    assert.doesNotMatch(err, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    assert.match(err, /log \\u001b\]0;owned\\u0007\nsecond line/);
    assert.match(err, /thrown \\u001b\[2J\\u009b1m/);
  });
  it("a failure exits 1 with the line of the pack, also as JSON", async () => {
    const { code, out, err } = await call([pack, "Fails"]);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /no such thing\n.*pack\.ts:\d+:\d+/s);
    const json = await call([pack, "Fails", "--json"]);
    assert.deepEqual([json.code, (JSON.parse(json.out) as RunReport).outcome.status], [1, "failed"]);
    const broken = await call([packFiles({ "pack.ts": "(((" }), "X", "--json"]);
    assert.deepEqual([broken.code, (JSON.parse(broken.out) as RunReport).outcome.status], [1, "failed"]);
  });

  it("a wrong call is explained with exit code 2", async () => {
    for (const [args, message] of [
      [["nowhere", "X"], /There is no nowhere/],
      [
        [pack, "Join", '["a"', "2026-12-01"],
        /words must be an array of strings without empty values. This looks like a JSON array, and is not valid/,
      ],
      [[pack, "Join", "a", "someday"], /day must be a date such as/],
    ] as const) {
      const { code, out, err } = await call(args);
      assert.deepEqual([code, out], [2, ""], err);
      assert.match(err, message);
    }
  });

  for (const { args, message } of readTable("test/cli/run/cases/wrong-words.json", z.array(wrongWords)))
    it(`the words ${args.join(" ")} are explained`, async () => {
      const { code, out, err } = await call(args.map((word) => (word === "@pack" ? pack : word)));
      assert.deepEqual([code, out], [2, ""], err);
      assert.match(err, message);
    });

  for (const [written, zone] of Object.entries({ "Asia/Kolkata": "Asia/Kolkata", "europe/lisbon": "Europe/Lisbon" }))
    it(`the time zone ${written} is passed on as ${zone}`, async () => {
      assert.match((await call([pack, "Join", "a", "2026-12-01", "--timezone", written])).out, new RegExp(`Z ${zone}\n$`));
    });

  it("a run stops at the time limit, and when it is interrupted", async () => {
    const late = await call([pack, "Forever", "--time-limit", "1"]);
    assert.equal(late.code, 1);
    assert.match(late.err, /did not finish within 1 s/);
    const stopped = await callProgram(["run", pack, "Forever"], {
      env: OWN,
      onError: (text, child) => text.endsWith("begun\n") && child.kill("SIGINT"),
    });
    assert.equal(stopped.code, 130, stopped.err);
  });
});
