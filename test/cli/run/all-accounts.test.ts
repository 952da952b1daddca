// `pack-auth run --all-accounts`: a real API on this machine, two accounts and one that it refuses.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callCli, storedIn } from "../../support/call-cli.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";

const SOURCE = (port: number): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("localhost");
const get = async (context: any, path: string, method = "GET") => (await context.fetcher.fetch({ method, url: "http://localhost:${port}" + path, cacheTtlSecs: 0 })).body;
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: async (context) => (await get(context, "/me")).name });
const more = { description: "", parameters: [], resultType: coda.ValueType.String };
pack.addFormula({ ...more, name: "Me", execute: async ([], context) => JSON.stringify(await get(context, "/me")) } as any);
pack.addFormula({ ...more, name: "Team", resultType: coda.ValueType.Object, schema: coda.makeObjectSchema({ properties: { team: { type: coda.ValueType.String } } }), execute: async ([], context) => ({ team: (await get(context, "/me")).team }) } as any);
pack.addFormula({ ...more, name: "Write", isAction: true, execute: async ([], context) => (await get(context, "/write", "POST")).done } as any);
`;

describe("pack-auth run --all-accounts", function () {
  this.timeout(120_000);
  const home = mkdtempSync(join(tmpdir(), "pack-auth-all-"));
  const refusedNames = new Set<string>();
  const writerNames: string[] = [];
  const server = createServer((request, response) => {
    const name = /^Bearer token-of-(\w+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (request.url === "/write") writerNames.push(name);
    const isRefused = name === "" || refusedNames.has(name);
    response.writeHead(isRefused ? 401 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(isRefused ? { error: `no ${request.headers.authorization}` } : { name, team: "red", done: "yes" }));
  });
  let entry: string;
  const env = storedIn(home);
  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    entry = packFiles({ "pack.ts": SOURCE((server.address() as AddressInfo).port) });
    for (const name of ["alice", "bob", "carol"]) {
      const { code, err } = await callCli(["connect", entry, "--allow-loopback"], { env, lines: [`token-of-${name}`, "1"] });
      assert.equal(code, 0, err);
    }
    refusedNames.add("bob");
  });
  after(() => {
    server.close();
    rmSync(home, { recursive: true, force: true });
    removePackFiles();
  });
  const all = (...args: readonly string[]) => callCli(["run", entry, ...args, "--all-accounts", "--allow-loopback"], { env });

  it("a run is refused when several accounts exist and none is chosen", async () => {
    const run = (...args: readonly string[]) => callCli(["run", entry, "Me", "--allow-loopback", ...args], { env });
    const { code, err } = await run();
    assert.equal(code, 2);
    assert.match(err, /The pack has several accounts: alice \([^)]+\), bob \([^)]+\), carol \([^)]+\)\./);
    assert.match((await run("--account", "carol")).out, /carol/);
  });

  it("each account has a row with how it differs from the first", async () => {
    const { code, out } = await all("Me");
    assert.equal(code, 1);
    const rows = out.trimEnd().split("\n");
    assert.match(rows[0] ?? "", /^alice +succeeded +\d+ ms *$/);
    assert.match(rows[1] ?? "", /^bob +failed +\d+ ms +StatusCodeError: 401/);
    assert.match(rows[2] ?? "", /^carol +succeeded +\d+ ms +differs from alice$/);
    assert.match((await all("Team")).out, /^carol .* as alice$/m);
  });

  it("the JSON report has a run for each account, and no credential", async () => {
    const { code, out } = await all("Team", "--json");
    assert.equal(code, 1);
    const { version, target, runs } = JSON.parse(out) as { version: number; target: unknown; runs: { account: string; status: string }[] };
    assert.deepEqual([version, target], [1, { kind: "formula", name: "Team" }]);
    assert.deepEqual(
      runs.map(({ account, status }) => [account, status]),
      [
        ["alice", "succeeded"],
        ["bob", "failed"],
        ["carol", "succeeded"],
      ],
    );
    assert.ok(!out.includes("token-of-"), out);
  });

  it("an action asks for each account, and runs with the confirmed ones", async () => {
    refusedNames.clear();
    const nobody = await all("Write");
    assert.deepEqual([nobody.code, writerNames], [0, []]);
    assert.match(nobody.out, /^alice +not run/m);
    const { code, out, err } = await callCli(["run", entry, "Write", "--all-accounts", "--allow-loopback"], {
      env,
      lines: ["1", "2", "1"],
    });
    assert.equal(code, 0, err);
    assert.deepEqual(writerNames, ["bob"]);
    assert.match(err, /Run Write with bob\?/);
    assert.match(out, /^alice +not run.*\nbob +succeeded.*\ncarol +not run/m);
  });

  it("the system account is left out beside users', and used where no user's is taken", async () => {
    const both = packFiles({
      "pack.ts": `${SOURCE((server.address() as AddressInfo).port)}
pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.addFormula({ ...more, name: "Open", connectionRequirement: coda.ConnectionRequirement.None, execute: async ([], context) => JSON.stringify(await get(context, "/me")) } as any);
`,
    });
    for (const [name, ...as] of [["robot", "--system"], ["dora"]] as const) {
      const { code, err } = await callCli(["connect", both, "--allow-loopback", ...as], { env, lines: [`token-of-${name}`, "1"] });
      assert.equal(code, 0, err);
    }
    for (const [target, name] of [
      ["Me", "dora"],
      ["Open", "robot"],
    ] as const) {
      const { out, err } = await callCli(["run", both, target, "--allow-loopback"], { env });
      assert.ok(out.includes(name), `${target}: ${out}${err}`);
    }
    const { out } = await callCli(["run", both, "Me", "--all-accounts", "--allow-loopback"], { env });
    assert.match(out, /^dora .*\n$/);
    // Its account is still there, and nothing of the pack takes it any more.
    writeFileSync(both, readFileSync(both, "utf8").replace(/^pack\.setSystem.*$/m, ""));
    const { err } = await callCli(["run", both, "Open", "--allow-loopback"], { env });
    assert.match(err, /StatusCodeError: 401/);
  });

  it("the option is refused beside one account, and without any", async () => {
    for (const [args, message] of [
      [["run", entry, "Me", "--all-accounts", "--account", "alice"], /Remove --account/],
      [["run", entry, "Me", "--all-accounts", "--sandbox"], /Remove --sandbox/],
      [["run", entry, "Auth:getConnectionName", "--all-accounts"], /is for formulas and tables/],
    ] as const) {
      const { code, err } = await callCli(args, { env });
      assert.equal(code, 2);
      assert.match(err, message);
    }
    const { code, err } = await callCli(["run", entry, "Me", "--all-accounts"], { env: storedIn(join(home, "other")) });
    assert.equal(code, 2);
    assert.match(err, /has no account\. Connect one with pack-auth connect/);
  });
});
