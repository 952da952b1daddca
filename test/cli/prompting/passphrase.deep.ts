// The passphrase of the encrypted file, typed on a real terminal: it is hidden, asked for once and only if a secret is read or stored.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callCli, callProgram, storedIn } from "../../support/call-cli.ts";
import { notRun } from "../../support/not-run.ts";
import { type Answer, answering, CTRL_C, CTRL_D, hasTerminal, onTerminal } from "../../support/on-terminal.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";
import { filesIn, filesWith, uniqueSecret, watchProcesses } from "../../support/secret-traces.ts";

const TOKEN = uniqueSecret();
const PASSPHRASE = uniqueSecret();
const WRONG = uniqueSecret();
const SECRETS = [TOKEN, PASSPHRASE, WRONG];

const QUESTION: Answer[0] = /Passphrase of the stored credentials > $/;
const NEW: Answer[0] = /New passphrase .*Nothing opens them without it > $/;
const AGAIN: Answer[0] = /The same passphrase again > $/;

describe("the passphrase on a terminal", function () {
  this.timeout(120_000);
  let home: string;
  const { PACK_AUTH_PASSPHRASE: _, ...withoutPassphrase } = storedIn("");
  const env = (): NodeJS.ProcessEnv => ({ ...withoutPassphrase, PACK_AUTH_HOME: home });
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "pack-auth-passphrase-"));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));
  after(removePackFiles);

  /** Calls the command on a terminal. No secret may be in its output, in a file, or in the arguments or environment of a process. */
  async function call(args: readonly string[], ...answers: readonly Answer[]) {
    const watch = watchProcesses(SECRETS);
    const result = await onTerminal([process.execPath, join(root, "dist/cli.cjs"), ...args], {
      env: { ...env(), NO_COLOR: "1" },
      columns: 300,
      type: answering(...answers),
    });
    assert.deepEqual([watch.stop(), filesWith([home], SECRETS)], [[], []]);
    for (const secret of SECRETS) assert.ok(!result.text.includes(secret), "a secret is shown");
    return { ...result, asked: result.text.split(/assphrase .*> /).length - 1 };
  }
  const addToken = () =>
    call(["api-token", "add"], [NEW, `${PASSPHRASE}\r`], [AGAIN, `${PASSPHRASE}\r`], [/API token of coda\.io.*> $/, `${TOKEN}\r`]);

  it("a command without a terminal is refused, with the variable to set", async () => {
    const { code, err } = await callCli(["api-token", "add"], { env: env(), lines: [PASSPHRASE, PASSPHRASE, TOKEN] });
    assert.deepEqual([code, err], [2, "pack-auth: The encrypted file needs a passphrase: set PACK_AUTH_PASSPHRASE in the environment.\n"]);
  });

  if (!hasTerminal) {
    notRun("a real terminal (util-linux's script is not on the PATH)");
    return;
  }

  it("a new passphrase is long enough and typed twice, and then opens what it encrypted", async () => {
    const added = await call(
      ["api-token", "add"],
      [NEW, "too short\r"],
      [/Use at least 12 characters\.[\s\S]*> $/, `${PASSPHRASE}\r`],
      [AGAIN, `${WRONG}\r`],
      [/The two passphrases differ\.[\s\S]*New passphrase.*> $/, `${PASSPHRASE}\r`],
      [AGAIN, `${PASSPHRASE}\r`],
      [/API token of coda\.io.*> $/, `${TOKEN}\r`],
    );
    assert.equal(added.code, 0, added.text);
    assert.match(added.text, /Stored the API token of coda\.io/);
    const listed = await call(["api-token", "list"], [QUESTION, `${PASSPHRASE}\r`]);
    assert.deepEqual([listed.code, listed.asked], [0, 1], listed.text);
    assert.match(listed.text, /^coda\.io\r$/m);
    // The variable and the terminal mean the same passphrase. The check of the processes finds it there.
    const watch = watchProcesses(SECRETS);
    const inEnvironment = await callProgram(["api-token"], { env: { ...env(), PACK_AUTH_PASSPHRASE: PASSPHRASE } });
    assert.equal(inEnvironment.out, "coda.io\n");
    assert.match(watch.stop().join(), /^environ of /);
  });

  it("a command that reads no secret asks for none", async () => {
    for (const args of [["api-token", "list"], ["api-token", "remove"], ["accounts"]]) {
      const { code, text, asked } = await call(args);
      assert.deepEqual([code, asked], [0, 0], text);
    }
  });

  it("a wrong passphrase can be corrected, and after three the command ends and nothing is changed", async () => {
    assert.equal((await addToken()).code, 0);
    const wrong: Answer = [QUESTION, `${WRONG}\r`];
    const corrected = await call(["api-token", "list"], wrong, [QUESTION, `${PASSPHRASE}\r`]);
    assert.deepEqual([corrected.code, corrected.asked], [0, 2], corrected.text);
    const before = filesIn(home);
    for (const args of [
      ["api-token", "list"],
      ["api-token", "add"],
    ]) {
      const { code, text, asked } = await call(args, wrong, wrong, wrong);
      assert.deepEqual([code, asked], [1, 3], text);
      assert.match(text, /The passphrase is not that of the stored credentials, so nothing was stored\. .*delete the folder/);
      assert.deepEqual(filesIn(home), before);
    }
  });

  for (const [name, key] of [
    ["Ctrl-C", CTRL_C],
    ["Ctrl-D", CTRL_D],
  ] as const)
    it(`${name} at the passphrase cancels the command, and nothing is changed`, async () => {
      const first = await call(["api-token", "add"], [NEW, key]);
      assert.equal(first.code, 130, first.text);
      assert.equal((await addToken()).code, 0);
      const before = filesIn(home);
      for (const args of [
        ["api-token", "list"],
        ["api-token", "add"],
        ["api-token", "remove"],
      ]) {
        const { code, text } = await call(args, [QUESTION, key]);
        assert.equal(code, 130, text);
        assert.match(text, /Cancelled\. No stored credential was read or changed\.\r\n$/);
        assert.deepEqual(filesIn(home), before);
      }
    });

  it("accounts are connected, and an action runs with one of them, after one question for the passphrase each time", async () => {
    const server = createServer((request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ name: /of-(\w+)$/.exec(request.headers.authorization ?? "")?.[1] }));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const url = `http://localhost:${(server.address() as AddressInfo).port}/me`;
      const entry = packFiles({
        "pack.ts": `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("localhost");
const name = async (context: any) => (await context.fetcher.fetch({ method: "GET", url: "${url}", cacheTtlSecs: 0 })).body.name;
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: name });
pack.addFormula({ name: "Write", isAction: true, description: "", parameters: [], resultType: coda.ValueType.String, execute: async ([], context) => name(context) });
`,
      });
      const connect = (label: string, ...answers: readonly Answer[]) =>
        call(["connect", entry, "--allow-loopback"], ...answers, [/oken.*> $/, `${TOKEN}-of-${label}\r`], [/\(1–\d\) > $/, "1\r"]);
      const alice = await connect("alice", [NEW, `${PASSPHRASE}\r`], [AGAIN, `${PASSPHRASE}\r`]);
      assert.equal(alice.code, 0, alice.text);
      const bob = await connect("bob", [QUESTION, `${PASSPHRASE}\r`]);
      assert.deepEqual([bob.code, bob.asked], [0, 1], bob.text);
      const one = await call(["run", entry, "Write", "--account", "bob", "--allow-loopback"], [QUESTION, `${PASSPHRASE}\r`]);
      assert.deepEqual([one.code, one.asked], [0, 1], one.text);
      const cancelled = await call(["run", entry, "Write", "--account", "bob", "--allow-loopback"], [QUESTION, CTRL_C]);
      assert.equal(cancelled.code, 130, cancelled.text);
    } finally {
      server.close();
    }
  });
});
