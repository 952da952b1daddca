// An agent at a running `pack-auth mcp`, and accounts of packauth.accounts.json: a real client, a real terminal and a real API over TLS. Only
// the person at the terminal accepts references.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { textOf } from "../support/agent.ts";
import { storedIn } from "../support/call-cli.ts";
import { certificateOf } from "../support/certificates.ts";
import { answering, hasTerminal, onTerminal } from "../support/on-terminal.ts";
import { packFiles, removePackFiles } from "../support/pack-file.ts";
import { root } from "../support/packs.ts";

const CANARY = "canary-of-the-team-7a42";
const HOST = "api.team.example";

/** Agrees to each question, as a person does who presses the button of the page. */
const BROWSER = `#!${process.execPath}
const address = process.argv[2];
const page = await (await fetch(address)).text();
(await import("node:fs")).appendFileSync(new URL("pages", import.meta.url), page);
const token = /name="token" value="([^"]+)"/.exec(page)[1];
await fetch(address, { method: "POST", redirect: "manual", headers: { origin: new URL(address).origin, "sec-fetch-site": "same-origin" },
  body: new URLSearchParams({ token, action: "answer" }) });
`;

const source = (domains: readonly string[] = [HOST]): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
${domains.map((domain) => `pack.addNetworkDomain("${domain}");`).join("\n")}
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.addFormula({ name: "Read", description: "r", resultType: coda.ValueType.String, parameters: [],
  execute: async (_: any, context: any) => (await context.fetcher.fetch({ method: "GET", url: "https://${HOST}/read" })).body } as any);
`;
const fileOf = (variable: string): string =>
  JSON.stringify({ version: 1, accounts: [{ label: "alice", secrets: { token: `env:${variable}` } }] });

describe("An agent at a running server, and the accounts of an account file", function () {
  this.timeout(120_000);
  let proxy: Server;
  let tools: string;
  let home: string;
  let entry: string;
  let env: Record<string, string>;
  let client: Client;
  let isConnected = false;
  const received: (string | undefined)[] = [];
  const outputs: string[] = [];
  before(async () => {
    const { key, cert } = await certificateOf([HOST]);
    const api = createTlsServer({ key, cert }, (request, response) => {
      received.push(request.headers.authorization);
      response.setHeader("content-type", "application/json").end(JSON.stringify(`there, ${request.headers.authorization}`));
    });
    // Tunnels end in this process, whatever host they name.
    proxy = createServer().on("connect", (_, socket: Socket) => {
      socket.on("error", () => {}).write("HTTP/1.1 200 Connection Established\r\n\r\n");
      api.emit("connection", socket);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    tools = mkdtempSync(join(tmpdir(), "pack-auth-tools-"));
    writeFileSync(join(tools, "authority.pem"), cert);
    mkdirSync(join(tools, "bin"));
    writeFileSync(join(tools, "bin/package.json"), '{ "type": "module" }');
    writeFileSync(join(tools, "bin/xdg-open"), BROWSER);
    chmodSync(join(tools, "bin/xdg-open"), 0o755);
  });
  beforeEach(async () => {
    writeFileSync(join(tools, "bin/pages"), "");
    home = mkdtempSync(join(tmpdir(), "pack-auth-home-"));
    received.splice(0);
    outputs.splice(0);
    entry = packFiles({ "pack.ts": source(), "packauth.accounts.json": fileOf("PACK_AUTH_ALICE_TOKEN") });
    env = {
      ...(storedIn(home) as Record<string, string>),
      PATH: `${join(tools, "bin")}:${process.env.PATH}`,
      HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      NODE_EXTRA_CA_CERTS: join(tools, "authority.pem"),
      PACK_AUTH_ALICE_TOKEN: CANARY,
      PACK_AUTH_BANK_TOKEN: CANARY,
      // It stands for the person in continuous integration, and for nobody here.
      PACK_AUTH_DOMAINS: HOST,
    };
  });
  afterEach(async () => {
    if (isConnected) await client.close();
    isConnected = false;
    const files = [home, dirname(entry)].flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile() && !each.parentPath.includes("node_modules"))
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")),
    );
    assert.doesNotMatch([...outputs, ...files, pages()].join("\n"), /canary/, "the value is in no answer, output, page or file");
    rmSync(home, { recursive: true, force: true });
  });
  after(() => {
    proxy.close();
    proxy.closeAllConnections();
    rmSync(tools, { recursive: true, force: true });
    removePackFiles();
  });

  const pages = (): string => readFileSync(join(tools, "bin/pages"), "utf8");
  const write = (name: string, text: string): void => writeFileSync(join(dirname(entry), name), text);
  /** Starts the server, which reads its environment once. */
  async function start(options: readonly string[] = ["--trust"], environment = env): Promise<void> {
    client = new Client({ name: "agent", version: "1" });
    const args = [join(root, "dist/cli.cjs"), "mcp", dirname(entry), ...options];
    const transport = new StdioClientTransport({ command: process.execPath, args, env: environment, stderr: "pipe" });
    transport.stderr?.on("data", (data: Buffer) => outputs.push(data.toString()));
    await client.connect(transport);
    isConnected = true;
  }
  async function call(name: string, input: Record<string, unknown> = {}) {
    const result = await client.callTool({ name, arguments: input });
    outputs.push(JSON.stringify(result));
    const [content] = result.content as { text: string }[];
    return { isError: result.isError === true, answer: JSON.parse(content?.text ?? "") };
  }
  const listed = async () => (await call("accounts")).answer.accounts;
  const run = (account = "alice") => call("run", { target: "Read", account });
  /** Runs on a terminal, where the person answers the question about the references. */
  async function accept(account: string): Promise<string> {
    const command = [process.execPath, join(root, "dist/cli.cjs"), "run", entry, "Read", "--account", account];
    const { text } = await onTerminal(command, { env, columns: 200, type: answering([/y\/N >/, "y\r"]) });
    outputs.push(text);
    return text;
  }
  async function assertRefused(account?: string): Promise<void> {
    const [before, shown] = [received.length, pages()];
    const { isError, answer } = await run(account);
    assert.ok(isError, JSON.stringify(answer));
    assert.equal(answer.code, "reference-unapproved");
    assert.match(textOf(answer.message), /The secrets of the account alice were not read: nobody accepted that\./);
    assert.match(
      textOf(answer.hint),
      /^On a terminal, call pack-auth run with the pack, a formula and --account team-[0-9a-f]{12}, and accept/,
    );
    assert.deepEqual([received.length, pages()], [before, shown], "nothing is sent, and the agent cannot make the person accept");
  }

  (hasTerminal ? it : it.skip)("a call uses the account once the person accepted it, and is refused after a change", async () => {
    await start();
    const [row, ...more] = await listed();
    assert.deepEqual([row.state, row.isOfFile, more], ["unaccepted", true, []]);
    assert.match(row.nextStep, new RegExp(`^On a terminal, call pack-auth run .* --account ${row.id}, and accept them\\.$`));
    await assertRefused();
    await assertRefused(row.id);
    assert.ok((await call("run", { target: "Read", account: "alice", accept: true })).isError);

    assert.match(await accept(row.id), /there, Bearer ••••/);
    assert.deepEqual([(await listed())[0].state, received.splice(0)], ["ready", [`Bearer ${CANARY}`]]);
    const { answer } = await run();
    assert.deepEqual([answer.status, answer.result.text, received], ["succeeded", '"there, Bearer ••••"', [`Bearer ${CANARY}`]]);
    assert.match(pages(), /Let the agent read from api\.team\.example with the account alice \(packauth\.accounts\.json\)\?/);
    assert.equal((await call("requests")).isError, false);

    write("packauth.accounts.json", fileOf("PACK_AUTH_BANK_TOKEN"));
    assert.equal((await listed())[0].state, "unaccepted");
    await assertRefused();
    write("packauth.accounts.json", fileOf("PACK_AUTH_ALICE_TOKEN"));
    write("pack.ts", source([HOST, "evil.example"]));
    await assertRefused();
    write("pack.ts", source());
    assert.equal((await run()).answer.status, "succeeded");
  });

  (hasTerminal ? it : it.skip)("an accepted account whose variable the server lacks is refused, with what to set", async () => {
    const { PACK_AUTH_ALICE_TOKEN: _, ...without } = env;
    await start(["--trust"], without);
    await accept((await listed())[0].id);
    received.splice(0);
    const { isError, answer } = await run();
    assert.deepEqual([isError, answer.code, received], [true, "reference-unresolved", []]);
    assert.match(textOf(answer.message), /token of the account alice .* could not be read: PACK_AUTH_ALICE_TOKEN is not set\./);
    assert.match(textOf(answer.hint), /^Set PACK_AUTH_ALICE_TOKEN in the environment\. An editor or a server reads it when it starts\.$/);
  });

  it("a server without trust lists the account, says how to trust, and runs nothing", async () => {
    await start([]);
    const [row] = await listed();
    assert.deepEqual([row.state, row.reason], ["unaccepted", "the folder is not trusted"]);
    assert.match(row.nextStep, /start the server with pack-auth mcp --trust/);
    const { answer } = await run();
    assert.deepEqual([answer.code, received, pages()], ["workspace-untrusted", [], ""]);
  });

  (hasTerminal ? it : it.skip)("an account needs no keyring, and a sign-in fails before the person is asked", async () => {
    const { PACK_AUTH_SECRET_STORE: _, PACK_AUTH_PASSPHRASE: __, ...without } = env;
    env = without;
    await start();
    const [row] = await listed();
    await assertRefused();
    await accept(row.id);
    assert.equal((await run()).answer.status, "succeeded");
    const shown = pages();
    const { isError, answer } = await call("connect");
    assert.deepEqual([isError, answer.code, pages()], [true, "storage-failed", shown]);
  });
});
