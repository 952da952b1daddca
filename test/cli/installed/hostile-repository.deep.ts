// What `check`, `run` and the import of the toolkit's credentials reach in a hostile repository. Everything around the repository is watched: a
// file that is read gets another time of access, also where esbuild's own process reads it, and programs that could be started tell it.
import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { forgetToolkitFile, hasToolkitCredentials, readToolkitCredentials } from "../../../platform/accounts/toolkit-credentials.ts";
import { auth } from "../../support/broker.ts";
import { callProgram } from "../../support/call-cli.ts";
import { installToolkit } from "../../support/packs.ts";

const CANARY = "canary-of-the-machine";
const ACCESSED = new Date("2000-01-01");
const MODIFIED = new Date("2001-01-01");

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';
const packWith = (statement: string, result = '"fine"'): string =>
  `${HEAD}${statement}\npack.addFormula({ name: "Try", description: "Tries.", parameters: [], resultType: coda.ValueType.String, connectionRequirement: coda.ConnectionRequirement.None, execute: async () => String(${result}) });\n`;

/** Each is `hostile/packs/<name>/pack.ts`, with what lies beside it. */
const ATTACKS: Readonly<Record<string, Readonly<Record<string, string | { readonly link: string }>>>> = {
  "a link named node_modules": {
    "pack.ts": packWith(
      'const load = (x: string) => require("./node_modules/" + x + "/.coda-credentials.json");',
      'JSON.stringify(load("other"))',
    ),
    node_modules: { link: "../../.." },
  },
  "a path upwards": { "pack.ts": packWith('import x from "../../../other/imported";', "x") },
  "an attribute": { "pack.ts": packWith('import x from "../../../home/.ssh/id_rsa" with { type: "text" };', "x") },
  "a link to a file": { "pack.ts": packWith('import x from "./mine.txt";', "x"), "mine.txt": { link: "../../../home/.npmrc" } },
  "a link to a folder": { "pack.ts": packWith('import x from "./mine/config";', "x"), mine: { link: "../../../other" } },
  "a tsconfig.json": { "pack.ts": packWith(""), "tsconfig.json": '{ "extends": "../../../home/settings.json" }' },
  "its own credentials": { "pack.ts": packWith('import x from "./.env" with { type: "text" };', "x"), ".env": CANARY },
};

describe("a hostile repository", function () {
  this.timeout(120_000);
  let folder: string;
  const at = (...path: readonly string[]): string => join(folder, ...path);
  const lay = (files: Readonly<Record<string, string | { readonly link: string }>>): void => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(at(name)), { recursive: true });
      if (typeof content === "string") writeFileSync(at(name), content);
      else symlinkSync(content.link, at(name));
    }
  };
  const outside = (): readonly string[] =>
    ["other", "home", "package.json", "tsconfig.json", ".packauthrc.json"].flatMap((name) =>
      statSync(at(name)).isDirectory()
        ? readdirSync(at(name), { recursive: true, encoding: "utf8" })
            .map((file) => join(name, file))
            .filter((file) => statSync(at(file)).isFile())
        : [name],
    );
  let watched: readonly string[];
  const watch = (): void => {
    watched = outside();
    for (const file of watched) utimesSync(at(file), ACCESSED, MODIFIED);
  };
  /** What was read, written, made or started since. */
  const reached = (): readonly string[] => {
    const files = outside().filter((file) => {
      const { atimeMs, mtimeMs } = statSync(at(file));
      return !watched.includes(file) || atimeMs !== ACCESSED.getTime() || mtimeMs !== MODIFIED.getTime();
    });
    return [...files, ...watched.filter((file) => !outside().includes(file)), ...readdirSync(at("started"))];
  };
  /** Besides what the documentation says that is read above and on the way, by its name: manifests and settings. */
  const undocumented = (): readonly string[] =>
    reached().filter((file) => !/(?:^|\/)(?:package\.json|tsconfig\.json|\.packauthrc\.json)$/.test(file));

  before(function () {
    // Windows keeps no times of access.
    if (process.platform === "win32") this.skip();
    folder = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-hostile-")));
    for (const name of ["started", "own/tmp", "bin"]) mkdirSync(at(name), { recursive: true });
    for (const name of ["git", "npx", "npm", "yarn", "pnpm", "ssh", "sh", "lsof", "xdg-open", "open", "code", "esbuild"]) {
      writeFileSync(at("bin", name), `#!/bin/sh\n: > '${at("started", name)}'\n`);
      chmodSync(at("bin", name), 0o755);
    }
    lay({
      "package.json": "{}",
      "tsconfig.json": "{}",
      ".packauthrc.json": "{}",
      "home/.ssh/id_rsa": CANARY,
      "home/.npmrc": CANARY,
      "home/settings.json": JSON.stringify({ compilerOptions: { jsxFactory: CANARY } }),
      "other/package.json": JSON.stringify({ name: "other" }),
      "other/.coda-credentials.json": JSON.stringify({ credentials: { token: CANARY } }),
      "other/config.ts": `export default "${CANARY}";\n`,
      "other/imported.ts": `export default "${CANARY}";\n`,
      "other/pack.ts": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic }); // ${CANARY}\n`,
      "other/settings.json": JSON.stringify({ [CANARY]: 1 }),
      "hostile/package.json": JSON.stringify({ name: "hostile", dependencies: { other: "*" }, scripts: { prepare: "git" } }),
      "hostile/.npmrc": "script-shell=./git\n",
      "hostile/.packauthrc.json": { link: "../other/settings.json" },
      "hostile/.gitignore": { link: "../other/config.ts" },
      "hostile/key.ts": { link: "../home/.ssh/id_rsa" },
      "hostile/bad.ts": { link: "../other/pack.ts" },
      "hostile/node_modules/other": { link: "../../other" },
      "hostile/pack.ts": `import "./key";\nimport "other/config";\n${HEAD}`,
      "hostile/.git/HEAD": "ref: refs/heads/main\n",
      "hostile/.git/config":
        '[core]\n\tfsmonitor = git\n\thooksPath = .\n[remote "origin"]\n\turl = ssh://x/y\n\tpromisor = true\n\tuploadpack = git\n',
      "hostile/.git/index": { link: "../../other/config.ts" },
      "hostile/packs/honest/pack.ts": packWith(""),
      "hostile/packs/credentials/pack.ts": packWith(""),
      "hostile/packs/credentials/.coda-credentials.json": JSON.stringify({ credentials: { token: "its own" } }),
      "hostile/packs/linked/pack.ts": packWith(""),
      "hostile/packs/linked/.coda-credentials.json": { link: "../../../other/.coda-credentials.json" },
      ...Object.fromEntries(
        Object.entries(ATTACKS).flatMap(([name, files]) =>
          Object.entries(files).map(([file, content]) => [`hostile/packs/${name}/${file}`, content]),
        ),
      ),
    });
    installToolkit(at("hostile"));
    watch();
    readFileSync(at("home/.npmrc"));
    // A file system may be mounted without them.
    if (reached().length !== 1) this.skip();
  });
  after(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(watch);

  const call = (args: readonly string[]) =>
    callProgram(args, {
      cwd: at("hostile"),
      env: {
        PATH: `${at("bin")}:${process.env.PATH}`,
        HOME: at("home"),
        TMPDIR: at("own/tmp"),
        PACK_AUTH_HOME: at("own/accounts"),
        PACK_AUTH_CODE_CACHE: at("own/code"),
      },
    });

  for (const args of [["check"], ["check", "--format", "sarif"], ["check", "--fix"], ["check", "key.ts", "bad.ts", "pack.ts"]])
    it(`pack-auth ${args.join(" ")} reaches nothing outside the repository but imported sources`, async () => {
      const { code, out, err } = await call(args);
      assert.notEqual(code, null);
      assert.match(err, /key\.ts is not checked/);
      assert.doesNotMatch(out + err, new RegExp(CANARY));
      // A source that is imported by a relative path is a part of its pack for `check`, wherever it is.
      assert.deepEqual(
        undocumented().filter((file) => file !== "other/imported.ts"),
        [],
      );
    });

  it("pack-auth run of a pack that builds reaches nothing outside the repository", async () => {
    const { code, out, err } = await call(["run", "packs/honest", "Try"]);
    assert.match(out, /fine/, err);
    assert.equal(code, 0);
    assert.deepEqual(undocumented(), []);
    assert.deepEqual(readdirSync(at("own/tmp")), []);
  });

  for (const name of Object.keys(ATTACKS))
    it(`pack-auth run of a pack with ${name} reaches nothing outside the repository`, async () => {
      const { code, out, err } = await call(["run", join("packs", name), "Try"]);
      assert.match(err, /outside of the folder|may contain credentials/);
      assert.doesNotMatch(out + err, new RegExp(CANARY));
      assert.notEqual(code, 0);
      assert.deepEqual(undocumented(), []);
    });

  it("the import of the toolkit's credentials reaches nothing outside the repository", async () => {
    const [own, linked] = ["credentials", "linked"].map((name) => at("hostile/packs", name, "pack.ts")) as [string, string];
    const path = process.env.PATH;
    process.env.PATH = `${at("bin")}:${path}`;
    try {
      assert.ok(hasToolkitCredentials(own));
      assert.deepEqual(readToolkitCredentials(own, auth("HeaderBearerToken")).credential, { kind: "token", token: "its own" });
      assert.equal((await forgetToolkitFile(own)).ignored, true);
      assert.equal(hasToolkitCredentials(linked), false);
      assert.throws(() => readToolkitCredentials(linked, auth("HeaderBearerToken")), { code: "credentials-missing" });
    } finally {
      process.env.PATH = path;
    }
    assert.deepEqual(undocumented(), []);
  });
});
