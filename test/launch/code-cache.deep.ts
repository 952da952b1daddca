// The code cache makes starts faster and never changes what a program does: made by a run, private, and ignored where it is not whole or
// not the user's own.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { nodesAtHand } from "../support/nodes.ts";
import { root } from "../support/packs.ts";

const nodes = nodesAtHand();
for (const node of nodes)
  describe(`the code cache on ${node.name}`, function () {
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

    const call = (args: readonly string[], cache = folder, dist = join(root, "dist")) =>
      spawnSync(node.path, [join(dist, "cli.cjs"), ...args], {
        encoding: "utf8",
        timeout: 50_000,
        env: { ...process.env, PACK_AUTH_CODE_CACHE: cache },
      });
    /** Of a small bundle, which is started the same way. */
    const help = (cache = folder, dist = join(root, "dist")): string => call(["--help"], cache, dist).stdout;
    const check = (cache = folder) => {
      const { status, signal, stdout, stderr } = call(["check", source], cache);
      assert.equal(signal, null, stderr);
      assert.equal(status, 1, stderr);
      assert.match(stdout, /auth-type-missing/);
      assert.equal(stderr, "");
      return stdout;
    };
    /** Each file by its path, with what tells whether it was written anew. */
    const cached = (): Readonly<Record<string, string>> =>
      Object.fromEntries(
        readdirSync(folder).map((name) => {
          const { size, mtimeMs, ino } = statSync(join(folder, name));
          return [join(folder, name), `${size} ${mtimeMs} ${ino}`];
        }),
      );
    const bytes = (): number => Object.keys(cached()).reduce((sum, path) => sum + statSync(path).size, 0);

    it("a run makes the cache for the user alone, and the next run uses it", () => {
      const first = check();
      const firstCache = cached();
      assert.ok(bytes() > 1_000_000);
      if (process.platform !== "win32") {
        assert.equal(statSync(folder).mode & 0o777, 0o700);
        for (const path of Object.keys(firstCache)) assert.equal(statSync(path).mode & 0o777, 0o600);
      }
      assert.equal(check(), first);
      assert.deepEqual(cached(), firstCache, "what is good is not written again");
    });

    it("a truncated, changed or foreign cache is replaced", () => {
      const first = help();
      assert.match(first, /find mistakes/);
      const size = bytes();
      const good = new Map(Object.keys(cached()).map((path) => [path, readFileSync(path)]));
      const damaged = (file: Buffer): Buffer => file.map((byte, at) => (at % 500 === 400 ? byte ^ 0xff : byte)) as Buffer;
      for (const breakUp of [
        () => Buffer.alloc(0),
        (file: Buffer) => file.subarray(0, file.length >> 1),
        damaged,
        (file: Buffer) => Buffer.alloc(file.length),
        () => Buffer.from("text"),
      ]) {
        for (const [path, file] of good) writeFileSync(path, breakUp(file));
        assert.equal(help(), first);
        assert.ok(bytes() > 0.9 * size, "a good one stands in its place");
      }
    });

    it("check and the other verbs have a cache each, and both are used", () => {
      check();
      const ofCheck = cached();
      call(["explain", "field-missing"]);
      const both = cached();
      assert.ok(Object.keys(both).length > Object.keys(ofCheck).length);
      assert.deepEqual({ ...both, ...ofCheck }, both, "what other verbs keep does not take its place");
      check();
      call(["explain", "field-missing"]);
      assert.deepEqual(cached(), both);
    });

    // The rest is ours, and the same on each Node.
    if (node !== nodes.at(-1)) return;

    it("the cache of a check includes reading sources, also after a first --help", () => {
      assert.equal(call(["check", "--help"]).status, 0);
      const ofHelp = bytes();
      check();
      assert.ok(bytes() > ofHelp + 1_000_000);
    });

    describe("an updated product", () => {
      let main: string;
      const updated = (): string => help(folder, join(home, "dist"));
      /** To one of the same size and time: as npm unpacks them, all files of all versions have the same. */
      const update = (from: string, to: string): void => {
        const { size } = statSync(main);
        writeFileSync(main, readFileSync(main, "latin1").replace(from, to), "latin1");
        utimesSync(main, 499_162_500, 499_162_500);
        assert.equal(statSync(main).size, size);
      };
      beforeEach(() => {
        mkdirSync(join(home, "dist"));
        main = join(home, "dist/cli-main.cjs");
        for (const name of ["cli.cjs", "cli-main.cjs"]) cpSync(join(root, "dist", name), join(home, "dist", name));
        update("find mistakes", "flag mistakes");
        assert.match(updated(), /flag mistakes/);
      });

      it("the update runs its own code, which replaces the cached one", () => {
        const previousCache = cached();
        update("flag mistakes", "show mistakes");
        assert.match(updated(), /show mistakes/);
        assert.deepEqual(Object.keys(cached()), Object.keys(previousCache));
        assert.notDeepEqual(cached(), previousCache);
        assert.match(updated(), /show mistakes/);
      });

      it("the cache depends on every character, in ASCII or not", () => {
        for (const phrase of ["flåg ✓ mistakes", "flåg ✗ mistakes"]) {
          writeFileSync(main, readFileSync(join(root, "dist/cli-main.cjs"), "utf8").replace("find mistakes", phrase));
          for (const _ of ["compiled", "kept"]) assert.ok(updated().includes(phrase));
        }
      });

      it("a cache in a folder that others can write to is not read", function () {
        if (process.platform === "win32") this.skip();
        update("flag mistakes", "show mistakes");
        const [path = ""] = Object.keys(cached());
        const forged = readFileSync(path);
        forged.writeUInt32LE(crc32(readFileSync(main)));
        writeFileSync(path, forged);
        assert.match(updated(), /flag mistakes/, "in a private folder it is run");
        chmodSync(folder, 0o777);
        assert.match(updated(), /show mistakes/);
        assert.deepEqual(readFileSync(path), forged);
      });
    });

    it("a pipe, a link, or a file that others can write to is replaced", function () {
      if (process.platform === "win32") this.skip();
      assert.match(help(), /find mistakes/);
      const names = Object.keys(cached());
      const inPlace: Readonly<Record<string, (path: string) => void>> = {
        "a named pipe": (path) => assert.equal(spawnSync("mkfifo", [path]).status, 0),
        "a link": (path) => symlinkSync(join(home, "elsewhere"), path),
        "a file that others can write to": (path) => {
          writeFileSync(path, "");
          chmodSync(path, 0o666);
        },
      };
      for (const [what, put] of Object.entries(inPlace)) {
        for (const path of names) {
          cpSync(path, join(home, "elsewhere"));
          rmSync(path);
          put(path);
        }
        assert.match(help(), /find mistakes/, what);
        for (const path of names) {
          const stats = lstatSync(path);
          assert.ok(stats.isFile() && (stats.mode & 0o777) === 0o600, what);
        }
      }
    });

    it("a cache file that another user owns is not read", function () {
      if (process.platform === "win32" || process.getuid?.() !== 0) this.skip();
      assert.match(help(), /find mistakes/);
      const before = cached();
      for (const path of Object.keys(before)) chownSync(path, 65_534, 65_534);
      assert.match(help(), /find mistakes/);
      for (const path of Object.keys(before)) assert.equal(statSync(path).uid, 0);
    });

    it("a folder that others can write to gets no cache", function () {
      if (process.platform === "win32") this.skip();
      mkdirSync(folder, { mode: 0o700 });
      chmodSync(folder, 0o777);
      assert.match(help(), /find mistakes/);
      assert.deepEqual(cached(), {});
    });

    it("a run succeeds without a cache where it is impossible or switched off", () => {
      writeFileSync(join(home, "file"), "");
      for (const nowhere of [
        join(home, "file"),
        join(home, "file/below"),
        "/proc/nowhere/code",
        "/proc/self/fd/nowhere/code",
        "",
        "relative",
      ]) {
        const { status, stdout, stderr } = call(["--help"], nowhere);
        assert.match(stdout, /find mistakes/);
        assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
      }
    });
  });
