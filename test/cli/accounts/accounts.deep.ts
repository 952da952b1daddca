// `pack-auth connect`, `accounts` and `sandbox` as people and scripts call them: the real sandbox, an encrypted file in
// place of a keyring, and a browser that really goes there.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withId } from "../../../platform/accounts/account-name.ts";
import { browse } from "../../support/browser.ts";
import { type CliOptions, callCli, callProgram } from "../../support/call-cli.ts";
import { openForwarding } from "../../support/forwarding.ts";
import { root } from "../../support/packs.ts";

const cli = join(root, "dist/cli.cjs");
const example = (name: string): string => join(root, "examples", name);

describe("accounts on the command line", function () {
  this.timeout(60_000);
  let home: string;
  let sandbox: ChildProcess;
  let environment: NodeJS.ProcessEnv;

  const call = (args: readonly string[], { env, ...options }: CliOptions = {}) =>
    callCli(args, { ...options, env: { ...environment, ...env } });

  before(async () => {
    home = mkdtempSync(join(tmpdir(), "pack-auth-cli-home-"));
    environment = {
      PATH: process.env.PATH,
      PACK_AUTH_HOME: home,
      PACK_AUTH_SECRET_STORE: "file",
      PACK_AUTH_PASSPHRASE: "correct horse battery staple",
      USER: "me",
    };
    sandbox = spawn(process.execPath, [cli, "sandbox", example("todo-oauth2")], { env: environment, stdio: ["ignore", "pipe", "ignore"] });
    const [line] = (await once(sandbox.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
    const [, url] = /^PACK_AUTH_SANDBOX='(.+)'$/m.exec(String(line)) ?? [];
    assert.ok(url, String(line));
    environment = { ...environment, PACK_AUTH_SANDBOX: url };
  });
  after(async () => {
    sandbox.kill("SIGINT");
    await once(sandbox, "exit");
    rmSync(home, { recursive: true, force: true });
  });

  /** Signs in with the sandbox, by the address that the command prints. Returns the outcome, and that address. */
  async function connect(env: NodeJS.ProcessEnv = {}) {
    let address: string | undefined;
    const connected = await callProgram(
      ["connect", example("todo-oauth2"), "--sandbox", "--no-browser", "--redirect", "http://127.0.0.1:0/oauth"],
      {
        env: { ...environment, ...env },
        onError: (text, child) => {
          const [, url] = /Open this address in your browser:\s+(http:\S+)/.exec(text) ?? [];
          if (url === undefined || address !== undefined) return;
          address = url;
          void browse(url, "approve").finally(() => child.stdin?.end());
        },
      },
    );
    assert.equal(connected.code, 0, connected.err);
    return { ...connected, address: new URL(address ?? "") };
  }

  it("a sign-in in the terminal of an editor in a browser uses the addresses that the editor forwards", async () => {
    const forwarding = await openForwarding("path");
    try {
      const VSCODE_PROXY_URI = (await forwarding.external("http://127.0.0.1:1/")).replace("/1/", "/{{port}}/");
      const { address } = await connect({ VSCODE_PROXY_URI, PACK_AUTH_HOME: join(home, "forwarded") });
      for (const each of [address.href, address.searchParams.get("redirect_uri") ?? ""]) assert.match(each, /\/user\/ada\/proxy\/\d+\//);
    } finally {
      forwarding.close();
    }
  });

  it("an account connects through the browser, is listed, used, refreshed and removed", async () => {
    const connected = await connect();
    assert.equal(connected.out, "Connected alice@todo.example (sandbox) to todo-oauth2.\n");

    const listed = await call(["accounts", "list", "--json"]);
    const { accounts } = JSON.parse(listed.out) as { accounts: readonly { label: string; type: string; state: string }[] };
    assert.deepEqual(
      accounts.map(({ label, type, state }) => [label, type, state]),
      [["alice@todo.example", "OAuth2", "ready"]],
    );

    const ran = await call(["run", example("todo-oauth2"), "GetTask", "7"]);
    assert.equal(ran.code, 0, ran.err);
    assert.match(ran.out, /Buy milk/);

    const refreshed = await call(["accounts", "refresh", "alice@todo.example"]);
    assert.equal(refreshed.code, 0, refreshed.err);
    assert.match(refreshed.out, /^Refreshed alice@todo\.example, until 20/);

    // Nothing readable of a token lies in the folder.
    const files = readdirSync(home, { recursive: true, encoding: "utf8" })
      .map((name) => join(home, name))
      .filter((path) => statSync(path).isFile());
    assert.ok(files.length > 0);
    for (const file of files) assert.doesNotMatch(readFileSync(file, "latin1"), /accessToken|refreshToken|sandbox-secret-/);

    const another = { env: { PACK_AUTH_PASSPHRASE: "another one" } };
    const remedy = "Set PACK_AUTH_PASSPHRASE to the passphrase that they were stored with.";
    const failedRun = await call(["run", example("todo-oauth2"), "GetTask", "7"], another);
    assert.equal(failedRun.code, 1);
    assert.ok(failedRun.err.includes(`cannot be used: the passphrase does not open its credentials.\n${remedy}`), failedRun.err);
    const unopened = await call(["accounts"], another);
    assert.equal(unopened.code, 1);
    assert.equal(
      unopened.err,
      `pack-auth: These accounts cannot be used: alice@todo.example (the passphrase does not open its credentials). ${remedy}\n`,
    );
    assert.ok(unopened.out.trimEnd().endsWith(` · sealed: the passphrase does not open its credentials. ${remedy}`), unopened.out);
    const stale = await call(["accounts", "refresh", "alice@todo.example"], another);
    assert.equal(stale.code, 1);
    assert.ok(stale.err.includes(`cannot be refreshed: the passphrase does not open its credentials. ${remedy}`), stale.err);
    const mistyped = await call(["connect", example("weather-bearer")], { ...another, input: "my-secret-token-of-nobody\n" });
    assert.equal(mistyped.code, 1);
    assert.match(mistyped.err, /^pack-auth: The passphrase is not that of the stored credentials, so nothing was stored\./);
    assert.match((await call(["accounts"])).out, / · ready\n$/);

    const removed = await call(["accounts", "remove", "alice@todo.example", "--json"]);
    const { version, label } = JSON.parse(removed.out);
    assert.deepEqual([version, label], [1, "alice@todo.example"]);
    assert.match((await call(["accounts"])).err, /No account is connected/);
  });

  it("three simultaneous sign-ins make three accounts with distinct labels and IDs", async () => {
    const env = { PACK_AUTH_HOME: join(home, "at-once") };
    const pack = example("weather-bearer");
    const signIn = () => callProgram(["connect", pack], { env: { ...environment, ...env }, input: "my-secret-token-of-nobody\n" });
    for (const { code, err } of await Promise.all([signIn(), signIn(), signIn()])) assert.equal(code, 0, err);
    const list = async () =>
      (JSON.parse((await call(["accounts", "--json"], { env })).out) as { accounts: readonly { id: string; label: string }[] }).accounts;
    const accounts = await list();
    assert.deepEqual(accounts.map(({ label }) => label).sort(), ["me", "me 2", "me 3"]);
    const [first, second, third] = accounts.map(({ id }) => id) as [string, string, string];
    const several = await call(["run", pack, "Temperature", "Oslo"], { env });
    assert.equal(several.code, 2);
    for (const { id, label } of accounts) assert.ok(several.err.includes(withId({ id, label })), several.err);
    const chosen = await call(["run", pack, "Auth:getConnectionName", "--account", first], { env });
    assert.doesNotMatch(chosen.err, /There is no account|several accounts/);
    assert.match((await call(["accounts", "refresh", third], { env })).err, /^pack-auth: “?me( \d)?”? has no token to refresh\./);
    assert.equal((await call(["accounts", "remove", second], { env })).code, 0);
    assert.deepEqual(
      (await list()).map(({ id }) => id),
      [first, third],
    );
  });

  it("a terminal prompt repeats until the credential is right, and end of input cancels", async () => {
    const connected = await call(["connect", example("weather-bearer")], { input: "\nmy-secret-token-of-nobody\n" });
    assert.equal(connected.code, 0, connected.err);
    assert.match(connected.err, /Enter a value/);
    assert.doesNotMatch(connected.err + connected.out, /my-secret-token-of-nobody/);
    const cancelled = await call(["connect", example("custom-placeholders")], { input: "" });
    assert.deepEqual([cancelled.code, cancelled.out], [130, ""]);
    assert.match(cancelled.err, /Nothing was stored/);
  });

  for (const [what, args, code, message] of [
    ["no pack", ["connect"], 2, /has none of pack\.ts/],
    ["a folder without a pack", ["connect", "/"], 2, /has none of pack\.ts/],
    ["a redirect elsewhere", ["connect", example("todo-oauth2"), "--redirect", "https://example.com/"], 2, /address of this machine/],
    ["an unknown account to sign in again", ["connect", example("todo-oauth2"), "--again", "nobody"], 2, /no user account nobody/],
    ["an unknown action", ["accounts", "destroy"], 2, /Use list, refresh or remove/],
    ["an option of another act", ["accounts", "list", "--node", "node"], 2, /Remove --node: accounts list does not take it/],
    ["an unknown account", ["accounts", "remove", "nobody"], 2, /There is no account nobody/],
    ["an unknown switch", ["sandbox", example("todo-oauth2"), "apy=429"], 2, /There is no switch apy/],
    ["a switch's wrong value", ["sandbox", example("todo-oauth2"), "api=418"], 2, /api must be none, slow, 500, 429/],
    ["a pack that needs an account", ["run", example("crm-set-endpoint"), "Contact", "Bob"], 1, /pack-auth connect/],
  ] as const) {
    it(`a wrong call is explained: ${what}`, async () => {
      const { code: exitCode, err } = await call([...args]);
      assert.equal(exitCode, code, err);
      assert.match(err, message);
    });
  }

  it("a missing passphrase, keyring or sandbox is reported with what to do", async () => {
    const bare = await call(["accounts"], { env: { PACK_AUTH_PASSPHRASE: "" } });
    assert.equal(bare.code, 2);
    assert.match(bare.err, /set PACK_AUTH_PASSPHRASE/);
    const withoutKeyring = { PACK_AUTH_SECRET_STORE: "keyring", DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };
    const nothing = await call(["accounts"], { env: { ...withoutKeyring, PACK_AUTH_HOME: join(home, "nothing") } });
    assert.deepEqual([nothing.code, nothing.err], [0, "No account is connected. Connect one with pack-auth connect <pack>.\n"]);
    assert.equal((await call(["connect", example("weather-bearer")], { input: "the-pasted-token\n" })).code, 0);
    const keyring = await call(["accounts"], { env: withoutKeyring });
    assert.equal(keyring.code, 1);
    assert.match(keyring.err, /keyring cannot be reached.*PACK_AUTH_SECRET_STORE=file/s);
    const alone = await call(["connect", example("todo-oauth2"), "--sandbox"], { env: { PACK_AUTH_SANDBOX: "" } });
    assert.equal(alone.code, 2);
    assert.match(alone.err, /pack-auth sandbox <pack>/);
  });

  it("accounts are listed beside a damaged file, which is named", async () => {
    const folder = mkdtempSync(join(home, "damaged-"));
    mkdirSync(join(folder, "accounts"));
    const file = join(folder, "accounts", "abc.json");
    writeFileSync(file, '{"id": "abc", "pa');
    for (const args of [["accounts"], ["run", example("todo-oauth2"), "GetTask", "7"]]) {
      const { err } = await call(args, { env: { PACK_AUTH_HOME: folder } });
      assert.ok(err.includes(`The account in ${file} cannot be read.`), err);
    }
  });
});
