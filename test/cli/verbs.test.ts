// One call of each verb, in this process. What else a verb does is in suites of its own.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERBS } from "../../cli/verbs.ts";
import { callCli, callProgram, storedIn } from "../support/call-cli.ts";
import { installToolkit, root } from "../support/packs.ts";
import { type PublicApiStandIn, STAND_IN, startPublicApi } from "../support/public-api.ts";

const CLIENT_CREDENTIALS = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2ClientCredentials, tokenUrl: "https://login.shop.example/token" });
pack.addNetworkDomain("shop.example");
`;
const CURL = "curl https://api.shop.example/orders -H 'Authorization: Bearer canary-7d1c04'\n";
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

/** A call, with its exit code and what its output, of both streams, has. */
interface Call {
  readonly args: readonly string[];
  readonly code: number;
  readonly output: RegExp;
  readonly lines?: readonly string[];
}

describe("each verb of the command line", function () {
  this.timeout(120_000);
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let api: PublicApiStandIn;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-verbs-"));
    installToolkit(folder);
    for (const name of ["weather-bearer", "todo-oauth2"]) cpSync(join(root, "examples", name), join(folder, name), { recursive: true });
    writeFileSync(join(folder, "todo-oauth2/.coda-pack.json"), JSON.stringify({ packId: STAND_IN.packId }));
    mkdirSync(join(folder, "client"));
    writeFileSync(join(folder, "client/pack.ts"), CLIENT_CREDENTIALS);
    writeFileSync(join(folder, "command.txt"), CURL);
    api = await startPublicApi({});
    env = { ...storedIn(folder), ...api.env };
  });
  after(async () => {
    await api?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const token = (): NodeJS.ProcessEnv => ({ PACK_AUTH_API_TOKEN: api.token });
  const call = async ({ args, code, output, lines = [] }: Call, more: NodeJS.ProcessEnv = {}): Promise<void> => {
    const result = await callCli(args, { cwd: folder, env: { ...env, ...more }, lines });
    assert.equal(result.code, code, result.out + result.err);
    assert.match(result.out + result.err, output);
  };

  /** In this order, because some read what others wrote. */
  const CALLS: Readonly<Record<string, () => Promise<void>>> = {
    check: () => call({ args: ["check", "weather-bearer"], code: 0, output: /No mistakes|0 errors/ }),
    explain: () => call({ args: ["explain", "auth-type-unknown"], code: 0, output: /auth-type-unknown/ }),
    completion: () => call({ args: ["completion", "bash"], code: 0, output: /complete .*pack-auth/ }),
    preflight: () => call({ args: ["preflight", "weather-bearer"], code: 0, output: /Nothing will be rejected/ }),
    run: () =>
      call({
        args: ["run", "weather-bearer", "Temperature", "Lisbon", "--sandbox", "--save-test", "weather-bearer/tests"],
        code: 0,
        output: /21\.5/,
      }),
    test: () => call({ args: ["test", "weather-bearer"], code: 0, output: /1 passed/ }),
    drill: () => call({ args: ["drill", "weather-bearer", "Temperature", "Lisbon"], code: 0, output: /429/ }),
    init: () => call({ args: ["init", "orders", "--from", "command.txt", "--yes"], code: 0, output: /pack\.ts/ }),
    connect: () => call({ args: ["connect", "weather-bearer"], code: 0, output: /Saved, not checked/, lines: ["canary-3b8f11"] }),
    accounts: () => call({ args: ["accounts", "list"], code: 0, output: /weather-bearer/ }),
    credentials: () => call({ args: ["credentials", "client"], code: 0, output: /Stored/, lines: ["an-id", "canary-90aa3e"] }),
    "api-token": () => call({ args: ["api-token", "list"], code: 0, output: /No API token is stored/ }),
    upload: () => call({ args: ["upload", "weather-bearer"], code: 1, output: /Run packs create for a new pack/ }, token()),
    drift: () => call({ args: ["drift", "todo-oauth2"], code: 1, output: /The published pack/ }, token()),
    logs: () =>
      call({ args: ["logs", "todo-oauth2", "--doc", `https://coda.io/d/Tasks_d${api.docId}`], code: 0, output: /Account 0/ }, token()),
    async sandbox() {
      const { code, out } = await callProgram(["sandbox", "weather-bearer"], {
        cwd: folder,
        env,
        onError: (_, child) => child.kill("SIGINT"),
      });
      assert.equal(code, 130);
      assert.match(out, /PACK_AUTH_SANDBOX=/);
    },
    async mcp() {
      const { out } = await callProgram(["mcp", "."], { cwd: folder, env, lines: [JSON.stringify(INITIALIZE)] });
      assert.equal(JSON.parse(out).result.serverInfo.name, "pack-auth");
    },
  };

  it("each verb has a call here", () => assert.deepEqual(Object.keys(CALLS).sort(), Object.keys(VERBS).sort()));

  /** They read files and are the frame of no operation, or do not end with a result. */
  const NO_RESULTS = ["check", "completion", "mcp", "sandbox"];
  for (const [verb, { load }] of Object.entries(VERBS).filter(([name]) => !NO_RESULTS.includes(name)))
    it(`pack-auth ${verb} prints its result as JSON, and alone, if it is called so`, async () => {
      const { help } = await load();
      const { out } = await callCli([verb, "--help"]);
      assert.ok("json" in help.options || help.options.format?.choices?.includes("json"), out);
      assert.match(out, /^ {2}--quiet /m);
      assert.match(out, /^ {2}--(?:json|format [A-Za-z|]+) /m);
    });

  it("a run with --quiet prints its result alone", async () => {
    const note = /Building|Wrote|\u2026/;
    const { out, err, code } = await callCli(["run", "weather-bearer", "Temperature", "Lisbon", "--sandbox", "--quiet"], {
      cwd: folder,
      env,
    });
    assert.deepEqual([code, err, note.test(out)], [0, "", false]);
    assert.match(out, /21\.5/);
  });

  for (const [verb, check] of Object.entries(CALLS)) it(`pack-auth ${verb} does its work`, check);
});
