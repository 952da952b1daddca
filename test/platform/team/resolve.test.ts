// References become values for one run: from the environment, or from a real program in place of 1Password's.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { withCredentialDomains } from "../../../platform/accounts/credential-domains.ts";
import { PackAuthError, wholeMessage } from "../../../platform/errors.ts";
import { deliveryOf } from "../../../platform/team/delivery.ts";
import { resolveAccount, type SecretSources } from "../../../platform/team/resolve.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { auth, named } from "../../support/broker.ts";
import { type FakeOp, fakeOp } from "../../support/fake-op.ts";

const CANARY = "canary-value-77aa";

const deliver = (user: AuthenticationDefinition, secrets: Readonly<Record<string, string>>) =>
  deliveryOf(
    { label: "alice", scope: "user", secrets },
    withCredentialDomains({ networkDomains: ["shop.example"], userAuthentication: user, formulas: [], syncTables: [] }),
  );
const BEARER = auth("HeaderBearerToken");

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("the value of a reference", () => {
  let op: FakeOp | undefined;
  afterEach(() => {
    op?.remove();
    op = undefined;
  });

  const sources = (more: Partial<SecretSources> = {}): SecretSources => ({
    environment: { PATH: process.env.PATH, HOME: "/nowhere" },
    program: op?.path,
    programSetting: "PACK_AUTH_OP",
    ...more,
  });
  const read = (more: Partial<SecretSources> = {}) => resolveAccount(deliver(BEARER, { token: "op://vault/shop/token" }), sources(more));
  const failure = async (work: Promise<unknown>): Promise<string> => {
    try {
      await work;
    } catch (error) {
      assert.ok(error instanceof PackAuthError && error.code === "reference-unresolved", String(error));
      return wholeMessage(error);
    }
    return "";
  };

  it("a value of the environment is read for every type of authentication", async () => {
    const environment = { PACK_AUTH_A: "first", PACK_AUTH_B: "second" };
    const [a, b] = ["env:PACK_AUTH_A", "env:PACK_AUTH_B"];
    const credentials: readonly [AuthenticationDefinition, Readonly<Record<string, string>>, unknown][] = [
      [BEARER, { token: a }, { kind: "token", token: "first" }],
      [auth("WebBasic"), { username: a, password: b }, { kind: "basic", username: "first", password: "second" }],
      [auth("OAuth2"), { accessToken: a }, { kind: "oauth2", accessToken: "first" }],
      [
        auth("Custom", { params: [named("key"), named("constructor")] }),
        { key: a, constructor: b },
        { kind: "values", values: { key: "first", constructor: "second" } },
      ],
      [auth("AWSAccessKey"), { accessKeyId: a, secretAccessKey: b }, { kind: "aws", accessKeyId: "first", secretAccessKey: "second" }],
    ];
    for (const [user, secrets, credential] of credentials)
      assert.deepEqual(await resolveAccount(deliver(user, secrets), sources({ environment })), { scope: "user", credential });
  });

  it("a value of a variable that is not set names the variable", async () => {
    const work = resolveAccount(deliver(BEARER, { token: "env:PACK_AUTH_A" }), sources({ environment: { PACK_AUTH_A: "" } }));
    assert.equal(
      await failure(work),
      "The secret token of the account alice in packauth.accounts.json could not be read: PACK_AUTH_A is not set. Set PACK_AUTH_A in the environment. An editor or a server reads it when it starts.",
    );
  });

  it("a value of the program is read with a fixed list of arguments, and an environment of named variables", async () => {
    op = fakeOp(`process.stdout.write(${JSON.stringify(CANARY)});`);
    const environment = {
      PATH: process.env.PATH,
      HOME: "/nowhere",
      OP_SERVICE_ACCOUNT_TOKEN: "ops_service",
      OP_SESSION_my: "session",
      OP_ACCOUNT: "my.1password.com",
      OP_CONNECT_TOKEN: "connect",
      PACK_AUTH_PASSPHRASE: "opens every account",
      PACK_AUTH_OTHER_TOKEN: "other",
      GITHUB_TOKEN: "ghp",
      AWS_SECRET_ACCESS_KEY: "aws",
      NODE_OPTIONS: "--no-warnings",
    };
    const account = await read({ environment });
    assert.deepEqual(account.credential, { kind: "token", token: CANARY });
    const calls = op.calls();
    assert.deepEqual(
      calls.map(({ args, folder }) => [args, folder]),
      [[["read", "--no-newline", "op://vault/shop/token"], op.folder]],
    );
    assert.deepEqual(
      Object.keys(calls[0]?.environment ?? {})
        .filter((name) => !/^(?:LC_\w+|__\w+)$/.test(name))
        .sort(),
      ["HOME", "OP_ACCOUNT", "OP_SERVICE_ACCOUNT_TOKEN", "OP_SESSION_my", "PATH"],
    );
  });

  it("a program that no person named is not searched for", async () => {
    assert.match(await failure(read()), /PACK_AUTH_OP is not set\. Set PACK_AUTH_OP to the absolute path/);
    for (const program of ["op", "./op", "node_modules/.bin/op"]) assert.match(await failure(read({ program })), /is not an absolute path/);
    assert.match(
      await failure(read({ program: "/nowhere/op" })),
      /op could not be started\. Set PACK_AUTH_OP to the absolute path of 1Password's program op\./,
    );
  });

  it("a program that fails is named with its exit code, without a word of its output", async () => {
    op = fakeOp(`
      process.stdout.write("${CANARY}\\n");
      process.stderr.write("\\n\\u001b[31mno session for ${CANARY} ops_service_token\\u202e" + "x".repeat(1000) + "\\nsecond line");
      process.exitCode = 6;`);
    const shown = await failure(read({ environment: { PATH: process.env.PATH, OP_SERVICE_ACCOUNT_TOKEN: "ops_service_token" } }));
    assert.match(shown, /op ended with code 6\. Check that op is signed in, and that it can read op:\/\/vault\/shop\/token\.$/);
    assert.doesNotMatch(shown, /canary|ops_service_token|session|second line/);
  });

  it("a program that returns nothing, too much, or never ends is an error with its reason", async () => {
    op = fakeOp("");
    assert.match(await failure(read()), /op returned an empty value/);
    op.remove();
    op = fakeOp('process.stdout.write("\\n");');
    assert.match(await failure(read()), /op returned an empty value/);
    op.remove();
    op = fakeOp(`process.stdout.write("${CANARY}".repeat(10_000));`);
    assert.match(await failure(read()), /op returned more than 64 KiB/);
    op.remove();
    op = fakeOp(`process.on("SIGTERM", () => {}); process.stdout.write("${CANARY}"); setInterval(() => {}, 1000);`);
    assert.match(await failure(read({ deadline: 1_500 })), /op did not end within 1\.5 s/);
    assert.match(await failure(read({ signal: AbortSignal.timeout(500) })), /the run was stopped/);
  });

  it("a program that ignores SIGTERM is gone after a stop", async () => {
    op = fakeOp(`process.on("SIGTERM", () => {}); process.stdout.write("${CANARY}"); setInterval(() => {}, 1000);
require("node:fs").writeFileSync(__dirname + "/pid", String(process.pid));`);
    const pidFile = join(op.folder, "pid");
    const stop = new AbortController();
    const stopped = failure(read({ signal: stop.signal }));
    while (!existsSync(pidFile)) await delay(20);
    stop.abort();
    await stopped;
    const pid = Number(readFileSync(pidFile, "utf8"));
    while (isRunning(pid)) await delay(20);
  });

  it("a program whose own child outlives it does not hold the run up", async () => {
    const child = `require("node:child_process").spawn(process.execPath, ["-e", "setTimeout(() => {}, 20_000)"], { stdio: ["ignore", "inherit", "inherit"] });`;
    op = fakeOp(`${child} setInterval(() => {}, 1000);`);
    const start = Date.now();
    assert.match(await failure(read({ signal: AbortSignal.timeout(1_500) })), /the run was stopped/);
    assert.match(await failure(read({ deadline: 1_500 })), /op did not end within 1\.5 s/);
    assert.ok(Date.now() - start < 15_000, "it did not wait for the child");
  });

  it("a value that no credential can be is refused as a typed one is", async () => {
    for (const value of ["two\nlines", "“quoted”", "tok…en"]) {
      op?.remove();
      op = fakeOp(`process.stdout.write(${JSON.stringify(value)});`);
      await assert.rejects(read(), { code: "credentials-missing", message: /^The secret token of the account alice .* cannot be used\.$/ });
    }
  });

  it("a reference that was never checked starts no program", async () => {
    op = fakeOp(`process.stdout.write("x");`);
    for (const token of ["op://--help", "op://vault/item/field\n--x", "env:PATH", "env:PACK_AUTH_PASSPHRASE", CANARY]) {
      const work = resolveAccount(deliver(BEARER, { token }), sources({ environment: { ...process.env, PACK_AUTH_PASSPHRASE: CANARY } }));
      const shown = await failure(work);
      assert.match(shown, /its reference may not be resolved/);
      assert.doesNotMatch(shown, /canary/);
    }
    assert.deepEqual(op.calls(), []);
  });

  it("a value is in no file of the program's folder and in no argument", async () => {
    op = fakeOp(`process.stdout.write(${JSON.stringify(CANARY)});`);
    await read();
    assert.ok(existsSync(op.path));
    assert.doesNotMatch(JSON.stringify(op.calls()), /canary-value/);
  });
});
