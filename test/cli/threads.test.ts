// A long check, in parts and by several threads, finds what one analysis of all files finds.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { groupFiles } from "../../cli/file-groups.ts";
import { root } from "../support/packs.ts";

const samples = join(root, "node_modules/@codahq/packs-sdk/documentation/samples/packs/todoist");

describe("a check in threads", function () {
  this.timeout(120_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-threads-"));
    for (let copy = 0; copy < 3; copy++) cpSync(samples, join(folder, String(copy)), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const check = (
    threads: number,
    format: string,
    env: NodeJS.ProcessEnv = {},
  ): { readonly status: number | null; readonly stdout: string; readonly stderr: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "dist/cli.cjs"), "check", "--format", format], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 2 ** 28,
      env: { ...process.env, PACK_AUTH_THREADS: String(threads), ...env },
    });
    return { status, stdout, stderr };
  };
  const isSame = (): void => {
    for (const format of ["json", "pretty"]) {
      const alone = check(1, format);
      assert.ok(alone.stdout.length > 50);
      assert.deepEqual(check(3, format), alone);
    }
  };

  const MISTAKE = `export const auth = { type: coda.AuthenticationType.OAuth2, authorizationUrl: "http://acme.example/a" };\n`;
  const HEAD = `import * as coda from "@codahq/packs-sdk";\n`;

  it("says the same, fixes and code frames among it", () => {
    for (let pack = 0; pack < 20; pack++)
      write(
        `mine/${pack}/pack.ts`,
        `${HEAD}export const pack = coda.newPack();\npack.setUserAuthentication({ type: "oauth2", scopes: ["a b"] });\n`,
      );
    isSame();
  });

  /** Loaded before everything else, in each thread; `body` runs in the first one, with its Worker and what it does with the queue. */
  const hook = (body: string, inOthers = ""): NodeJS.ProcessEnv => {
    write(
      ".hook.cjs",
      `const threads = require("node:worker_threads");
const { Worker } = threads;
const note = (text) => require("node:fs").appendFileSync(${JSON.stringify(join(folder, "log"))}, text + "\\n");
const { add } = Atomics;
const takeNothing = () => { Atomics.add = (memory, index, value) => (index === 0 ? 1e6 : add(memory, index, value)); };
if (threads.isMainThread) { ${body} } else { ${inOthers} }\n`,
    );
    write("log", "");
    return { NODE_OPTIONS: `--require ${JSON.stringify(join(folder, ".hook.cjs"))}` };
  };
  const log = (): readonly string[] => readFileSync(join(folder, "log"), "utf8").split("\n").slice(0, -1);

  it("is made by as many threads as asked for, which take all parts", () => {
    const env = hook(`
takeNothing();
threads.Worker = class extends Worker {
  constructor(file, options) {
    super(file, options);
    this.once("message", (found) => note(found.numbers.join(" ")));
  }
};`);
    assert.deepEqual(check(3, "json", env), check(1, "json"));
    assert.equal(log().length, 2);
    const numbers = log().flatMap((line) => line.split(" ").filter(Boolean).map(Number));
    assert.ok(numbers.length > 2, "there are parts");
    assert.deepEqual(
      numbers.sort((a, b) => a - b),
      numbers.map((_, index) => index),
      "each part is looked at once",
    );
  });

  it("goes on where a thread ends before it has answered: what it took is done by the first one", () => {
    const env = hook(`
threads.Worker = class extends Worker {
  postMessage(task) {
    note("took " + add(new Int32Array(task.queue), 0, 2));
    this.terminate();
  }
};`);
    assert.deepEqual(check(3, "json", env), check(1, "json"));
    assert.deepEqual(log(), ["took 0", "took 2"]);
  });

  it("goes on where a thread runs out of memory", () => {
    const env = hook(`
takeNothing();
threads.Worker = class extends Worker {
  constructor(file, options) {
    super(file, { ...options, resourceLimits: { maxOldGenerationSizeMb: 6, maxYoungGenerationSizeMb: 1 } });
    this.once("error", (error) => note(error.code));
  }
};`);
    for (let pack = 0; pack < 40; pack++) cpSync(samples, join(folder, `more/${pack}`), { recursive: true });
    assert.deepEqual(check(2, "json", env), check(1, "json"));
    assert.deepEqual(log(), ["ERR_WORKER_OUT_OF_MEMORY"]);
  });

  it("leaves compiled code that the next check can start from, with threads or alone", () => {
    const code = join(folder, ".code");
    mkdirSync(code, { mode: 0o700 });
    const kept = (): readonly string[] =>
      readdirSync(code)
        .filter((name) => name.includes("cli-main"))
        .map((name) => `${name} ${statSync(join(code, name)).ino}`);
    check(3, "json", { PACK_AUTH_CODE_CACHE: code });
    const first = kept();
    assert.equal(first.length, 1);
    // Code that is not taken is written anew.
    for (const threads of [1, 3]) {
      check(threads, "json", { PACK_AUTH_CODE_CACHE: code });
      assert.deepEqual(kept(), first, `${threads} threads`);
    }
  });

  it("starts further threads from the code that checks have left: the launcher knows them by the name that they are given", () => {
    const code = join(folder, ".code");
    mkdirSync(code, { mode: 0o700 });
    const env = hook(
      "takeNothing();",
      `
const fs = require("node:fs");
const { readFileSync } = fs;
fs.readFileSync = (path, ...more) => {
  if (/cli-main[^/]*\\.bin$/.test(path)) note(require("node:path").basename(path));
  return readFileSync(path, ...more);
};`,
    );
    check(3, "json", { ...env, PACK_AUTH_CODE_CACHE: code });
    assert.deepEqual(
      log().map((name) => name.slice(0, name.indexOf("cli-main"))),
      ["check-", "check-"],
    );
  });

  it("looks for nothing that the search for files has not seen, in any thread", () => {
    const env = hook(
      "takeNothing();",
      `
const fs = require("node:fs");
const { statSync } = fs;
fs.statSync = (path, ...more) => {
  if (/packauthrc|tsconfig/.test(path)) note(path);
  return statSync(path, ...more);
};`,
    );
    check(2, "json", env);
    assert.deepEqual(
      log().filter((path) => path.startsWith(join(folder, "0"))),
      [],
    );
  });

  it("ends where its threads have started and there is nothing for them to do", () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "dist/cli.cjs"), "check", ".", "none"], {
      cwd: folder,
      encoding: "utf8",
      timeout: 60_000,
      env: {
        ...process.env,
        PACK_AUTH_THREADS: "3",
        ...hook('threads.Worker = class extends Worker { constructor(...given) { super(...given); note("started"); } };'),
      },
    });
    assert.deepEqual([status, stdout], [2, ""]);
    assert.match(stderr, /There is no file or folder none/);
    assert.deepEqual(log(), ["started", "started"]);
  });

  it("says the same of files that packs share by relative paths", () => {
    write("shared/auth.ts", `${HEAD}${MISTAKE}`);
    for (const pack of ["a", "b", "z"])
      write(
        `${pack}/pack.ts`,
        `${HEAD}import { auth } from "../shared/auth.js";\nexport const pack = coda.newPack();\npack.setUserAuthentication(auth);\n`,
      );
    isSame();
  });

  it("says the same of files that packs share by other names: what the texts do not tell is found out", () => {
    // The largest files go to different threads.
    const filler = (lines: number): string => `// ${"filler ".repeat(20)}\n`.repeat(lines);
    write("tsconfig.json", JSON.stringify({ compilerOptions: { paths: { "@shared/*": ["./shared/*"] } } }));
    write("shared/auth.ts", `${HEAD}${MISTAKE}${filler(3_000)}`);
    write(
      "z/pack.ts",
      `${HEAD}import { auth } from "@shared/auth";\nexport const pack = coda.newPack();\npack.setUserAuthentication(auth);\n${filler(2_000)}`,
    );
    assert.match(check(1, "pretty").stdout, /shared\/auth\.ts:2:.* url-insecure/);
    isSame();
  });

  it("says the same of settings that are wrong, and of files that they leave out", () => {
    write(".packauthrc.json", `{ "ignore": ["1"] }`);
    write("2/.packauthrc.json", `{ "rules": { "oauth2-pkce-method": "off" } }`);
    isSame();
    write("0/.packauthrc.json", `{ "rules": { "no-such-rule": "off" } }`);
    write("2/.packauthrc.json", `{ "rule": {} }`);
    const alone = check(1, "json");
    assert.equal(alone.status, 2);
    assert.deepEqual(check(3, "json"), alone);
  });
});

describe("groups of files", () => {
  const group = (files: Readonly<Record<string, string>>, size: number) =>
    groupFiles(Object.keys(files), (path) => files[path] ?? "", size);

  it("hold files together that name each other, whatever the ending", () => {
    const files = {
      "/a/one.ts": `import x from "../shared/x.js";`,
      "/b/two.ts": `export * from "../shared";`,
      "/c/three.ts": `const y = require('../b/two');`,
      "/d/four.ts": "alone, and longer than the others together ".repeat(10),
      "/shared/index.ts": "",
      "/shared/x.tsx": "",
    };
    assert.deepEqual(group(files, 1), [["/d/four.ts"], ["/b/two.ts", "/c/three.ts", "/shared/index.ts"], ["/a/one.ts", "/shared/x.tsx"]]);
  });

  it("are of about the size asked for, the longest first, each file in one", () => {
    const files = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`/p${index}/pack.ts`, "x".repeat(index)]));
    const groups = group(files, 300);
    assert.deepEqual(groups.flat().sort(), Object.keys(files).sort());
    const sizes = groups.map((paths) => paths.reduce((sum, path) => sum + (files[path] ?? "").length, 0));
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => b - a),
    );
    assert.ok(
      sizes.slice(0, -1).every((size) => size > 200 && size <= 300),
      sizes.join(" "),
    );
  });

  it("are longer where more belongs together", () => {
    const files = { "/c.ts": "x".repeat(20), "/a.ts": `import "./b"`, "/b.ts": "y".repeat(100) };
    assert.deepEqual(group(files, 25), [["/a.ts", "/b.ts"], ["/c.ts"]]);
  });
});
