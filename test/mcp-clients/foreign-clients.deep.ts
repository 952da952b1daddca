// `pack-auth mcp` with two clients of other projects: the MCP Inspector's command line, and the client of the first TypeScript SDK.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { AGENT_TOOLS, type AgentToolName } from "../../agents/agent-tools.ts";
import { installFolder } from "../../scripts/npm-packages.ts";
import { nodeVersions } from "../support/nodes.ts";
import { packFiles, removePackFiles } from "../support/pack-file.ts";
import { root } from "../support/packs.ts";

const CLIENTS = join(root, "test/mcp-clients/node_modules/@modelcontextprotocol");
const CLI = join(root, "dist/cli.cjs");

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("api.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.addFormula({
  name: "GetTask", description: "Gets a task.", resultType: coda.ValueType.String,
  parameters: [coda.makeParameter({ type: coda.ParameterType.Number, name: "id", description: "The ID." })],
  execute: async ([id], context) => (await context.fetcher.fetch({ method: "GET", url: "https://api.example/tasks/" + id })).body.title,
});
pack.addFormula({ name: "Forever", description: "Never ends.", resultType: coda.ValueType.String, parameters: [],
  execute: async () => { for (;;); } });
`;
const STUBS = JSON.stringify({ answers: [{ request: "GET https://api.example/tasks/7", body: { title: "Milk" } }] });

/** A call of each tool that succeeds in the folder, in this order. */
const CALLS: Readonly<Record<AgentToolName, Record<string, unknown>>> = {
  setup: { evidence: "curl https://api.example/tasks -H 'X-Api-Key: $KEY'" },
  check: { paths: ["pack.ts"] },
  explain: { id: "auth-type-missing" },
  outline: {},
  run: { target: "GetTask", parameters: { id: 7 }, saveTest: "tests" },
  requests: {},
  test: {},
  drill: { target: "GetTask", parameters: { id: 7 } },
  accounts: {},
  // Without a browser the person cannot be asked.
  connect: {},
  preflight: {},
  drift: {},
  // The pack has no ID.
  logs: { doc: "AbCDeFGH12" },
};

const FAILING: Readonly<Record<string, RegExp>> = { connect: /person-unreachable/, logs: /pack-id-missing/ };

interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
}

/** Asserts that the tool succeeded, and that its result is an object as JSON, once. */
function isOneJson(tool: string, result: ToolResult): void {
  const [{ text } = { text: "" }, ...furtherParts] = result.content;
  assert.ok(result.isError !== true && furtherParts.length === 0 && !("structuredContent" in result), `${tool}: ${text.slice(0, 500)}`);
  assert.equal(JSON.stringify(JSON.parse(text)), text);
}

const environmentOf = (home: string): Record<string, string> => ({
  PATH: dirname(process.execPath),
  PACK_AUTH_HOME: home,
  PACK_AUTH_SECRET_STORE: "file",
  PACK_AUTH_PASSPHRASE: "a passphrase for this test",
});

describe("pack-auth mcp with foreign clients", function () {
  this.timeout(300_000);
  let folder: string;
  let env: Record<string, string>;

  before(async () => {
    await installFolder("test/mcp-clients");
    folder = realpathSync(dirname(packFiles({ "pack.ts": SOURCE, "sandbox.json": STUBS })));
    const home = join(folder, ".home");
    mkdirSync(home);
    env = environmentOf(home);
  });
  after(removePackFiles);

  describe("the MCP Inspector", () => {
    /** Runs the Inspector's command line, which needs Node 22. */
    function inspect(...args: readonly string[]) {
      const node = nodeVersions().find(({ name }) => name === "node22")?.path ?? process.execPath;
      const launcher = join(CLIENTS, "inspector/clients/launcher/build/index.js");
      const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
      const server = [process.execPath, CLI, "mcp", folder, "--trust"];
      const result = spawnSync(node, [launcher, "--cli", ...variables, ...server, ...args], {
        encoding: "utf8",
        env: { PATH: process.env.PATH, HOME: env.PACK_AUTH_HOME },
      });
      return { ...result, json: () => JSON.parse(result.stdout) as Record<string, unknown> };
    }

    it("lists every tool, and finds no problem in their schemas", () => {
      const { status, stderr, json } = inspect("--method", "tools/list", "--strict");
      assert.equal(status, 0, stderr);
      assert.deepEqual(
        (json().tools as { name: string }[]).map(({ name }) => name),
        Object.keys(AGENT_TOOLS),
      );
    });

    it("reads the resources", () => {
      const { resources } = inspect("--method", "resources/list").json() as { resources: { uri: string }[] };
      assert.ok(resources.length > 150, String(resources.length));
      const read = inspect("--method", "resources/read", "--uri", "pack-auth://authentication-types").json();
      assert.match(JSON.stringify(read), /## HeaderBearerToken/);
    });

    for (const [tool, input] of Object.entries(CALLS).filter(([name]) => FAILING[name] === undefined && name !== "requests"))
      it(`calls ${tool}`, () => {
        const pairs = Object.entries(input).flatMap(([name, value]) => [
          "--tool-arg",
          `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
        ]);
        const { stdout, stderr, json } = inspect("--method", "tools/call", "--tool-name", tool, ...pairs);
        assert.ok(stdout.startsWith("{"), stderr);
        isOneJson(tool, json() as unknown as ToolResult);
      });
  });

  describe("the client of the first SDK", () => {
    interface Client {
      connect(transport: unknown): Promise<void>;
      listTools(): Promise<{ tools: { name: string }[] }>;
      callTool(
        call: { name: string; arguments: object },
        schema?: undefined,
        options?: { signal?: AbortSignal; onprogress?: (progress: { progress: number; message?: string }) => void; timeout?: number },
      ): Promise<ToolResult>;
      close(): Promise<void>;
    }

    async function connect(...options: readonly string[]): Promise<Client> {
      const load = (path: string) => import(pathToFileURL(join(CLIENTS, "sdk/dist/esm/client", path)).href);
      const [{ Client: SdkClient }, { StdioClientTransport }] = await Promise.all([load("index.js"), load("stdio.js")]);
      const client = new SdkClient({ name: "test", version: "1" }) as Client;
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args: [CLI, "mcp", folder, ...options], env, stderr: "ignore" }),
      );
      return client;
    }

    it("calls every tool, and each result is one JSON text", async () => {
      const client = await connect("--trust");
      try {
        await client.listTools();
        for (const [name, input] of Object.entries(CALLS)) {
          const result = await client.callTool({ name, arguments: input }, undefined, { timeout: 120_000 });
          const failure = FAILING[name];
          if (failure !== undefined) assert.match(result.content[0]?.text ?? "", failure);
          else isOneJson(name, result);
        }
      } finally {
        await client.close();
      }
    });

    it("a run reports its progress, and a cancelled run ends", async () => {
      const client = await connect("--trust");
      try {
        const messages: string[] = [];
        const stop = new AbortController();
        const startedAt = Date.now();
        const run = client.callTool({ name: "run", arguments: { target: "Forever" } }, undefined, {
          signal: stop.signal,
          onprogress: ({ message = "" }) => {
            messages.push(message);
            if (message === "Running") setTimeout(() => stop.abort(), 500);
          },
        });
        await assert.rejects(run);
        assert.deepEqual(messages, ["Building the pack", "Signing in at the sandbox", "Running"]);
        // The next call is answered while the first would still run.
        const next = await client.callTool({ name: "outline", arguments: {} });
        assert.ok(next.isError !== true && Date.now() - startedAt < 50_000);
      } finally {
        await client.close();
      }
    });

    it("a folder that is not trusted is checked, and its code is not run", async () => {
      const client = await connect();
      try {
        const checked = await client.callTool({ name: "check", arguments: {} });
        assert.ok(checked.isError !== true);
        const run = await client.callTool({ name: "run", arguments: { target: "GetTask" } });
        assert.match(run.content[0]?.text ?? "", /workspace-untrusted.*pack-auth mcp --trust/);
      } finally {
        await client.close();
      }
    });
  });

  it("a client that goes away in the middle of a run ends the run and the server", async () => {
    const server = spawn(process.execPath, [CLI, "mcp", folder, "--trust"], { env, stdio: ["pipe", "pipe", "ignore"] });
    const send = (message: object): void => void server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const ended = new Promise<number | null>((resolve) => server.once("exit", resolve));
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    send({ id: 1, method: "initialize", params });
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/call", params: { name: "run", arguments: { target: "Forever" }, _meta: { progressToken: 1 } } });
    await new Promise<void>((resolve) => server.stdout.on("data", (data: Buffer) => data.includes("Running") && resolve()));
    const children = childrenOf(server.pid ?? 0);
    server.stdin.end();
    assert.equal(await ended, 0);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    assert.deepEqual(children.filter(isAlive), []);
    assert.ok(children.length > 0);
  });
});

/** Returns the processes that the process started, on Linux. */
const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    spawnSync("cat", [`/proc/${pid}/task/${task}/children`], { encoding: "utf8" })
      .stdout.split(" ")
      .filter((text) => text.trim() !== "")
      .map(Number),
  );

/** Returns false for a process that has ended but was not waited for. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("cat", [`/proc/${pid}/stat`], { encoding: "utf8" });
  return stdout !== "" && !/\) Z /.test(stdout);
}
