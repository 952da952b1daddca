// The esbuild that builds packs on the command line: the product's own as npm installs it, and the workspace's where a flag asks for it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addFormula({ name: "Try", description: "Tries.", parameters: [], resultType: coda.ValueType.String, execute: async () => "built" });
`;

describe("the workspace's esbuild on the command line", function () {
  this.timeout(60_000);
  let folder: string;
  let markerFile: string;
  before(() => {
    folder = dirname(packFiles({ "pack.ts": SOURCE, "package.json": "{}" }, { toolkit: false }));
    markerFile = join(folder, "told");
    // The toolkit is a copy, so that what it resolves is what lies beside it.
    const modules = join(root, "node_modules");
    mkdirSync(join(folder, "node_modules"));
    for (const name of readdirSync(modules)) if (!/^[.@]/.test(name)) symlinkSync(join(modules, name), join(folder, "node_modules", name));
    const toolkit = join(folder, "node_modules/@codahq/packs-sdk");
    cpSync(join(root, "node_modules/@codahq/packs-sdk"), toolkit, { recursive: true });
    const own = join(toolkit, "node_modules/esbuild/lib/main.js");
    assert.ok(existsSync(own), "the toolkit brings an esbuild");
    appendFileSync(own, `\nrequire("fs").appendFileSync(${JSON.stringify(markerFile)}, "run");\n`);
    mkdirSync(join(folder, "home"));
  });
  after(removePackFiles);
  afterEach(() => rmSync(markerFile, { force: true }));

  const run = (env: NodeJS.ProcessEnv, ...more: readonly string[]) =>
    spawnSync(process.execPath, [join(root, "dist/cli.cjs"), "run", folder, "Try", ...more], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, PACK_AUTH_HOME: join(folder, "home"), ...env },
    });

  it("the workspace's esbuild is not run beside credentials of the environment", () => {
    const { status, stdout, stderr } = run({ PACK_AUTH_TOKEN: "not-a-secret" });
    assert.equal(status, 0, stderr);
    assert.equal(stdout, "built\n");
    assert.equal(existsSync(markerFile), false);
  });

  it("--workspace-esbuild runs it, and is refused beside credentials of the environment", () => {
    const flagRun = run({}, "--workspace-esbuild");
    assert.equal(flagRun.status, 0, flagRun.stderr);
    assert.equal(existsSync(markerFile), true);
    rmSync(markerFile);
    const refusal = run({ PACK_AUTH_TOKEN: "not-a-secret" }, "--workspace-esbuild");
    assert.equal(refusal.status, 1);
    assert.match(refusal.stderr, /esbuild is not run while PACK_AUTH_TOKEN is in the environment/);
    assert.equal(existsSync(markerFile), false);
  });
});

describe("the package's own esbuild", function () {
  this.timeout(60_000);
  let folder: string;
  let markerFile: string;
  /** As npm installs the package: its bundles, and its dependencies beside it. */
  before(() => {
    folder = dirname(packFiles({ "pack.ts": SOURCE, "package.json": "{}" }));
    markerFile = join(folder, "told");
    const product = join(folder, "installed/node_modules/pack-auth");
    cpSync(join(root, "dist"), join(product, "dist"), { recursive: true, filter: (path) => !path.endsWith(".map") });
    cpSync(join(root, "package.json"), join(product, "package.json"));
    const own = join(folder, "installed/node_modules/esbuild");
    cpSync(join(root, "node_modules/esbuild"), own, { recursive: true });
    symlinkSync(join(root, "node_modules/@esbuild"), join(folder, "installed/node_modules/@esbuild"));
    appendFileSync(join(own, "lib/main.js"), `\nrequire("fs").appendFileSync(${JSON.stringify(markerFile)}, "run");\n`);
  });
  after(removePackFiles);

  const isRun = (): boolean => {
    rmSync(markerFile, { force: true });
    const cli = join(folder, "installed/node_modules/pack-auth/dist/cli.cjs");
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "run", folder, "Try"], {
      encoding: "utf8",
      env: { PATH: "/nowhere", PACK_AUTH_HOME: folder },
    });
    assert.equal(status, 0, stderr);
    assert.equal(stdout, "built\n");
    return existsSync(markerFile);
  };

  it("esbuild is an optional dependency of the same version as esbuild-wasm", () => {
    const { optionalDependencies, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<
      string,
      Record<string, string>
    >;
    assert.match(optionalDependencies?.esbuild ?? "", /^\d+\.\d+\.\d+$/);
    assert.equal(optionalDependencies?.esbuild, devDependencies?.["esbuild-wasm"]);
  });

  it("the installed esbuild is used only in the expected version", () => {
    assert.equal(isRun(), true);
    const manifest = join(folder, "installed/node_modules/esbuild/package.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace(/"version": "[^"]+"/, '"version": "0.0.1"'));
    assert.equal(isRun(), false);
    rmSync(dirname(manifest), { recursive: true });
    assert.equal(isRun(), false);
  });
});
