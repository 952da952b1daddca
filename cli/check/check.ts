// `pack-auth check`: the editor's analysis over files, for CI.
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { fixedText } from "../../server/analysis/features/fixes/fix-all.ts";
import type { SettingsFile } from "../../server/analysis/settings/settings.ts";
import { decoded } from "../../server/analysis/text/decode.ts";
import { hasColours, painter } from "../terminal/colour.ts";
import { errorOutput, output } from "../terminal/output.ts";
import { printable, told } from "../terminal/printable.ts";
import { UsageError } from "../usage-error.ts";
import { version } from "../version.ts";
import type { Checked } from "./check-files.ts";
import { type CheckOptions, readCheckOptions } from "./check-options.ts";
import { createDisk, type Disk } from "./disk.ts";
import { findFiles, slashes } from "./files.ts";
import type { FixMade } from "./fix-files.ts";
import { positionAt } from "./lines.ts";
import { type CheckedFile, type Report, shortPath, summarise } from "./reports/report.ts";

export async function check(args: readonly string[]): Promise<number> {
  const options = readCheckOptions(args);
  if (options === undefined) return 0;
  const cwd = workingFolder();
  const disk = createDisk();
  /** Read in place of the disk: standard input, and what fixes make. */
  const texts = new Map<string, string>();
  if (options.stdin !== undefined) texts.set(slashes(resolve(cwd, options.stdin)), await readStdin(options.fix));
  const textOf = (path: string): string | undefined => texts.get(path) ?? disk.read(path);
  const failures: string[] = [];
  const paths = options.stdin === undefined ? findFiles(options.paths, cwd) : [...texts.keys()];
  const { checked, made } = await look(options, paths, disk, texts, failures);
  throwIfSettingsAreWrong(checked.settingsFiles, cwd);
  const files: CheckedFile[] = [];
  for (const path of paths) {
    const text = textOf(path);
    if (checked.ignored.has(path)) continue;
    if (text === undefined) failures.push(`${shortPath(path, cwd)} cannot be read: ${disk.failure(path)}.`);
    else files.push({ path, text, diagnostics: checked.diagnostics.get(path) ?? [] });
  }

  // With --stdin and --fix the fixed source is what the caller wants.
  const isFilter = options.fix && options.stdin !== undefined;
  if (isFilter) output.writeData([...texts.values()].join(""));
  const stream = isFilter ? errorOutput : output;
  const paint = painter(options.format === "pretty" && hasColours(stream, process.env));
  const report: Report = { files, made, failures, cwd, version: version(), paint, docs: docsOf, text: (path) => textOf(path) ?? "" };
  if (options.format === "pretty") stream.write((await import("./reports/pretty.ts")).prettyReport(report));
  else stream.writeData(await dataReport(options.format, report));
  const { errors, warnings, informations } = summarise(files);
  if (options.format !== "pretty" && made !== undefined)
    errorOutput.write(told`pack-auth: ${printable(fixedText(made.length, errors + warnings + informations))}\n`);
  for (const failure of failures) errorOutput.write(told`pack-auth: ${printable(failure)}\n`);
  if (failures.length > 0) return 2;
  return errors > 0 || warnings > options.maxWarnings ? 1 : 0;
}

interface Looked {
  readonly checked: Checked;
  /** Undefined where nothing was to be fixed. */
  readonly made: readonly FixMade[] | undefined;
}

async function look(
  options: CheckOptions,
  paths: readonly string[],
  disk: Disk,
  texts: Map<string, string>,
  failures: string[],
): Promise<Looked> {
  if (options.cache !== undefined && !options.fix && options.stdin === undefined)
    return { checked: await lookWithCache(options.cache, options.paths, paths, disk), made: undefined };
  const { checkFiles } = await import("../analysis.ts");
  const now = checkFiles(paths, (path) => texts.get(path) ?? disk.read(path));
  if (!options.fix || now.settingsFiles.some(({ problems }) => problems.length > 0)) return { checked: now, made: undefined };
  const { fixFiles, writeFixed } = await import("../analysis.ts");
  const checked = paths.filter((path) => !now.ignored.has(path));
  const fixed = fixFiles(checked, now.analysis, texts, disk);
  const failed = options.stdin === undefined ? await writeFixed(fixed, disk) : new Map<string, string>();
  failures.push(...failed.values());
  // What was not written is reported as it stands.
  for (const path of failed.keys()) texts.delete(path);
  now.analysis.filesChanged([...failed.keys()]);
  const diagnostics = new Map(checked.map((path) => [path, now.analysis.diagnostics(path)]));
  return { checked: { ...now, diagnostics }, made: fixed.made.filter(({ path }) => !failed.has(path)) };
}

async function lookWithCache(location: string, patterns: readonly string[], paths: readonly string[], disk: Disk): Promise<Checked> {
  const { cachePath, readCache, writeCache } = await import("./cache-file.ts");
  const { checkCached } = await import("./check-cached.ts");
  const { mtimeMs, size } = statSync(join(__dirname, "analysis.cjs"));
  const cwd = process.cwd();
  const key = JSON.stringify([1, version(), mtimeMs, size, cwd, patterns]);
  const path = cachePath(location, cwd, JSON.stringify([cwd, patterns]));
  const { checked, results } = await checkCached(paths, disk, key, readCache(path, key));
  // What comes of wrong settings is not worth remembering.
  if (results === undefined || checked.settingsFiles.some(({ problems }) => problems.length > 0)) return checked;
  try {
    await writeCache(path, results);
  } catch (error) {
    errorOutput.write(
      told`pack-auth: the results could not be remembered: ${printable(error instanceof Error ? error.message : String(error))}.\n`,
    );
  }
  return checked;
}

async function dataReport(format: Exclude<CheckOptions["format"], "pretty">, report: Report): Promise<string> {
  if (format === "json") return (await import("./reports/json.ts")).jsonReport(report);
  if (format === "sarif") return (await import("../analysis.ts")).sarifReport(report);
  return (await import("./reports/github.ts")).githubReport(report, process.env.GITHUB_WORKSPACE);
}

/** Results that come from settings other than those meant would mislead. */
function throwIfSettingsAreWrong(settingsFiles: readonly SettingsFile[], cwd: string): void {
  const problems = settingsFiles
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap(({ path, text, problems: found }) =>
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

function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError("The working directory is gone. Change to one that exists.");
  }
}

/** Waits for its end; a source that is to be written out again must be all text. */
async function readStdin(isFilter: boolean): Promise<string> {
  if (process.stdin.isTTY) errorOutput.write(told`pack-auth: reading a source from standard input; end it with Ctrl+D.\n`);
  const parts: Buffer[] = [];
  try {
    for await (const part of process.stdin) parts.push(part as Buffer);
  } catch (error) {
    throw new UsageError(`Standard input cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const bytes = Buffer.concat(parts);
  const text = decoded(bytes.toString("utf8"), () => bytes);
  if (isFilter && !Buffer.from(text).equals(bytes)) throw new UsageError("Standard input is no UTF-8 text, so --fix would damage it.");
  return text;
}
