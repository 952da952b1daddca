// Packages that are installed when they are first needed: once, whoever asks, and with one line where that fails.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertUnpacked } from "../../scripts/browser/install.ts";
import { root } from "../support/packs.ts";

describe("packages that are installed on demand", function () {
  this.timeout(120_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-packages-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes the manifest, the lock file and the installer of a folder; `finish` is the code of the installer's last step. */
  function writePackages(dependencies: Readonly<Record<string, string>>, finish = ""): void {
    const manifest = { name: "some-packages", version: "1.0.0", dependencies };
    const entries = Object.entries(dependencies).map(([name, version]) => [`node_modules/${name}`, { version }]);
    const lock = { ...manifest, lockfileVersion: 3, packages: { "": manifest, ...Object.fromEntries(entries) } };
    writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, type: "module" }));
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
    writeFileSync(
      join(folder, "install.ts"),
      `import { mkdirSync } from "node:fs";
export const packages = { folder: import.meta.dirname, name: "some packages", megabytes: 1, options: [], assertSupported() {},
  async finish() { mkdirSync(import.meta.dirname + "/node_modules", { recursive: true }); ${finish} } };\n`,
    );
  }

  async function install(env: NodeJS.ProcessEnv = {}): Promise<{ readonly code: number | null; readonly stderr: string }> {
    const child = spawn(process.execPath, ["--import=tsx", "scripts/install-packages.ts", folder], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    return { code, stderr };
  }

  it("two processes that need the same packages install them once, and both have them", async () => {
    writePackages({}, "await new Promise((done) => setTimeout(done, 500));");
    const results = await Promise.all([install(), install()]);
    const output = results.map(({ stderr }) => stderr).join("\n");
    assert.deepEqual([results.map(({ code }) => code), output.match(/1 MB from the npm registry/g)?.length], [[0, 0], 1], output);
    assert.deepEqual(await install(), { code: 0, stderr: "" });
  });

  it("an installation without a network fails in one line, with npm's own words", async () => {
    writePackages({ "some-package": "1.0.0" });
    const { code, stderr } = await install({ npm_config_registry: "http://127.0.0.1:9/", npm_config_loglevel: "silent" });
    assert.equal(code, 1);
    assert.match(stderr.trim().split("\n").at(-1) ?? "", /^Some packages could not be installed: .*ECONNREFUSED/);
    assert.doesNotMatch(stderr, /^ +at /m);
  });

  it("an incomplete installation is made again", async () => {
    writePackages({}, 'throw new Error("the disk is full");');
    assert.match((await install()).stderr, /^Some packages could not be installed: the disk is full$/m);
    writePackages({});
    assert.equal((await install()).code, 0);
    assert.ok(existsSync(join(folder, "node_modules/.installed-lock.json")));
  });

  it("a browser that is incomplete, or that others could change, is not started", function () {
    if (process.getuid === undefined) return this.skip();
    writeFileSync(join(folder, "chromium"), "the beginning of a program");
    assert.throws(() => assertUnpacked(folder), /not the expected one/);
    chmodSync(folder, 0o777);
    assert.throws(() => assertUnpacked(folder), /not private to this user/);
  });
});
