// What `pack-auth mcp --allow-loopback` opens to an agent: servers on this machine, which the person chose when it was started.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentSession } from "../../../agents/agent-session.ts";
import { callTool } from "../../../agents/call-tool.ts";
import { cliAgentHost } from "../../../cli/mcp/agent-host.ts";
import type { Person } from "../../../operations/person.ts";
import { outputOf } from "../../support/agent.ts";
import { openTerminal } from "../../support/call-cli.ts";
import { openSetupServer, type SetupServer } from "../../support/setup.ts";

const AGREES: Person = {
  ask: async () => "agreed",
  withPrompts: () => assert.fail("no sign-in is asked for"),
};

describe("An agent on the command line", function () {
  this.timeout(60_000);
  let folder: string;
  let server: SetupServer;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-mcp-loopback-"));
    server = await openSetupServer();
    server.respond = () => ({ status: 401, headers: { "www-authenticate": "Basic" } });
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const proposalFor = async (allowLoopback: boolean) => {
    const { terminal } = openTerminal({ cwd: folder, env: { PACK_AUTH_HOME: folder } });
    const session = new AgentSession(cliAgentHost(terminal, ".", { isTrusted: false, allowLoopback, person: AGREES }));
    const input = { evidence: server.base, kind: "address" };
    return callTool("setup", input, { session, signal: new AbortController().signal, progress: () => {} });
  };

  it("a server on this machine is not asked for unless the server was started with --allow-loopback", async () => {
    const result = await proposalFor(false);
    assert.ok("failure" in result, JSON.stringify(result));
    assert.deepEqual(server.requests, []);
  });

  it("a server on this machine is asked after a yes where --allow-loopback was given", async () => {
    assert.equal(outputOf(await proposalFor(true)).type, "WebBasic");
    assert.equal(server.requests.length, 1);
  });
});
