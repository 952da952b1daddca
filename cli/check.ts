// `pack-auth check`: the editor's analysis over files, for CI.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Analysis, createAnalysis } from "../server/analysis/analysis.ts";
import { type CheckOptions, readCheckOptions } from "./check-options.ts";
import { hasColours, painter } from "./colour.ts";
import { createDisk, type Disk } from "./disk.ts";
import { findFiles, slashes } from "./files.ts";
import type { FixedFiles } from "./fix-files.ts";
import { positionAt } from "./lines.ts";
import { type CheckedFile, plural, type Report, shortPath, summarise } from "./reports/report.ts";
import { UsageError } from "./usage-error.ts";

export async function check(args: readonly string[]): Promise<number> {
  const options = readCheckOptions(args);
  if (options === undefined) return 0;
  const cwd = process.cwd();
  const disk = createDisk();
  /** Read in place of the disk: standard input, and what fixes make. */
  const texts = new Map<string, string>();
  if (options.stdin !== undefined) texts.set(slashes(resolve(cwd, options.stdin)), readStdin());
  const paths = options.stdin === undefined ? findFiles(options.paths, cwd) : [...texts.keys()];
  const analysis = createAnalysis({ readFile: (path) => texts.get(path) ?? disk.read(path) });
  analysis.addCandidates(paths);

  const checked = paths.filter((path) => !analysis.ignores(path));
  throwIfSettingsAreWrong(analysis, cwd);
  const unreadable = checked.filter((path) => analysis.text(path) === undefined);
  const failures = unreadable.map((path) => `${shortPath(path, cwd)} cannot be read: ${disk.failure(path)}.`);
  const readable = checked.filter((path) => !unreadable.includes(path));
  const fixed = options.fix ? await fix(options, readable, analysis, texts, disk, failures) : undefined;
  const files = readable.map((path): CheckedFile => ({ path, text: analysis.text(path) ?? "", diagnostics: analysis.diagnostics(path) }));

  // With --stdin and --fix the fixed source is what the caller wants.
  const isFilter = options.fix && options.stdin !== undefined;
  if (isFilter) process.stdout.write([...texts.values()].join(""));
  const stream = isFilter ? process.stderr : process.stdout;
  const paint = painter(options.format === "pretty" && hasColours(stream, process.env));
  const report: Report = { files, made: fixed?.made ?? [], failures, cwd, paint, docs: docsOf, text: (path) => analysis.text(path) ?? "" };
  stream.write(await write(options.format, report));
  if (options.format !== "pretty" && report.made.length > 0)
    process.stderr.write(`pack-auth: fixed ${plural(report.made.length, "problem")}\n`);
  for (const failure of failures) process.stderr.write(`pack-auth: ${failure}\n`);
  const { errors, warnings } = summarise(files);
  if (failures.length > 0) return 2;
  return errors > 0 || warnings > options.maxWarnings ? 1 : 0;
}

async function fix(
  options: CheckOptions,
  paths: readonly string[],
  analysis: Analysis,
  texts: Map<string, string>,
  disk: Disk,
  failures: string[],
): Promise<FixedFiles> {
  const { fixFiles, writeFixed } = await import("./fix-files.ts");
  const fixed = fixFiles(paths, analysis, texts, disk);
  if (options.stdin === undefined) failures.push(...writeFixed(fixed, disk));
  return fixed;
}

async function write(format: CheckOptions["format"], report: Report): Promise<string> {
  if (format === "json") return (await import("./reports/json.ts")).jsonReport(report);
  if (format === "sarif") return (await import("./reports/sarif.ts")).sarifReport(report);
  if (format === "github") return (await import("./reports/github.ts")).githubReport(report, process.env.GITHUB_WORKSPACE);
  return (await import("./reports/pretty.ts")).prettyReport(report);
}

/** Results that come from settings other than those meant would mislead. */
function throwIfSettingsAreWrong(analysis: Analysis, cwd: string): void {
  const problems = analysis.settingsFiles().flatMap(({ path, text, problems: found }) =>
    found.map(({ start, message }) => {
      const { line, character } = positionAt(text, start);
      return `${shortPath(path, cwd)}:${line + 1}:${character + 1}: ${message}`;
    }),
  );
  if (problems.length > 0) throw new UsageError(problems.join("\npack-auth: "));
}

/** The page that comes with the product; shipped beside dist/. */
function docsOf(rule: string): string {
  return pathToFileURL(join(__dirname, "../docs/rules", `${rule}.md`)).href;
}

function readStdin(): string {
  if (process.stdin.isTTY) process.stderr.write("pack-auth: reading a source from standard input; end it with Ctrl+D.\n");
  try {
    return readFileSync(0, "utf8");
  } catch (error) {
    // Nothing is connected to standard input.
    if ((error as NodeJS.ErrnoException).code === "EOF") return "";
    throw new UsageError(`Standard input cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
