// The GitHub Action and the commit hook: what they declare, and the action's own script, run as the runner runs it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../support/packs.ts";

// The reader of mocha's own settings.
const require = createRequire(createRequire(import.meta.url).resolve("mocha/package.json"));
const yaml = require("js-yaml") as { load(text: string): unknown };
const read = (name: string): unknown => yaml.load(readFileSync(join(root, name), "utf8"));

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description?: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description?: string; readonly value: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly {
      readonly id?: string;
      readonly name: string;
      readonly run?: string;
      readonly shell?: string;
      readonly uses?: string;
      readonly env?: Readonly<Record<string, string>>;
    }[];
  };
}

const BAD =
  'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({});\n';

describe("the GitHub Action", () => {
  const action = read("action.yml") as Action;
  const docs = readFileSync(join(root, "docs/command-line.md"), "utf8");

  it("documents every input and output, and uses only those that it has", () => {
    assert.equal(action.runs.using, "composite");
    for (const [name, { description }] of [...Object.entries(action.inputs), ...Object.entries(action.outputs)]) {
      assert.ok(description, name);
      assert.ok(docs.includes(`\`${name}\``), `${name} is not in docs/command-line.md`);
    }
    const text = readFileSync(join(root, "action.yml"), "utf8");
    for (const [, name = ""] of text.matchAll(/inputs\.([\w-]+)/g)) assert.ok(name in action.inputs, name);
    for (const [, id = ""] of text.matchAll(/steps\.([\w-]+)\./g))
      assert.ok(
        action.runs.steps.some((step) => step.id === id),
        id,
      );
  });

  it("takes no input into a script but by its environment", () => {
    for (const step of action.runs.steps) {
      assert.ok(!step.run?.includes("${{"), step.name);
      assert.equal(step.run === undefined, step.shell === undefined, step.name);
    }
  });

  it("runs saved tests where it is asked to, and tells what came of them", () => {
    const folder = mkdtempSync(join(tmpdir(), "pack-auth-action-"));
    try {
      const script = action.runs.steps.find((step) => step.id === "test")?.run ?? "";
      const { status, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
        cwd: folder,
        encoding: "utf8",
        env: { PATH: process.env.PATH, PACK_AUTH: join(root, "dist/cli.cjs") },
      });
      assert.equal(status, 2);
      assert.match(stderr, /No file here ends in \.packauth\.json/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("checks what it is told to, keeps the report, and tells the exit code", () => {
    const folder = mkdtempSync(join(tmpdir(), "pack-auth-action-"));
    try {
      writeFileSync(join(folder, "a pack.ts"), BAD);
      writeFileSync(join(folder, "other.ts"), BAD);
      const script = action.runs.steps.find((step) => step.id === "check")?.run ?? "";
      const check = (paths: string, more: Record<string, string> = {}): string => {
        const output = join(folder, "output");
        writeFileSync(output, "");
        const { status, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
          cwd: folder,
          encoding: "utf8",
          env: {
            PATH: process.env.PATH,
            PACK_AUTH: join(root, "dist/cli.cjs"),
            PATHS: paths,
            MAX_WARNINGS: "",
            SARIF_FILE: "out.sarif",
            GITHUB_OUTPUT: output,
            ...more,
          },
        });
        assert.equal(status, 0, stderr);
        return readFileSync(output, "utf8");
      };
      assert.equal(check("a pack.ts\n"), "exit-code=1\nsarif-file=out.sarif\n");
      const log = JSON.parse(readFileSync(join(folder, "out.sarif"), "utf8"));
      assert.equal(log.runs[0].artifacts.length, 1);
      writeFileSync(join(folder, "kept"), "as it was");
      rmSync(join(folder, "out.sarif"));
      symlinkSync("kept", join(folder, "out.sarif"));
      check("a pack.ts\n");
      assert.equal(readFileSync(join(folder, "kept"), "utf8"), "as it was", "the checkout's link was written through");
      assert.equal(check("--help\n$(touch gone wrong)\n"), "exit-code=2\n");
      assert.ok(!existsSync(join(folder, "out.sarif")));
      assert.ok(!existsSync(join(folder, "gone")));
      assert.equal(check("*.ts", { MAX_WARNINGS: "x" }), "exit-code=2\n");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

it("the commit hook calls what the package has", () => {
  const [hook, ...others] = read(".pre-commit-hooks.yaml") as { id: string; entry: string; language: string; types_or: string[] }[];
  const { bin, scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<
    "bin" | "scripts",
    Record<string, string>
  >;
  // Hooks are installed from the repository, where dist/ is not kept.
  assert.ok(scripts.prepare);
  assert.equal(others.length, 0);
  assert.ok(hook !== undefined && Object.keys(bin).includes(hook.entry.split(" ")[0] ?? ""));
  assert.equal(hook.language, "node");
  assert.deepEqual(hook.types_or, ["ts", "tsx", "javascript", "jsx"]);
});
