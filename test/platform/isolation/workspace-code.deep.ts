// No code of the workspace runs where credentials are: the esbuild and the list of built-ins that a pack brings are not run in this
// process, unless somebody asks for the esbuild by name, and then not beside credentials of the environment.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BundleOptions } from "../../../platform/bundle/bundle.ts";
import { credentialVariables } from "../../../platform/bundle/esbuild.ts";
import { PackAuthError } from "../../../platform/errors.ts";
import { bundlePack } from "../../support/bundle-pack.ts";
import { root } from "../../support/packs.ts";

const SOURCE = `import * as coda from "@codahq/packs-sdk";
import { createHash } from "crypto";
export const pack = coda.newPack();
pack.addFormula({ name: "Try", description: "Tries.", parameters: [], resultType: coda.ValueType.String, execute: async () => createHash("sha1").update("a").digest("hex") } as any);
`;

describe("Code of the workspace", function () {
  this.timeout(60_000);
  let folder: string;
  let entry: string;
  /** Lines of whoever was run. */
  let logFile: string;
  /** What a run of the tests is told in variables of ours could be credentials, as far as the product knows. */
  const ofTheTests = credentialVariables(process.env).map((name) => [name, process.env[name]] as const);
  /** A pack whose toolkit, esbuild and browserify are copies of the real ones that tell when they are run. */
  before(() => {
    for (const [name] of ofTheTests) delete process.env[name];
    folder = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-own-")));
    entry = join(folder, "pack.ts");
    logFile = join(folder, "told");
    writeFileSync(entry, SOURCE);
    const modules = join(folder, "node_modules");
    mkdirSync(modules);
    for (const name of readdirSync(join(root, "node_modules")))
      if (!name.startsWith(".") && !["@codahq", "esbuild", "browserify"].includes(name))
        symlinkSync(join(root, "node_modules", name), join(modules, name));
    const addLogging = (file: string): void =>
      appendFileSync(file, `\nrequire("fs").appendFileSync(${JSON.stringify(logFile)}, ${JSON.stringify(`${file}\n`)});\n`);
    const copy = (name: string, telling?: string): void => {
      // The copies are changed below. A checkout may have links to packages that it shares, and the copy of a link is a link.
      const original = realpathSync(join(root, "node_modules", name));
      cpSync(original, join(modules, name), {
        recursive: true,
        filter: (path) => !path.slice(original.length).includes("node_modules"),
      });
      if (telling !== undefined) addLogging(join(modules, name, telling));
    };
    copy("esbuild", "lib/main.js");
    copy("browserify", "lib/builtins.js");
    copy("@codahq/packs-sdk");
  });
  after(() => {
    Object.assign(process.env, Object.fromEntries(ofTheTests));
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() => rmSync(logFile, { force: true }));

  const build = (options: BundleOptions = {}) => bundlePack(entry, options);

  it("a build uses the product's own esbuild with an empty environment", () => {
    // The transpiler has an esbuild of its own, which is there before.
    const script = `
import { readdirSync, readFileSync } from "node:fs";
import { createBundler } from "./platform/bundle/bundle.ts";
process.env.PATH = "/nowhere";
const read = (id, what) => { try { return readFileSync("/proc/" + id + "/" + what, "utf8"); } catch { return ""; } };
const ids = () => process.platform === "linux" ? readdirSync("/proc") : [];
const services = () => ids().filter((id) => read(id, "stat").split(") ")[1]?.split(" ")[1] === String(process.pid) && read(id, "cmdline").includes("--service="));
const ways = [];
for (const way of [{}, { withoutNativeEsbuild: true }]) {
  const before = services();
  const { code } = await (await createBundler(${JSON.stringify(entry)}, way)).build();
  const started = services().filter((id) => !before.includes(id));
  const isFromPath = started.some((id) => read(id, "cmdline").startsWith("node\\0"));
  ways.push({ isBuilt: code.includes("createHash"), isFromPath, environments: started.map((id) => read(id, "environ")) });
}
console.log(JSON.stringify(ways));
process.exit(0);
`;
    const { stdout, stderr, status } = spawnSync(process.execPath, ["--import=tsx", "--input-type=module", "-e", script], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, PACK_AUTH_TOKEN: "canary-of-the-environment" },
    });
    assert.equal(status, 0, stderr);
    const way = { isBuilt: true, isFromPath: false, environments: process.platform === "linux" ? ["TZ=UTC\0"] : [] };
    assert.deepEqual(JSON.parse(stdout), [way, way]);
    assert.equal(existsSync(logFile), false);
  });

  it("the workspace's esbuild runs on request", async () => {
    assert.match((await build({ workspaceEsbuild: true })).code, /createHash/);
    assert.equal(readFileSync(logFile, "utf8"), `${join(folder, "node_modules/esbuild/lib/main.js")}\n`);
  });

  it("the workspace's esbuild is refused while the environment contains a credential", async () => {
    process.env.PACK_AUTH_TOKEN = "not-a-secret";
    try {
      await assert.rejects(build({ workspaceEsbuild: true }), (error) => {
        assert.ok(error instanceof PackAuthError);
        assert.match(error.message, /esbuild is not run while PACK_AUTH_TOKEN is in the environment/);
        assert.deepEqual(error.nextStep, { do: "leaveWorkspaceEsbuild", variable: "PACK_AUTH_TOKEN" });
        return true;
      });
      await build();
    } finally {
      delete process.env.PACK_AUTH_TOKEN;
    }
    assert.equal(existsSync(logFile), false);
  });

  it("credential variables are listed by name", () => {
    assert.deepEqual(
      credentialVariables({
        PACK_AUTH_ALICE_X_API_KEY: "1",
        PACK_AUTH_PASSPHRASE: "1",
        Pack_Auth_Token: "1",
        PACK_AUTH_TOKEN: "",
        PACK_AUTH_HOME: "/home",
        PACK_AUTH_SANDBOX: "http://127.0.0.1:1",
        PACK_AUTH_CONSTRUCTOR: "1",
        PACK_AUTH_OP: "/usr/bin/op",
        OP_SERVICE_ACCOUNT_TOKEN: "1",
        OP_SESSION_my: "1",
        OP_ACCOUNT: "my.1password.com",
        PACK_AUTH_DOMAINS: "example.com",
        PATH: "/bin",
      }),
      [
        "PACK_AUTH_ALICE_X_API_KEY",
        "PACK_AUTH_PASSPHRASE",
        "Pack_Auth_Token",
        "PACK_AUTH_CONSTRUCTOR",
        "OP_SERVICE_ACCOUNT_TOKEN",
        "OP_SESSION_my",
      ],
    );
  });
});
