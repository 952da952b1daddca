// The GitHub Action and the commit hook: what they declare, and the action's own script, run as the runner runs it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { runInNewContext } from "node:vm";
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
      readonly if?: string;
      readonly with?: Readonly<Record<string, string>>;
      readonly "working-directory"?: string;
      readonly env?: Readonly<Record<string, string>>;
    }[];
  };
}

const BAD =
  'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({});\n';

describe("the GitHub Action", function () {
  this.timeout(60_000);
  const action = read("action.yml") as Action;
  const docs = readFileSync(join(root, "docs/command-line.md"), "utf8");

  it("every input and output is documented, and only declared ones are used", () => {
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

  it("inputs reach a script only through its environment", () => {
    for (const step of action.runs.steps) {
      assert.ok(!step.run?.includes("${{"), step.name);
      assert.equal(step.run === undefined, step.shell === undefined, step.name);
    }
  });

  /** A folder with the checkout, and what the runner gives to the steps. */
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-action-")));
    writeFileSync(join(folder, "a pack.ts"), BAD);
    writeFileSync(join(folder, "other.ts"), BAD);
    // No test installs anything.
    writeFileSync(join(folder, "npm"), '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("findings are in log, summary and report, and the job fails after the upload", () => {
    const { log, summary, outputs, uses, failedSteps } = runAction(action, folder, {
      paths: "a pack.ts\n",
      "sarif-file": "reports/out.sarif",
    });
    assert.match(log, /^::error file=a pack\.ts,line=4,.*title=auth-type-missing::/m);
    assert.match(summary, /^### Pack Auth: 1 error, .* in 1 file\. 1 fails when it runs\n/);
    assert.match(summary, /\| error \| a pack\\\.ts\\:4\\:\d+ \| `auth-type-missing` \|/);
    assert.deepEqual(outputs, { "sarif-file": "reports/out.sarif", "exit-code": "1", "junit-file": "" });
    const report = JSON.parse(readFileSync(join(folder, "reports/out.sarif"), "utf8"));
    assert.equal(report.runs[0].artifacts.length, 1);
    assert.deepEqual(uses, ["github/codeql-action/upload-sarif reports/out.sarif"]);
    assert.deepEqual(failedSteps, ["Check"]);
  });

  it("saved tests run after a failed check too, and their report is written", () => {
    writeFileSync(join(folder, "broken.packauth.json"), "{");
    const inputs = { test: "true", upload: "false", "test-paths": "broken.packauth.json\r\n", "junit-file": "reports/tests.xml" };
    const { log, summary, outputs, uses, failedSteps } = runAction(action, folder, inputs);
    assert.match(log, /^::error file=broken\.packauth\.json,title=pack-auth test::/m);
    assert.match(summary, /### Pack Auth tests: 1 unreadable\n/);
    assert.equal(outputs["junit-file"], "reports/tests.xml");
    assert.match(readFileSync(join(folder, "reports/tests.xml"), "utf8"), /tests="1" failures="1"/);
    assert.deepEqual([uses, failedSteps], [[], ["Check", "Test"]]);
  });

  it("the report is not written through a link, and a committed report is not uploaded", () => {
    writeFileSync(join(folder, "target"), "as it was");
    symlinkSync("target", join(folder, "pack-auth.sarif"));
    assert.equal(runAction(action, folder).outputs["exit-code"], "1");
    assert.equal(readFileSync(join(folder, "target"), "utf8"), "as it was");
    assert.deepEqual(runAction(action, folder, { "max-warnings": "x" }), {
      log: "",
      summary: "",
      outputs: { "sarif-file": "", "exit-code": "2", "junit-file": "" },
      uses: [],
      failedSteps: ["Check"],
    });
  });

  it("an input cannot pass an option or a command", () => {
    const { outputs } = runAction(action, folder, { paths: "--help\n$(touch ran wrong)\n" });
    assert.equal(outputs["exit-code"], "2");
    assert.ok(!existsSync(join(folder, "ran")));
  });

  it("the product is built once for each version of its sources", () => {
    const source = join(folder, "action");
    mkdirSync(source);
    writeFileSync(join(source, "main.ts"), "1");
    const steps = action.runs.steps.filter(({ id, name }) => name === "Save" || ["sources", "restore", "build"].includes(id ?? ""));
    const build = { ...action, runs: { ...action.runs, steps } };
    const before = runAction(build, folder, {}, { actionPath: source });
    assert.equal(before.log, "npm ci --ignore-scripts --no-audit --no-fund\nnpm run build\n");
    const [restored, saveUse] = before.uses;
    assert.match(restored ?? "", /^actions\/cache\/restore .*\/action\/dist pack-auth-[0-9a-f]{40}$/);
    assert.equal(saveUse, restored?.replace("restore", "save"));
    const cached = runAction(build, folder, {}, { actionPath: source, outputs: { restore: { "cache-hit": "true" } } });
    assert.deepEqual([cached.log, cached.uses], ["", [restored]]);
    writeFileSync(join(source, "main.ts"), "2");
    assert.notEqual(runAction(build, folder, {}, { actionPath: source }).uses[0], restored);
  });
});

interface Job {
  /** Standard output of all steps. */
  readonly log: string;
  readonly summary: string;
  /** The action's. */
  readonly outputs: Readonly<Record<string, string>>;
  /** The actions that it calls, with the paths and keys that they get. */
  readonly uses: readonly string[];
  /** Names of the steps that failed. */
  readonly failedSteps: readonly string[];
}

/** Runs the steps as a runner does: their conditions, expressions, files for outputs and summary, and `bash -e` for each script. */
function runAction(
  action: Action,
  checkout: string,
  input: Readonly<Record<string, string>> = {},
  { actionPath = root, outputs: ofUses = {} }: { actionPath?: string; outputs?: Record<string, Record<string, string>> } = {},
): Job {
  const inputs = {
    ...Object.fromEntries(Object.entries(action.inputs).map(([name, { default: value }]) => [name, value ?? ""])),
    ...input,
  };
  const steps: Record<string, { outputs: Record<string, string>; outcome: string }> = {};
  const uses: string[] = [];
  const failedSteps: string[] = [];
  const context = { inputs, steps, github: { action_path: actionPath } };
  const evaluate = (expression: string): unknown => {
    // What the action uses of the language of expressions is JavaScript's, but for names with dashes, and for a missing member, which is empty.
    const script = expression.replaceAll(/\b(inputs|steps|github)((?:\.[\w-]+)+)/g, (_, base: string, members: string) => {
      const path = members.split(".").slice(1);
      return `(${base}${path.map((name) => `?.[${JSON.stringify(name)}]`).join("")} ?? "")`;
    });
    return runInNewContext(script, { ...context, cancelled: () => false, success: () => failedSteps.length === 0 });
  };
  const expand = (text: string): string => text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => String(evaluate(expression)));
  const files = {
    output: join(checkout, "..", `${basename(checkout)}.output`),
    summary: join(checkout, "..", `${basename(checkout)}.summary`),
  };
  let log = "";
  writeFileSync(files.summary, "");
  try {
    for (const step of action.runs.steps) {
      const condition = step.if === undefined ? "success()" : step.if.replace(/^\$\{\{(.*)\}\}$/, "$1");
      const isRun = evaluate(/\b(cancelled|success|always|failure)\(/.test(condition) ? condition : `success() && (${condition})`);
      const id = step.id ?? step.name;
      if (!isRun) {
        steps[id] = { outputs: {}, outcome: "skipped" };
        continue;
      }
      if (step.uses !== undefined) {
        const { path, sarif_file: sarif, key } = step.with ?? {};
        uses.push(
          [step.uses.replace(/@.*/, ""), ...[path, sarif, key].flatMap((text) => (text === undefined ? [] : expand(text)))].join(" "),
        );
        steps[id] = { outputs: ofUses[id] ?? {}, outcome: "success" };
        continue;
      }
      writeFileSync(files.output, "");
      const { status, stdout } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run ?? ""], {
        cwd: step["working-directory"] === undefined ? checkout : expand(step["working-directory"]),
        encoding: "utf8",
        env: {
          PATH: `${checkout}${delimiter}${process.env.PATH}`,
          GITHUB_ACTIONS: "true",
          GITHUB_WORKSPACE: checkout,
          GITHUB_OUTPUT: files.output,
          GITHUB_STEP_SUMMARY: files.summary,
          ...Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, expand(text)])),
        },
      });
      log += stdout;
      if (status !== 0) failedSteps.push(step.name);
      const lines = readFileSync(files.output, "utf8").split("\n").filter(Boolean);
      const outputs = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
      steps[id] = { outputs, outcome: status === 0 ? "success" : "failure" };
    }
    const outputs = Object.fromEntries(Object.entries(action.outputs).map(([name, { value }]) => [name, expand(value)]));
    return { log, summary: readFileSync(files.summary, "utf8"), outputs, uses, failedSteps };
  } finally {
    for (const file of Object.values(files)) rmSync(file, { force: true });
  }
}

it("the commit hook calls a command of the package", () => {
  const [hook, ...otherHooks] = read(".pre-commit-hooks.yaml") as { id: string; entry: string; language: string; types_or: string[] }[];
  const { bin, scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<
    "bin" | "scripts",
    Record<string, string>
  >;
  // Hooks are installed from the repository, where dist/ is not kept.
  assert.ok(scripts.prepare);
  assert.equal(otherHooks.length, 0);
  assert.ok(hook !== undefined && Object.keys(bin).includes(hook.entry.split(" ")[0] ?? ""));
  assert.equal(hook.language, "node");
  assert.deepEqual(hook.types_or, ["ts", "tsx", "javascript", "jsx"]);
});
