// The esbuild that builds packs on the command line: the product's own, and the workspace's where a flag asks for it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { packFiles, removePackFiles } from "../support/pack-file.ts";
import { root } from "../support/packs.ts";

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addFormula({ name: "Try", description: "Tries.", parameters: [], resultType: coda.ValueType.String, execute: async () => "built" });
`;

describe("the workspace's esbuild on the command line", function () {
  this.timeout(60_000);
  let folder: string;
  let told: string;
  before(() => {
    folder = dirname(packFiles({ "pack.ts": SOURCE, "package.json": "{}" }, { toolkit: false }));
    told = join(folder, "told");
    // The toolkit is a copy, so that what it resolves is what lies beside it.
    const modules = join(root, "node_modules");
    mkdirSync(join(folder, "node_modules"));
    for (const name of readdirSync(modules)) if (!/^[.@]/.test(name)) symlinkSync(join(modules, name), join(folder, "node_modules", name));
    const toolkit = join(folder, "node_modules/@codahq/packs-sdk");
    cpSync(join(root, "node_modules/@codahq/packs-sdk"), toolkit, { recursive: true });
    const own = join(toolkit, "node_modules/esbuild/lib/main.js");
    assert.ok(existsSync(own), "the toolkit brings an esbuild");
    appendFileSync(own, `\nrequire("fs").appendFileSync(${JSON.stringify(told)}, "run");\n`);
    mkdirSync(join(folder, "home"));
  });
  after(removePackFiles);
  afterEach(() => rmSync(told, { force: true }));

  const run = (env: NodeJS.ProcessEnv, ...more: readonly string[]) =>
    spawnSync(process.execPath, [join(root, "dist/cli.cjs"), "run", folder, "Try", ...more], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, PACK_AUTH_HOME: join(folder, "home"), ...env },
    });

  it("is not run, whatever the environment holds", () => {
    const { status, stdout, stderr } = run({ PACK_AUTH_TOKEN: "not-a-secret" });
    assert.equal(status, 0, stderr);
    assert.equal(stdout, "built\n");
    assert.equal(existsSync(told), false);
  });

  it("is run by the flag that names it, and refused beside credentials of the environment", () => {
    const asked = run({}, "--workspace-esbuild");
    assert.equal(asked.status, 0, asked.stderr);
    assert.equal(existsSync(told), true);
    rmSync(told);
    const refused = run({ PACK_AUTH_TOKEN: "not-a-secret" }, "--workspace-esbuild");
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /esbuild is not run while PACK_AUTH_TOKEN is in the environment/);
    assert.equal(existsSync(told), false);
  });
});
