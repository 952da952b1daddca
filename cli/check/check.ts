// `pack-auth check`: runs the editor's analysis over files, for CI.
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { PRODUCT_VERSION } from "../../base/product-version.ts";
import { fixedText } from "../../server/analysis/features/fixes/fix-all.ts";
import { whyNotChecked } from "../../server/analysis/modules/paths.ts";
import type { SettingsFile } from "../../server/analysis/settings/settings.ts";
import { describeProblems } from "../../server/analysis/settings/settings-problems.ts";
import type { Verb } from "../frame/options.ts";
import { createDisk } from "../sources/disk.ts";
import { findFiles, look } from "../sources/files.ts";
import { type LeftFolder, leavingLink, leftFolder } from "../sources/links.ts";
import { hasColours, painter } from "../terminal/colour.ts";
import { formatMessage, printable } from "../terminal/printable.ts";
import { readStandardInput } from "../terminal/read-standard-input.ts";
import { writeReportFile } from "../terminal/report-file.ts";
import { shortPath, slashes } from "../terminal/short-path.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { checkoutRoot, writeJobSummary } from "../terminal/workflow.ts";
import { CHECK, type CheckOptions, LEVELS, readCheckOptions } from "./check-options.ts";
import { findMistakes } from "./find-mistakes.ts";
import { type CheckedFile, type Report, summarise } from "./reports/report.ts";

export const check: Verb = Object.assign(
  async (args: readonly string[], terminal: Terminal): Promise<number> => {
    const options = readCheckOptions(args, terminal);
    return options === undefined ? 0 : checkSources(options, terminal);
  },
  { help: CHECK },
);

async function checkSources(options: CheckOptions, terminal: Terminal): Promise<number> {
  const cwd = terminal.folder;
  const leaves = leftFolder([
    cwd,
    ...options.paths.map((path) => resolve(cwd, path)).map((path) => (look(path)?.isDirectory() ? path : dirname(path))),
  ]);
  const disk = createDisk(leaves);
  /** Texts that replace those on disk: standard input, and the results of fixes. */
  const texts = new Map<string, string>();
  const notStdin = options.stdin === undefined ? undefined : whyNotChecked(options.stdin);
  if (notStdin !== undefined) throw new UsageError(`${options.stdin} cannot be checked: ${notStdin}. Correct --stdin-filepath.`);
  if (options.stdin !== undefined) texts.set(slashes(resolve(cwd, options.stdin)), await readStandardInput(terminal, options.fix));
  const textOf = (path: string): string | undefined => texts.get(path) ?? disk.read(path);
  const failures: string[] = [];
  const paths = options.stdin === undefined ? sources(terminal, options.paths, leaves, failures) : [...texts.keys()];
  const entries = paths.filter((path) => options.paths.some((pattern) => slashes(resolve(cwd, pattern)) === path));
  const { checked, appliedFixes } = await findMistakes(terminal, options, { entries, paths }, disk, texts, failures);
  throwIfSettingsAreWrong(checked.settingsFiles, cwd);
  const namedPaths = new Set(paths);
  const files: CheckedFile[] = [];
  for (const path of [...paths, ...checked.further]) {
    const text = textOf(path);
    if (checked.ignored.has(path)) continue;
    if (text === undefined) failures.push(`${shortPath(path, cwd)} cannot be read: ${disk.failure(path)}.`);
    else files.push({ path, text, diagnostics: checked.diagnostics.get(path) ?? [], isNamed: namedPaths.has(path) });
  }

  // With --stdin and --fix standard output contains only the fixed source.
  const isFilter = options.fix && options.stdin !== undefined;
  if (isFilter) terminal.output.writeData([...texts.values()].join(""));
  const stream = isFilter ? terminal.errorOutput : terminal.output;
  const paint = painter(options.format === "pretty" && hasColours(stream, terminal.environment));
  const root = checkoutRoot(cwd, terminal.environment);
  const summary = summarise(files);
  const reported = files.map((file) => ({
    ...file,
    diagnostics: file.diagnostics.filter(({ severity }) => LEVELS[options.level].includes(severity)),
  }));
  const report: Report = {
    files: reported,
    summary,
    appliedFixes,
    failures,
    cwd,
    root,
    version: PRODUCT_VERSION,
    paint,
    width: stream.width,
    docs: (rule) => pathToFileURL(join(terminal.assets, "../docs/rules", `${rule}.md`)).href,
    text: (path) => textOf(path) ?? "",
  };
  if (options.format === "pretty") stream.write((await import("./reports/pretty.ts")).prettyReport(report));
  else if (options.format === "github") {
    const { githubReport, githubSummary } = await import("./reports/github.ts");
    stream.writeData(githubReport(report));
    writeJobSummary(terminal, githubSummary(report));
  } else stream.writeJson(await jsonReport(options.format, report));
  const { errors, warnings, informations } = summary;
  if (options.format !== "pretty" && appliedFixes !== undefined)
    terminal.errorOutput.write(formatMessage`pack-auth: ${printable(fixedText(appliedFixes.length, errors + warnings + informations))}\n`);
  for (const failure of failures) terminal.errorOutput.write(formatMessage`pack-auth: ${printable(failure)}\n`);
  if (options.sarifFile !== undefined)
    await writeReportFile(terminal, "--sarif-file", options.sarifFile, await jsonReport("sarif", report));
  if (failures.length > 0) return 2;
  const isOverLimit = warnings > options.maxWarnings;
  if (isOverLimit)
    terminal.errorOutput.write(formatMessage`pack-auth: Too many warnings (${warnings}): --max-warnings allows ${options.maxWarnings}.\n`);
  return errors > 0 || isOverLimit ? 1 : 0;
}

/** Returns the sources to check, and prints why other named files are not checked. Throws UsageError if no source remains. */
function sources(terminal: Terminal, patterns: readonly string[], leaves: LeftFolder, failures: string[]): readonly string[] {
  const { folder: cwd } = terminal;
  const paths = findFiles(patterns, cwd, undefined, (message) => failures.push(message)).filter((path) => {
    const folder = leaves(path);
    const why = whyNotChecked(path) ?? (folder === undefined ? undefined : leavingLink(folder));
    if (why !== undefined)
      terminal.errorOutput.write(formatMessage`pack-auth: ${printable(`${shortPath(path, cwd)} is not checked: ${why}`)}.\n`);
    return why === undefined;
  });
  if (paths.length === 0)
    throw new UsageError(
      failures[0] ??
        `There is nothing to check in ${patterns.length === 0 ? cwd : patterns.map((name) => (name.startsWith(".") ? resolve(cwd, name) : name)).join(", ")}. Name TypeScript or JavaScript files, or a folder that has some. What git ignores is left out.`,
    );
  return paths;
}

async function jsonReport(format: "json" | "sarif", report: Report): Promise<string> {
  if (format === "json") return (await import("./reports/json.ts")).jsonReport(report);
  const [{ sarifReport }, { RULES }] = await Promise.all([import("./reports/sarif.ts"), import("../sources/analysis.ts")]);
  return sarifReport(report, RULES);
}

/** Throws UsageError if a settings file has a problem: results with settings that the author did not intend would mislead. */
function throwIfSettingsAreWrong(settingsFiles: readonly SettingsFile[], cwd: string): void {
  const problems = describeProblems(settingsFiles, (path) => shortPath(path, cwd));
  if (problems.length > 0) throw new UsageError(problems.join("\npack-auth: "));
}
