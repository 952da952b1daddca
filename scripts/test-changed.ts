// Selects the suites that changed files can reach. See import-graph.ts.
import { execFileSync } from "node:child_process";
import { type ImportGraph, readImportGraph } from "./import-graph.ts";
import { SUITE } from "./test-titles.ts";

/** What decides how every suite runs, or which packages it has. */
const ALL_SUITES = /^(?:package-lock\.json|\.mocharc\.json|tsconfig\.base\.json|scripts\/test\.ts|test\/support\/reporter\.cjs)$/;

const git = (...args: readonly string[]): readonly string[] =>
  execFileSync("git", args, { encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");

/** Returns the files that differ from `base` in the work tree. By default that is where this branch left main. */
function changedFiles(base = git("merge-base", "HEAD", "main")[0] ?? "HEAD"): readonly string[] {
  return [...git("diff", "--name-only", "--no-renames", base), ...git("ls-files", "--others", "--exclude-standard")];
}

/**
 * Returns the suites that files can reach. A file that nothing imports counts for the suites that name it. If none does, it counts for all.
 */
export function suitesOf(files: readonly string[], graph: ImportGraph): ReadonlySet<string> {
  const reaches = graph.files.filter((file) => SUITE.test(file)).map((suite) => ({ suite, reach: graph.reachOf(suite) }));
  const selected = new Set(files.length > 0 ? graph.listers : []);
  for (const file of files) {
    const names = [file, ...graph.namersOf(file)];
    const reached = reaches.filter(({ reach }) => names.some((name) => reach.has(name)));
    for (const { suite } of reached.length > 0 && !ALL_SUITES.test(file) ? reached : reaches) selected.add(suite);
  }
  return selected;
}

/** Returns the suites that the changes since `base` can reach. */
export const suitesOfChanges = (base?: string): ReadonlySet<string> => suitesOf(changedFiles(base), readImportGraph());
