// Runs with accounts of packauth.accounts.json: real processes, a real program in place of 1Password's, and a server that records what came.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { callCli, storedIn } from "../../support/call-cli.ts";
import { type FakeOp, fakeOp } from "../../support/fake-op.ts";
import { hasTerminal, onTerminal } from "../../support/on-terminal.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";

const CANARY = "canary-of-the-team-93b1";
const DOMAINS = { PACK_AUTH_DOMAINS: "127.0.0.1" };
const VARIABLE = { PACK_AUTH_ALICE_TOKEN: CANARY };

describe("accounts of packauth.accounts.json on the command line", function () {
  this.timeout(60_000);
  let server: Server;
  let home: string;
  let op: FakeOp;
  const received: (string | undefined)[] = [];
  const outputs: string[] = [];
  const packs: string[] = [];
  before(async () => {
    server = createServer((request, response) => {
      received.push(request.headers.authorization);
      response.setHeader("content-type", "application/json").end(`"there, ${request.headers.authorization}"`);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    op = fakeOp(`process.stdout.write(${JSON.stringify(CANARY)});`);
  });
  after(() => {
    server.close();
    op.remove();
    removePackFiles();
  });
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "pack-auth-home-"));
    received.splice(0);
    outputs.splice(0);
  });
  afterEach(() => {
    const text = [...outputs, ...filesIn(home), ...packs.splice(0).flatMap((pack) => filesIn(dirname(pack)))].join("\n");
    assert.doesNotMatch(text, /canary/, "the value is in no output and in no file");
    rmSync(home, { recursive: true, force: true });
  });

  const source = (domain = ""): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("127.0.0.1");
${domain === "" ? "" : `pack.addNetworkDomain("${domain}");`}
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.addFormula({ name: "Get", description: "g", resultType: coda.ValueType.String, parameters: [],
  execute: async (_: any, context: any) => (await context.fetcher.fetch({ method: "GET", url: "http://127.0.0.1:${(server.address() as AddressInfo).port}/" })).body } as any);
`;
  const fileOf = (token: string, label = "alice"): string => JSON.stringify({ version: 1, accounts: [{ label, secrets: { token } }] });
  function packWith(token: string, label?: string): string {
    const pack = packFiles({ "pack.ts": source(), "packauth.accounts.json": fileOf(token, label) });
    packs.push(pack);
    return pack;
  }
  async function call(args: readonly string[], env: NodeJS.ProcessEnv = {}, lines: readonly string[] = []) {
    const result = await callCli(args, { env: { ...storedIn(home), ...env }, lines });
    outputs.push(result.out, result.err);
    return result;
  }
  const run = (pack: string, env: NodeJS.ProcessEnv = {}, account = "alice") =>
    call(["run", pack, "Get", "--allow-loopback", "--account", account], env);

  it("a run without a terminal needs PACK_AUTH_DOMAINS to name every host", async () => {
    const pack = packWith("env:PACK_AUTH_ALICE_TOKEN");
    for (const domains of ["", "other.example"]) {
      const result = await run(pack, { ...VARIABLE, PACK_AUTH_DOMAINS: domains });
      assert.deepEqual([result.code, received], [1, []], result.err);
      assert.match(result.err, /credentials of the account alice would go to 127\.0\.0\.1, which PACK_AUTH_DOMAINS does not name/);
    }
    const named = await run(pack, { ...VARIABLE, ...DOMAINS });
    assert.deepEqual([named.code, named.out, received], [0, "there, Bearer ••••\n", [`Bearer ${CANARY}`]], named.err);
    writeFileSync(pack, source("evil.example"));
    const added = await run(pack, { ...VARIABLE, ...DOMAINS });
    assert.deepEqual([added.code, received.length], [1, 1], added.err);
    assert.match(added.err, /would go to evil\.example/);
  });

  it("a run reads op:// with the program of PACK_AUTH_OP, and with no other", async () => {
    const pack = packWith("op://vault/shop/token");
    const without = await run(pack, { ...DOMAINS, PATH: `${op.folder}:${process.env.PATH}` });
    assert.deepEqual([without.code, received, op.calls().length], [1, [], 0], without.err);
    assert.match(without.err, /PACK_AUTH_OP is not set/);
    const refused = await run(pack, { PACK_AUTH_OP: op.path });
    assert.deepEqual([refused.code, received, op.calls().length], [1, [], 0], refused.err);
    const named = await run(pack, { ...DOMAINS, PACK_AUTH_OP: op.path });
    assert.deepEqual([named.code, received], [0, [`Bearer ${CANARY}`]], named.err);
    const [only, ...otherCalls] = op.calls();
    assert.deepEqual([only?.args, otherCalls.length], [["read", "--no-newline", "op://vault/shop/token"], 0]);
    assert.doesNotMatch(JSON.stringify(only?.environment), /correct horse|PACK_AUTH_/);
  });

  it("a stored account with the label is used first, even if the file's variable is set", async () => {
    const pack = packWith("env:PACK_AUTH_ME_TOKEN", "me");
    const connected = await call(["connect", pack, "--allow-loopback"], {}, ["stored-token-1", "1"]);
    assert.equal(connected.code, 0, connected.err);
    const result = await run(pack, { PACK_AUTH_ME_TOKEN: CANARY }, "me");
    assert.deepEqual([result.code, received], [0, ["Bearer stored-token-1"]], result.err);
  });

  it("a run without a choice reads no reference, and names the accounts of the file", async () => {
    const pack = packWith("env:PACK_AUTH_ALICE_TOKEN");
    const result = await call(["run", pack, "Get", "--allow-loopback"], { ...VARIABLE, ...DOMAINS });
    assert.deepEqual([result.code, received], [1, []], result.err);
    assert.match(result.err, /Or choose an account of packauth\.accounts\.json with --account: alice\./);
  });

  it("the file's account is chosen by its ID if a stored one has its label", async () => {
    const pack = packWith("env:PACK_AUTH_ME_TOKEN", "me");
    await call(["connect", pack, "--allow-loopback"], {}, ["stored-token-1", "1"]);
    const { fileAccounts } = JSON.parse((await call(["accounts", "list", "--pack", pack, "--json"])).out);
    const result = await run(pack, { PACK_AUTH_ME_TOKEN: CANARY, ...DOMAINS }, fileAccounts[0].id);
    assert.deepEqual([result.code, received], [0, [`Bearer ${CANARY}`]], result.err);
  });

  it("a run with a label that no account has says that a file above the pack is not read", async () => {
    const folder = dirname(packFiles({ "packs/one/pack.ts": source(), "packauth.accounts.json": fileOf("env:PACK_AUTH_ALICE_TOKEN") }));
    const pack = join(folder, "packs/one/pack.ts");
    const result = await run(pack, { PACK_AUTH_BOB_TOKEN: CANARY, ...DOMAINS });
    assert.deepEqual([result.code, received], [2, []], result.err);
    assert.match(result.err, /no account alice, stored, in the environment or in a packauth\.accounts\.json beside pack\.ts/);
  });

  it("a broken file is one line, and other accounts still run", async () => {
    const pack = packWith(CANARY);
    const result = await run(pack, { PACK_AUTH_BOB_TOKEN: "token-of-bob", ...DOMAINS }, "bob");
    assert.deepEqual([result.code, received], [0, ["Bearer token-of-bob"]], result.err);
    assert.match(result.err, /^packauth\.accounts\.json cannot be used: at accounts\[0\]\.secrets\.token\. This is a secret/);
    const none = await run(pack);
    assert.deepEqual([none.code, received.length], [2, 1], none.err);
    writeFileSync(join(dirname(pack), "packauth.accounts.json"), "{}");
  });

  it("the list shows the account with its references, and whether somebody accepted them", async () => {
    const pack = packWith("op://vault/shop/token");
    const listed = await call(["accounts", "list", "--pack", pack]);
    assert.match(
      listed.out,
      /^alice · pack-auth-pack-\w+ · from packauth\.accounts\.json, not stored · token: op:\/\/vault\/shop\/token · unaccepted: nobody accepted its references\. On a terminal, call pack-auth run with the pack, a formula and --account team-[0-9a-f]{12}, and accept them\.\n$/,
    );
    const { fileAccounts } = JSON.parse((await call(["accounts", "list", "--pack", pack, "--json"])).out);
    const [{ id, nextStep, ...only }, ...more] = fileAccounts;
    assert.deepEqual(
      [only, more],
      [
        {
          label: "alice",
          scope: "user",
          secrets: { token: "op://vault/shop/token" },
          pack: realpathSync(pack),
          state: "unaccepted",
          reason: "nobody accepted its references",
        },
        [],
      ],
    );
    assert.ok(nextStep.includes(`--account ${id},`), nextStep);
  });

  (hasTerminal ? it : it.skip)("a person on a terminal is asked once, and again after a change", async () => {
    const pack = packWith("env:PACK_AUTH_ALICE_TOKEN");
    const answer = async (key: string, env: NodeJS.ProcessEnv = VARIABLE) => {
      let isTyped = false;
      const command = [process.execPath, join(root, "dist/cli.cjs"), "run", pack, "Get", "--allow-loopback", "--account", "alice"];
      const result = await onTerminal(command, {
        env: { ...storedIn(home), ...env },
        columns: 200,
        type(text) {
          if (isTyped || !text.includes("y/N >")) return undefined;
          isTyped = true;
          return `${key}\r`;
        },
      });
      outputs.push(result.text);
      return { ...result, isAsked: isTyped };
    };
    const no = await answer("");
    assert.deepEqual([no.isAsked, no.code, received], [true, 1, []], no.text);
    assert.match(no.text, /token: env:PACK_AUTH_ALICE_TOKEN\s+Their values go to: 127\.0\.0\.1/);
    assert.match(no.text, /were not read: nobody accepted that/);
    // PACK_AUTH_DOMAINS is for continuous integration only.
    const named = await answer("n", { ...VARIABLE, ...DOMAINS });
    assert.deepEqual([named.isAsked, named.code, received], [true, 1, []], named.text);
    const yes = await answer("y");
    assert.deepEqual([yes.isAsked, yes.code, received], [true, 0, [`Bearer ${CANARY}`]], yes.text);
    const again = await answer("n");
    assert.deepEqual([again.isAsked, again.code, received.length], [false, 0, 2], again.text);
    assert.match((await call(["accounts", "list", "--pack", pack])).out, /· accepted\n$/);
    // The yes of the terminal does not count without one.
    assert.equal((await run(pack, VARIABLE)).code, 1);
    writeFileSync(join(dirname(pack), "packauth.accounts.json"), fileOf("env:PACK_AUTH_BOB_TOKEN"));
    const changed = await answer("n", { PACK_AUTH_BOB_TOKEN: CANARY });
    assert.deepEqual([changed.isAsked, changed.code, received.length], [true, 1, 2], changed.text);
    assert.match(changed.text, /Something changed since your last yes/);
    writeFileSync(join(dirname(pack), "packauth.accounts.json"), fileOf("env:PACK_AUTH_ALICE_TOKEN"));
    writeFileSync(pack, source("evil.example"));
    const added = await answer("n");
    assert.deepEqual([added.isAsked, added.code, received.length], [true, 1, 2], added.text);
    assert.match(added.text, /Their values go to: 127\.0\.0\.1, evil\.example/);
  });
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((name) => {
    const path = join(folder, name);
    const isOwn = !name.startsWith("node_modules") && statSync(path).isFile() && !name.endsWith("packauth.accounts.json");
    return isOwn ? [readFileSync(path, "latin1")] : [];
  });
}
