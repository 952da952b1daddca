// A hostile agent reaches for files: stores, cassettes and packs outside its folder, through code, links, saved tests and every argument.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { attacksOver, CANARY, folderOf, type Hostile, packText } from "../support/hostile.ts";
import { wireOfSuite } from "../support/wire.ts";

const READ = { Read: 'return JSON.stringify((await get("read")).body);' };

describe("A hostile agent's files", function () {
  this.timeout(120_000);
  const wire = wireOfSuite();
  const { attack, formulas, count } = attacksOver(wire);
  const outside = mkdtempSync(join(tmpdir(), "pack-auth-outside-"));
  const other = packText({ formulas: { Read: `return ${JSON.stringify(CANARY)};` } });
  for (const [name, text] of Object.entries({
    "secret.txt": CANARY,
    "store.json": JSON.stringify({ credential: { kind: "token", token: CANARY } }),
    "answers.json": JSON.stringify({ answers: [{ request: "GET https://good.example/read", body: CANARY }] }),
    "module.ts": `export default ${JSON.stringify(CANARY)};`,
    "pack.ts": other,
    "Read.packauth.json": JSON.stringify({ version: 1, note: CANARY }),
  }))
    writeFileSync(join(outside, name), text);
  after(() => rmSync(outside, { recursive: true, force: true }));

  const at = (h: Hostile, path: string): string => join(h.session.host.folder, path);
  const put = (h: Hostile, path: string, text: string): void => {
    mkdirSync(dirname(at(h, path)), { recursive: true });
    writeFileSync(at(h, path), text);
  };
  const link = (h: Hostile, path: string, target: string): void => {
    mkdirSync(dirname(at(h, path)), { recursive: true });
    rmSync(at(h, path), { recursive: true, force: true });
    symlinkSync(target, at(h, path));
  };
  /** A pack of its own folder, run in the sandbox. */
  const runs = async (h: Hostile, name: string, head: string, body: string): Promise<string> => {
    put(h, `${name}/pack.ts`, packText({ head, formulas: { Read: body } }));
    return JSON.stringify(await h.call("run", { pack: name, target: "Read" }));
  };
  const refused = (ran: string): void => assert.match(ran, /"failure"/);

  attack("import", folderOf({ formulas: READ }), {
    "a store by its absolute path": async (h) =>
      refused(await runs(h, "a", `import s from ${JSON.stringify(join(outside, "store.json"))};`, "return JSON.stringify(s);")),
    "a store by a relative path": async (h) =>
      refused(
        await runs(
          h,
          "b",
          `import s from ${JSON.stringify(relative(at(h, "b"), join(outside, "store.json")))};`,
          "return JSON.stringify(s);",
        ),
      ),
    "a text by an attribute": async (h) =>
      refused(
        await runs(h, "c", `import s from ${JSON.stringify(join(outside, "secret.txt"))} with { type: "text" };`, "return s as any;"),
      ),
    "the bytes of a file by an attribute": async (h) =>
      refused(
        await runs(h, "d", `import s from ${JSON.stringify(join(outside, "secret.txt"))} with { type: "bytes" };`, "return String(s);"),
      ),
    "code of another folder": async (h) =>
      refused(await runs(h, "e", `import s from ${JSON.stringify(join(outside, "module.ts"))};`, "return s;")),
    "with require": async (h) =>
      refused(await runs(h, "f", "", `return JSON.stringify(require(${JSON.stringify(join(outside, "store.json"))}));`)),
    "with a computed require": async (h) =>
      refused(
        await runs(
          h,
          "g",
          "",
          `const name = ${JSON.stringify(outside)} + "/store.json"; return JSON.stringify((0, eval)("require")(name));`,
        ),
      ),
    "with a dynamic import": async (h) =>
      refused(await runs(h, "h", "", `return JSON.stringify((await import(${JSON.stringify(join(outside, "store.json"))})).default);`)),
    "with a computed dynamic import": async (h) =>
      refused(await runs(h, "i", "", 'const name = "fs"; return (await import(name)).readFileSync("/etc/passwd", "utf8");')),
    "with fs": async (h) =>
      refused(
        await runs(
          h,
          "j",
          'import * as fs from "fs";',
          `return (fs as any).readFileSync(${JSON.stringify(join(outside, "secret.txt"))}, "utf8");`,
        ),
      ),
    "with node:fs": async (h) =>
      refused(
        await runs(
          h,
          "k",
          'import { readFileSync } from "node:fs";',
          `return readFileSync(${JSON.stringify(join(outside, "secret.txt"))}, "utf8");`,
        ),
      ),
    "through the pack's process": async (h) =>
      refused(await runs(h, "l", "", 'return (globalThis as any).process.mainModule.require("fs").readFileSync("/etc/passwd", "utf8");')),
    "with fetch of a file": async (h) =>
      refused(await runs(h, "m", "", `return JSON.stringify(await send("GET", "file://${join(outside, "secret.txt")}"));`)),
    "the home folder": async (h) =>
      refused(await runs(h, "n", `import s from ${JSON.stringify(`${homedir()}/.bashrc`)} with { type: "text" };`, "return s as any;")),
    "through a link to a file": async (h) => {
      link(h, "o/secret.json", join(outside, "store.json"));
      refused(await runs(h, "o", 'import s from "./secret.json";', "return JSON.stringify(s);"));
    },
    "through a link to a folder": async (h) => {
      link(h, "p/data", outside);
      refused(await runs(h, "p", 'import s from "./data/store.json";', "return JSON.stringify(s);"));
    },
    "through a package that is a link": async (h) => {
      put(h, "q/package.json", JSON.stringify({ dependencies: { stolen: "*" } }));
      link(h, "q/node_modules/stolen", outside);
      refused(await runs(h, "q", 'import s from "stolen/store.json";', "return JSON.stringify(s);"));
    },
    "through a path mapping": async (h) => {
      put(h, "r/tsconfig.json", JSON.stringify({ compilerOptions: { paths: { stolen: [join(outside, "store.json")] } } }));
      refused(await runs(h, "r", 'import s from "stolen";', "return JSON.stringify(s);"));
    },
    "an environment file": async (h) => {
      put(h, "s/.env.json", "{}");
      refused(await runs(h, "s", 'import s from "./.env.json";', "return JSON.stringify(s);"));
    },
    "the environment": async (h) => refused(await runs(h, "t", "", "return JSON.stringify((globalThis as any).process.env.PATH.length);")),
  });

  const sandboxRun = async (h: Hostile, more: object = {}): Promise<string> =>
    JSON.stringify(await h.call("run", { target: "Read", ...more }));
  attack("link", folderOf({ formulas: { ...READ, Plain: 'return "plain";' } }), {
    "sandbox.json to a store": async (h) => {
      link(h, "sandbox.json", join(outside, "store.json"));
      refused(await sandboxRun(h));
      rmSync(at(h, "sandbox.json"));
    },
    "sandbox.json to a text": async (h) => {
      link(h, "sandbox.json", join(outside, "secret.txt"));
      refused(await sandboxRun(h));
      rmSync(at(h, "sandbox.json"));
    },
    "sandbox.json to answers of another project": async (h) => {
      link(h, "sandbox.json", join(outside, "answers.json"));
      refused(await sandboxRun(h));
      rmSync(at(h, "sandbox.json"));
    },
    "saveTest to another folder": async (h) => {
      link(h, "tests", outside);
      const before = readdirSync(outside).length;
      assert.match(await sandboxRun(h, { saveTest: "tests" }), /path-outside/);
      assert.equal(readdirSync(outside).length, before);
    },
    "saveTest to a folder that does not exist": async (h) => {
      link(h, "tests", join(outside, "new"));
      assert.match(await sandboxRun(h, { saveTest: "tests" }), /path-outside/);
      assert.equal(existsSync(join(outside, "new")), false);
    },
    "the file that saveTest writes": async (h) => {
      rmSync(at(h, "tests"), { recursive: true, force: true });
      const saved = await sandboxRun(h, { target: "Plain", saveTest: "tests" });
      assert.match(saved, /savedTest/);
      const file = /"savedTest":"([^"]+)"/.exec(saved)?.[1] ?? "";
      const target = join(outside, "overwritten.json");
      writeFileSync(target, readFileSync(at(h, file), "utf8").replace("plain", "another"));
      const before = readFileSync(target, "utf8");
      link(h, file, target);
      await sandboxRun(h, { target: "Plain", saveTest: "tests" });
      assert.equal(readFileSync(target, "utf8"), before);
      rmSync(at(h, "tests"), { recursive: true, force: true });
    },
    "a saved test to a cassette": async (h) => {
      link(h, "tests/Read.packauth.json", join(outside, "Read.packauth.json"));
      await h.call("test", { paths: ["tests"] });
      await h.call("test", { paths: ["tests/Read.packauth.json"] });
    },
    "the pack's file": async (h) => {
      link(h, "linked/pack.ts", join(outside, "pack.ts"));
      assert.match(await sandboxRun(h, { pack: "linked" }), /path-outside/);
    },
    "the pack's folder": async (h) => {
      link(h, "folder", outside);
      assert.match(await sandboxRun(h, { pack: "folder" }), /path-outside/);
    },
    "a saved test that names a pack outside": async (h) => {
      rmSync(at(h, "tests"), { recursive: true, force: true });
      const saved = await sandboxRun(h, { target: "Plain", saveTest: "tests" });
      assert.match(saved, /savedTest/);
      const file = at(h, /"savedTest":"([^"]+)"/.exec(saved)?.[1] ?? "");
      writeFileSync(file, readFileSync(file, "utf8").replace(/"pack": "[^"]*"/, `"pack": ${JSON.stringify(join(outside, "pack.ts"))}`));
      const tested = JSON.stringify(await h.call("test"));
      assert.match(tested, /"failed":1/);
      assert.match(tested, /outside/);
    },
  });

  const PATHS = [
    "..",
    "../..",
    "/etc",
    "/",
    "a/../../x",
    "./../",
    "\0",
    "tests\0/../..",
    "~/../../../..",
    "//etc",
    homedir(),
    "linked",
    "linked/secret.txt",
  ];
  const CALLS: Readonly<Record<string, (path: string) => object>> = {
    check: (path) => ({ paths: [path] }),
    test: (path) => ({ paths: [path] }),
    outline: (path) => ({ pack: path }),
    accounts: (path) => ({ pack: path }),
    connect: (path) => ({ pack: path }),
    run: (path) => ({ pack: path, target: "Read" }),
    "run ": (path) => ({ saveTest: path, target: "Read" }),
    drill: (path) => ({ pack: path, target: "Read" }),
  };
  attack(
    "path",
    folderOf({ formulas: READ }),
    Object.fromEntries(
      Object.entries(CALLS).map(([tool, input]) => [
        `${tool} with ${Object.keys(input("")).join(" and ")} outside`,
        async (h: Hostile) => {
          link(h, "linked", outside);
          for (const path of PATHS) {
            const result = JSON.stringify(await h.call(tool.trim(), input(path)));
            assert.match(result, /path-outside/, `${tool} ${JSON.stringify(path)}`);
          }
          assert.deepEqual([h.questions, h.sent()], [[], []]);
        },
      ]),
    ),
  );
  formulas("sandbox", {}, { "a run without an account sends nothing": 'return JSON.stringify((await get("read")).body);' }, (_ran, h) =>
    assert.equal(h.sent().length, 1),
  );

  it("the tables have at least 35 calls", () => assert.ok(count() >= 35, `${count()} lines`));
});
