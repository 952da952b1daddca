// Settings of the person that hold for an agent's calls too: requests to this machine, and the address that a sign-in returns to. And what
// the list of the tools costs an agent, which reads it at the start of each session.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { serveAgents } from "../../cli/mcp/mcp-server.ts";
import type { Terminal } from "../../cli/terminal/terminal.ts";
import { type AgentTrial, agentIn } from "../support/agent.ts";
import { packFiles, removePackFiles } from "../support/pack-file.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
`;

describe("The person's settings in an agent's calls", function () {
  this.timeout(60_000);
  let api: Server;
  let requests = 0;
  before(async () => {
    api = createServer((_, response) => {
      requests++;
      response.writeHead(200, { "content-type": "application/json" }).end('"hello"');
    }).listen(0, "localhost");
    await once(api, "listening");
  });
  after(() => {
    api.close();
    removePackFiles();
  });

  const trialOf = (source: string, ...[options]: Parameters<typeof agentIn> extends [string, ...infer More] ? More : never): AgentTrial =>
    agentIn(dirname(packFiles({ "pack.ts": HEAD + source })), options);

  for (const allowLoopback of [false, true])
    it(`a sign-in and a run reach this machine only if it is allowed: ${allowLoopback}`, async () => {
      const url = `http://localhost:${(api.address() as AddressInfo).port}/`;
      const trial = trialOf(
        `pack.addNetworkDomain("localhost");
const ask = async (context: any) => (await context.fetcher.fetch({ method: "GET", url: "${url}" })).body;
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: ask });
pack.addFormula({ name: "Hello", description: "", parameters: [], resultType: coda.ValueType.String, execute: (_, context) => ask(context) });
`,
        { replies: { token: "token-of-nobody", "could not": "keep" }, settings: { allowLoopback } },
      );
      requests = 0;
      const connected = await trial.call("connect");
      assert.ok("output" in connected && connected.output.status === "connected", JSON.stringify(connected));
      const [account] = await trial.accounts.list();
      const run = await trial.call("run", { target: "Hello", account: account?.id });
      assert.ok("output" in run, JSON.stringify(run));
      assert.deepEqual([run.output.status, requests], allowLoopback ? ["succeeded", 2] : ["failed", 0]);
    });

  it("a sign-in asks to register the redirect address of the settings", async () => {
    const trial = trialOf(
      `pack.addNetworkDomain("shop.example");
pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "https://login.shop.example/authorize",
  tokenUrl: "https://login.shop.example/token",
});
`,
      { settings: { redirect: { host: "127.0.0.1", port: 0, path: "/mine", via: "loopback" } } },
    );
    await trial.call("connect");
    assert.match(trial.platform.prompts.join("\n"), /Register the redirect address http:\/\/127\.0\.0\.1\/mine there/);
  });
});

it("the list of the agents' tools has at most 14 KB", async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const { host } = agentIn(".").session;
  const served = serveAgents({ stdin, stdout } as unknown as Terminal, host, stop.signal);
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  const request = async (id: number, method: string, params: object) => {
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return JSON.parse((await lines.next()).value).result;
  };
  await request(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } });
  const bytes = Buffer.byteLength(JSON.stringify(await request(2, "tools/list", {})));
  stop.abort();
  await served;
  assert.ok(bytes <= 14_000, `${bytes} bytes`);
});
