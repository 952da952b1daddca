// The command on machines that lack something: room for files or processes, a home, a place for temporary files, a reader. It says what is
// missing and what to do about it, and touches nothing else.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { notRun } from "../../support/not-run.ts";
import { root } from "../../support/packs.ts";

const cli = join(root, "dist/cli.cjs");
const example = (name: string): string => join(root, "examples", name);

const OTHER_USER = 54_321;

/** Returns why no command can be run as another user here. */
function problemOfOtherUser(): string | undefined {
  if (process.getuid?.() !== 0) return "only root may start one";
  const { status } = spawnSync("/bin/sh", ["-c", 'test -r "$1"', "sh", cli], { uid: OTHER_USER, gid: OTHER_USER });
  return status === 0 ? undefined : "that user may not read the folder of this checkout";
}

describe("the command on an odd machine", function () {
  this.timeout(60_000);
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "pack-auth-odd-"));
    chmodSync(home, 0o777);
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  interface Options {
    readonly env?: NodeJS.ProcessEnv;
    readonly input?: string;
    /** What the shell does first. */
    readonly before?: string;
    readonly uid?: number;
  }
  /** In a process group of its own: what goes wrong must not reach the tests. */
  function call(args: readonly string[], { env, input, before = ":", uid }: Options = {}) {
    const { PATH } = process.env;
    const all = {
      PATH,
      HOME: home,
      PACK_AUTH_HOME: join(home, "accounts"),
      PACK_AUTH_SECRET_STORE: "file",
      PACK_AUTH_PASSPHRASE: "phrase",
    };
    const result = spawnSync("/bin/sh", ["-c", `${before}; exec "$@"`, "sh", process.execPath, cli, ...args], {
      encoding: "utf8",
      cwd: home,
      env: { ...all, ...env },
      ...(input === undefined ? {} : { input }),
      ...(uid === undefined ? {} : { uid, gid: uid }),
      detached: true,
    } as Parameters<typeof spawnSync>[2] & { encoding: "utf8" });
    const { status, signal, stdout, stderr } = result;
    assert.equal(signal, null, stderr);
    assert.doesNotMatch(stderr, /it is a bug|\n {4}at .*(?:node:|\.cjs)/, `${args.join(" ")}`);
    return { code: status, stdout, stderr };
  }
  before(function () {
    if (process.platform === "win32") this.skip();
  });

  describe("few file handles", () => {
    for (const count of [20, 22, 24, 26, 28, 32])
      it(`a run succeeds or reports too many open files (${count})`, function () {
        // Newer versions of Node need more for themselves.
        if (spawnSync("/bin/sh", ["-c", `ulimit -n ${count}; exec "$@"`, "sh", process.execPath, cli, "--version"]).status !== 0)
          this.skip();
        const { code, stderr } = call(["run", example("todo-oauth2"), "GetTask", "7", "--sandbox"], { before: `ulimit -n ${count}` });
        if (code !== 0) assert.match(stderr, /too many files are open|EMFILE|EINVAL/);
        if (code !== 0) assert.match(stderr, /raise the limit of open files/);
      });
  });

  describe("no place for temporary files", () => {
    for (const [verb, ...args] of [
      ["run", example("todo-oauth2"), "GetTask", "7", "--sandbox"],
      ["drill", example("todo-oauth2"), "GetTask", "7"],
      ["connect", example("weather-bearer")],
    ])
      it(`${verb} names the folder, and the variable for another one`, () => {
        const { code, stderr } = call([verb as string, ...args], { env: { TMPDIR: join(home, "missing") }, input: "a-long-token\n" });
        assert.equal(code, 1);
        assert.match(stderr, /The folder \S+missing for temporary files cannot be used: ENOENT.*\n?.*Set the environment variable TMPDIR/);
      });
  });

  describe("another user", () => {
    const problem = problemOfOtherUser();
    if (problem !== undefined) return notRun(`the command as another user (${problem})`);

    it("an unreadable folder is named, and the files beside it are checked", () => {
      mkdirSync(join(home, "database"), { mode: 0o700 });
      writeFileSync(join(home, "pack.ts"), "export const nothing = 1;\n");
      for (const args of [["check"], ["check", "--fix"]]) {
        const { code, stdout, stderr } = call(args, { uid: OTHER_USER });
        assert.equal(code, 2);
        assert.match(stdout, /0 errors, 0 warnings in 1 file/);
        assert.match(
          stderr,
          /^pack-auth: The folder .*database cannot be read: EACCES.* Change its permissions, or name it in \.gitignore\.$/m,
        );
      }
      rmSync(join(home, "pack.ts"));
      assert.match(call(["check"], { uid: OTHER_USER }).stderr, /database cannot be read/);
      assert.match(call(["check", "database"], { uid: OTHER_USER }).stderr, /database cannot be read/);
    });

    describe("no home folder", () => {
      it("a pack is checked", () => {
        const { code, stdout } = call(["check", example("weather-bearer")], { uid: OTHER_USER, env: { HOME: undefined } });
        assert.equal(code, 0);
        assert.match(stdout, /0 errors/);
      });

      it("accounts need PACK_AUTH_HOME, which the error names", () => {
        const { code, stderr } = call(["accounts"], { uid: OTHER_USER, env: { HOME: undefined, PACK_AUTH_HOME: undefined } });
        assert.equal(code, 1);
        assert.match(stderr, /Set PACK_AUTH_HOME to a folder that you can write/);
      });

      it("an account is connected for a user without a name", () => {
        const { code, stdout, stderr } = call(["connect", example("weather-bearer")], {
          uid: OTHER_USER,
          env: { HOME: undefined },
          input: "a-long-token\n",
        });
        assert.equal(code, 0, stderr);
        assert.match(stdout, /Saved/);
      });
    });
  });

  for (const name of ["", "relative"])
    it(`a HOME that is ${name === "" ? "empty" : name} counts as none, and the working directory stays empty`, () => {
      const { code, stderr } = call(["accounts"], { env: { HOME: name, PACK_AUTH_HOME: undefined } });
      assert.equal(code, 1);
      assert.match(stderr, /Set PACK_AUTH_HOME to a folder that you can write/);
      call(["check", example("weather-bearer")], { env: { HOME: name } });
      assert.deepEqual(readdirSync(home), []);
    });

  it("a sign-in at the sandbox works when localhost does not resolve", () => {
    const preload = join(home, "no-localhost.cjs");
    writeFileSync(
      preload,
      `const dns = require("node:dns");
const { lookup } = dns;
dns.lookup = (name, options, done) =>
  name === "localhost" ? process.nextTick(done, Object.assign(new Error("no localhost"), { code: "ENOTFOUND" })) : lookup(name, options, done);`,
    );
    const env = { NODE_OPTIONS: `--require=${preload}` };
    const { code, stdout, stderr } = call(["run", example("todo-oauth2"), "GetTask", "7", "--sandbox"], { env });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /"Id": "7"/);
  });

  it("an output that cannot be written is reported", function () {
    if (process.platform !== "linux") this.skip();
    for (const args of [["--version"], ["check", example("weather-bearer")], ["explain"]]) {
      const { code, stderr } = call(args, { before: "exec >/dev/full" });
      assert.equal(code, 2);
      assert.match(stderr, /^pack-auth: standard output could not be written: .*ENOSPC/m);
    }
  });
});
