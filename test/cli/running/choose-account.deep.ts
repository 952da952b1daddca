// Which account `pack-auth run` uses: a real API on this machine, and several accounts.
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
const get = async (context: any, path: string) => (await context.fetcher.fetch({ method: "GET", url: "http://localhost:${port}" + path, cacheTtlSecs: 0 })).body;
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: async (context) => (await get(context, "/me")).name });
const more = { description: "", parameters: [], resultType: coda.ValueType.String };
pack.addFormula({ ...more, name: "Me", execute: async ([], context) => JSON.stringify(await get(context, "/me")) } as any);
`;

describe("The account of pack-auth run", function () {
  this.timeout(120_000);
  const home = mkdtempSync(join(tmpdir(), "pack-auth-choose-"));
  const server = createServer((request, response) => {
    const name = /^Bearer token-of-(\w+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    response.writeHead(name === "" ? 401 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ name }));
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
  });
  after(() => {
    server.close();
    rmSync(home, { recursive: true, force: true });
    removePackFiles();
  });

  it("a run is refused when several accounts exist and none is chosen", async () => {
    const run = (...args: readonly string[]) => callCli(["run", entry, "Me", "--allow-loopback", ...args], { env });
    const { code, err } = await run();
    assert.equal(code, 2);
    assert.match(err, /The pack has several accounts: alice \([^)]+\), bob \([^)]+\), carol \([^)]+\)\./);
    assert.match((await run("--account", "carol")).out, /carol/);
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
    // Its account is still there, and nothing of the pack takes it any more.
    writeFileSync(both, readFileSync(both, "utf8").replace(/^pack\.setSystem.*$/m, ""));
    const { err } = await callCli(["run", both, "Open", "--allow-loopback"], { env });
    assert.match(err, /StatusCodeError: 401/);
  });
});
