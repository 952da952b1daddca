// `npx tsx test/scripts/judge-selection.ts suite…`: runs suites one by one with V8's coverage, child processes included, and lists the source
// files that a suite executed although `npm run test:changed` would not select the suite for a change of them.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { readImportGraph } from "../../scripts/import-graph.ts";
import { suitesOf } from "../../scripts/test-changed.ts";

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly functionName: string; readonly ranges: readonly { startOffset: number; count: number }[] }[];
}

const graph = readImportGraph();
const tree = new Set(graph.files);
const selections = new Map<string, ReadonlySet<string>>();
const maps = new Map<string, (offset: number) => string | undefined>();

/** Returns what maps an offset of a bundle to its source file. */
function sourceMap(path: string): (offset: number) => string | undefined {
  const map = new TraceMap(readFileSync(`${path}.map`, "utf8"));
  const starts = [0, ...[...readFileSync(path, "utf8").matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let low = 0;
    for (let high = starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    const { source } = originalPositionFor(map, { line: low + 1, column: offset - (starts[low] ?? 0) });
    return source === null ? undefined : relative("", join(dirname(path), source));
  };
}

/**
 * Returns the files of the tree that a script executed: those of whose functions one was called, and those that have none. Verbs that are not
 * called are loaded with others.
 */
function executedBy({ url, functions }: Script): readonly string[] {
  if (!url.startsWith("file://")) return [];
  const path = fileURLToPath(url.replace(/\?.*/, ""));
  const file = relative("", path);
  const inside = functions.filter(
    ({ functionName, ranges: [range] }) => functionName !== "__name" && range !== undefined && range.startOffset > 0,
  );
  if (tree.has(file)) return inside.length === 0 || inside.some(({ ranges: [range] }) => range?.count !== 0) ? [file] : [];
  if (!file.startsWith("dist/") || !existsSync(`${path}.map`)) return [];
  const sourceAt = maps.get(path) ?? sourceMap(path);
  maps.set(path, sourceAt);
  return inside.flatMap(({ functionName, ranges: [range] }) =>
    functionName === "" || range === undefined || range.count === 0 ? [] : (sourceAt(range.startOffset) ?? []),
  );
}

for (const suite of process.argv.slice(2)) {
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-coverage-"));
  try {
    const { status } = spawnSync(process.execPath, ["node_modules/mocha/bin/mocha.js", "--exit", "--timeout", "300000", suite], {
      env: { ...process.env, NODE_V8_COVERAGE: folder, ...(/\.deep/.test(suite) ? { TESTS_DEEP: "1" } : {}) },
      stdio: "ignore",
    });
    const scripts = readdirSync(folder).flatMap((name) => {
      try {
        return (JSON.parse(readFileSync(join(folder, name), "utf8")) as { readonly result: readonly Script[] }).result;
      } catch {
        // Its process was ended while it wrote.
        return [];
      }
    });
    const executed = [...new Set(scripts.flatMap(executedBy))].filter((file) => tree.has(file));
    const reach = graph.reachOf(suite);
    const missed = executed.filter((file) => {
      if (reach.has(file)) return false;
      const selection = selections.get(file) ?? suitesOf([file], graph);
      selections.set(file, selection);
      return !selection.has(suite);
    });
    console.log(`${suite}: exit code ${status}, ${executed.length} files, ${missed.length} missed ${missed.join(" ")}`);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
