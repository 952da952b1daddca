// Finds the mistakes in files in one of three ways: check, check and fix, or check only what changed since the last time.
import { statSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../base/defined.ts";
import { errorMessage } from "../../base/error-message.ts";
import { writeWhole } from "../../platform/files/write-file.ts";
import type { Fact } from "../../protocol/evidence.ts";
import { errorOutput } from "../terminal/output.ts";
import { formatMessage, printable } from "../terminal/printable.ts";
import { storageFolder } from "../terminal/storage-folder.ts";
import { version } from "../version.ts";
import type { Checked } from "./check-files.ts";
import type { CheckOptions } from "./check-options.ts";
import type { Disk } from "./disk.ts";
import { slashes } from "./files.ts";
import type { AppliedFix } from "./fix-files.ts";

interface CheckResult {
  readonly checked: Checked;
  /** Undefined if no fix was requested. */
  readonly appliedFixes: readonly AppliedFix[] | undefined;
}

/** Returns the mistakes in the files: as the files are, after fixes, or partly from the cache. */
export async function findMistakes(
  options: CheckOptions,
  paths: readonly string[],
  disk: Disk,
  texts: Map<string, string>,
  failures: string[],
): Promise<CheckResult> {
  if (options.cache !== undefined && !options.fix && !options.evidence && options.stdin === undefined)
    return { checked: await findWithCache(options.cache, options.paths, paths, disk), appliedFixes: undefined };
  const { checkFiles } = await import("../analysis.ts");
  const evidence = options.evidence ? await readEvidence() : [];
  const now = checkFiles(paths, (path) => texts.get(path) ?? disk.read(path), undefined, evidence);
  if (!options.fix || now.settingsFiles.some(({ problems }) => problems.length > 0)) return { checked: now, appliedFixes: undefined };
  const { fixFiles, writeFixed } = await import("../analysis.ts");
  const checked = paths.filter((path) => !now.ignored.has(path));
  const fixed = fixFiles(checked, now.analysis, texts, disk);
  for (const path of fixed.notText)
    errorOutput.write(
      formatMessage`pack-auth: ${printable(path)} is not fixed, because it is not UTF-8. Save it as UTF-8, and try again.\n`,
    );
  const writeFailures = options.stdin === undefined ? await writeFixed(fixed, disk) : new Map<string, string>();
  failures.push(...writeFailures.values());
  // A file that could not be written is reported with its text on disk.
  for (const path of writeFailures.keys()) texts.delete(path);
  now.analysis.filesChanged([...writeFailures.keys()]);
  const diagnostics = new Map(checked.map((path) => [path, now.analysis.diagnostics(path)]));
  return { checked: { ...now, diagnostics }, appliedFixes: fixed.appliedFixes.filter(({ path }) => !writeFailures.has(path)) };
}

/** Returns the facts without their accounts: a report must not show whose accounts they are. */
async function readEvidence(): Promise<readonly Fact[]> {
  const folder = storageFolder();
  if (folder === undefined) return [];
  const { openEvidence } = await import("../other-verbs.ts");
  return openEvidence({ storageFolder: folder })
    .facts()
    .map(({ account: _account, at, ...fact }) => ({
      ...fact,
      entry: slashes(fact.entry),
      ...defined({ at: at && { ...at, path: slashes(at.path) } }),
    }));
}

async function findWithCache(location: string, patterns: readonly string[], paths: readonly string[], disk: Disk): Promise<Checked> {
  const { cachePath, readCache } = await import("./cache-file.ts");
  const { checkCached } = await import("./check-cached.ts");
  const { mtimeMs, size } = statSync(join(__dirname, "analysis.cjs"));
  const cwd = process.cwd();
  const key = JSON.stringify([1, version(), mtimeMs, size, cwd, patterns]);
  const path = cachePath(location, cwd, JSON.stringify([cwd, patterns]));
  const { checked, results } = await checkCached(paths, disk, key, path === undefined ? undefined : readCache(path, key));
  // Results of wrong settings are not worth storing.
  if (results === undefined || checked.settingsFiles.some(({ problems }) => problems.length > 0)) return checked;
  try {
    if (path === undefined) throw new Error("this user has no home folder. Name a place with --cache-location");
    // The file is replaced in one step, because several checks may run at once.
    await writeWhole(path, JSON.stringify(results));
  } catch (error) {
    errorOutput.write(formatMessage`pack-auth: the results could not be cached: ${printable(errorMessage(error))}.\n`);
  }
  return checked;
}
