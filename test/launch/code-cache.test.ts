// The code cache makes starts faster and never changes what a program does: made by a run, private, and ignored where it is not whole or
// not the user's own.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeVersions } from "../support/nodes.ts";
import { root } from "../support/packs.ts";

describe("the code cache", function () {
  this.timeout(60_000);
  let home: string;
  let folder: string;
  let source: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "pack-auth-home-"));
    folder = join(home, "code");
    source = join(home, "pack.ts");
    writeFileSync(
      source,
      `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.setUserAuthentication({});\n`,
    );
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const check = (cache = folder) => {
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, [join(root, "dist/cli.cjs"), "check", source], {
      encoding: "utf8",
      env: { ...process.env, PACK_AUTH_CODE_CACHE: cache },
    });
    assert.equal(signal, null, stderr);
    assert.equal(status, 1, stderr);
    assert.match(stdout, /auth-type-missing/);
    assert.equal(stderr, "");
    return stdout;
  };
  const cached = (): readonly string[] => readdirSync(folder).map((name) => join(folder, name));
  const onlyFile = (): string => {
    const [file, ...others] = cached();
    assert.ok(file);
    assert.deepEqual(others, []);
    return file;
  };

  it("is made by a run, for the user alone, and serves the next", () => {
    const first = check();
    const file = onlyFile();
    if (process.platform !== "win32") {
      assert.equal(statSync(folder).mode & 0o777, 0o700);
      assert.equal(statSync(file).mode & 0o777, 0o600);
    }
    const { mtimeMs } = statSync(file);
    assert.equal(check(), first);
    assert.equal(statSync(onlyFile()).mtimeMs, mtimeMs, "what is good is not written again");
  });

  it("is made anew, once, by a run over many more files than the one that made it", () => {
    check();
    const small = statSync(onlyFile()).size;
    const text = readFileSync(join(root, "examples/todo-oauth2/pack.ts"), "utf8");
    const more = Array.from({ length: 8 }, (_, index) => join(home, `more-${index}.ts`));
    for (const path of more) writeFileSync(path, text);
    const checkMore = () => {
      const { status, stderr } = spawnSync(process.execPath, [join(root, "dist/cli.cjs"), "check", ...more], {
        encoding: "utf8",
        env: { ...process.env, PACK_AUTH_CODE_CACHE: folder },
      });
      assert.ok(status !== 2, stderr);
    };
    checkMore();
    const { size, mtimeMs } = statSync(onlyFile());
    assert.ok(size > small, "it holds what the small run never called");
    checkMore();
    check();
    assert.equal(statSync(onlyFile()).mtimeMs, mtimeMs, "what is good is not written again");
  });

  it("is made anew where it is cut off, changed or something else", () => {
    const first = check();
    const file = onlyFile();
    const good = readFileSync(file);
    const half = good.length >> 1;
    // The file holds its code twice: damage to one copy, as to a page of the disk. Its length is another by every run, so places counted
    // over both could be the same in each, and what is damaged alike in both is not told from what is whole.
    const damaged = (from: number): Buffer => {
      const file = Buffer.from(good);
      for (let at = from + 1_000; at < from + half; at += 5_000) file[at] = (file[at] ?? 0) ^ 0xff;
      return file;
    };
    for (const broken of [
      Buffer.alloc(0),
      good.subarray(0, half),
      damaged(0),
      damaged(half),
      Buffer.alloc(good.length),
      Buffer.from("text"),
    ]) {
      writeFileSync(file, broken);
      assert.equal(check(), first);
      assert.ok(statSync(onlyFile()).size > 100_000, "a good one stands in its place");
    }
  });

  it("is of the content: an update of the same size and time runs its own code, and takes the place of what was kept", () => {
    const dist = join(home, "dist");
    mkdirSync(dist);
    for (const name of ["cli.cjs", "cli-main.cjs"]) cpSync(join(root, "dist", name), join(dist, name));
    const main = join(dist, "cli-main.cjs");
    // As npm unpacks it: every file of every version has the same time.
    const dated = (): void => utimesSync(main, 499_162_500, 499_162_500);
    dated();
    const help = (): string =>
      spawnSync(process.execPath, [join(dist, "cli.cjs"), "--help"], {
        encoding: "utf8",
        env: { ...process.env, PACK_AUTH_CODE_CACHE: folder },
      }).stdout;
    assert.match(help(), /flag mistakes in files/);
    const kept = readFileSync(onlyFile());
    const { size, mtimeMs } = statSync(main);
    writeFileSync(main, readFileSync(main, "latin1").replace("flag mistakes in files", "FLAG MISTAKES IN FILES"), "latin1");
    dated();
    assert.deepEqual([statSync(main).size, statSync(main).mtimeMs], [size, mtimeMs]);
    assert.match(help(), /FLAG MISTAKES IN FILES/);
    assert.ok(!readFileSync(onlyFile()).equals(kept));
    assert.match(help(), /FLAG MISTAKES IN FILES/);
  });

  for (const node of nodeVersions())
    it(`is one of a check and one of the other verbs on ${node.name}, and both are taken`, () => {
      const run = (...args: readonly string[]): readonly string[] => {
        spawnSync(node.path, [join(root, "dist/cli.cjs"), ...args], { env: { ...process.env, PACK_AUTH_CODE_CACHE: folder } });
        return cached()
          .filter((file) => file.includes("cli-main"))
          .map((file) => `${file} ${statSync(file).ino}`);
      };
      const [ofCheck = ""] = run("check", source);
      const both = run("explain", "field-missing");
      assert.equal(both.length, 2);
      assert.ok(both.includes(ofCheck), "what other verbs keep does not take its place");
      assert.deepEqual(run("check", source), both);
      assert.deepEqual(run("explain", "field-missing"), both);
    });

  it("is neither read nor written in a folder that others can write to", function () {
    if (process.platform === "win32") this.skip();
    mkdirSync(folder, { mode: 0o700 });
    chmodSync(folder, 0o777);
    check();
    assert.deepEqual(cached(), []);
  });

  it("is done without where it cannot be, and where it is switched off", () => {
    writeFileSync(join(home, "file"), "");
    check(join(home, "file/below"));
    check("");
    check("relative");
  });
});
