// The import graph, by which `npm run test:changed` selects suites.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readImportGraph } from "../../scripts/import-graph.ts";
import { suitesOf } from "../../scripts/test-changed.ts";

/** A worker, or a separate Node process, whose program is a file. */
const START = /new Worker\(|\bfork\(|\b(?:spawn|spawnSync|execFile|execFileSync)\)?\((?:process\.execPath|node\.path)\b/;
/** The program is in the arguments, or is a package. */
const WITHOUT_FILE = /"-e"|"-p"|"--version"|"node_modules\//;

/** These start what their callers name. */
const STARTERS = new Set([
  "platform/runner/self-test.ts",
  "platform/sandbox/launch.ts",
  "platform/upload/toolkit-build.ts",
  "test/mutants/upload-agreement.deep.ts",
  "test/project/import-graph.test.ts",
]);

describe("The import graph", () => {
  const graph = readImportGraph();

  it("each file that starts a worker or a process has an edge to its program", () => {
    const forgotten = graph.files.filter(
      (file) =>
        /^(?!examples\/|test\/bench\/).*(?<!\.d)\.(?:ts|cjs|mjs)$/.test(file) &&
        !STARTERS.has(file) &&
        readFileSync(file, "utf8")
          .split("\n")
          .some((line) => START.test(line) && !WITHOUT_FILE.test(line)) &&
        graph.startedBy(file).length === 0,
    );
    assert.deepEqual(forgotten, [], "Add their programs to STARTED in scripts/import-graph.ts.");
  });

  it("a bundle leads to its source, and the pack's process to the runner", () => {
    const server = graph.reachOf("test/lsp/server.test.ts");
    assert.ok(server.has("server/main.ts") && server.has("scripts/build.ts"));
    assert.ok(!server.has("cli/main.ts"));
    assert.ok(graph.reachOf("test/cli/publishing/logs.deep.ts").has("platform/runner/main.ts"));
  });

  it("a suite of the command line reaches the verbs that it names, and no others", () => {
    const reach = graph.reachOf("test/cli/publishing/logs.deep.ts");
    assert.ok(reach.has("cli/publishing/logs.ts") && reach.has("cli/main.ts"));
    assert.ok(!reach.has("cli/publishing/drift.ts"));
  });

  it("types are no imports, and a journey reaches the client and the panel", () => {
    assert.deepEqual(
      [...graph.reachOf("test/base/closest.test.ts")].filter((file) => !file.startsWith("test/")),
      ["base/closest.ts"],
    );
    const journey = graph.reachOf("test/e2e/first-hour.deep-e2e.ts");
    assert.ok(journey.has("client/extension.ts") && journey.has("client/webview/main.ts") && journey.has("server/main.ts"));
  });

  it("a file that is no source selects the suites that name it or its folder, and an unnamed one selects all", () => {
    const suites = suitesOf(["test/analysis/cases/domains/new.case"], graph);
    assert.ok(suites.has("test/analysis/rules/cases.test.ts") && !suites.has("test/base/closest.test.ts"));
    assert.ok(suitesOf(["package-lock.json"], graph).has("test/base/closest.test.ts"));
    // A name in one piece would be named here.
    assert.ok(suitesOf([["a-new-file", "unknown"].join(".")], graph).has("test/base/closest.test.ts"));
  });
});
