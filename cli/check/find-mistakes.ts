// What is wrong in the files, in one of two ways: look, or look and fix.

import type { Checked } from "../sources/check-files.ts";
import type { Disk } from "../sources/disk.ts";
import type { AppliedFix } from "../sources/fix-files.ts";
import { formatMessage, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { CheckOptions } from "./check-options.ts";

interface CheckResult {
  readonly checked: Checked;
  /** Undefined if no fix was requested. */
  readonly appliedFixes: readonly AppliedFix[] | undefined;
}

export interface CheckedPaths {
  /** The files that are named one by one. If one of them builds a pack, the whole pack is checked. */
  readonly entries: readonly string[];
  /** The files to check, and with `--fix` to change. */
  readonly paths: readonly string[];
}

/** The mistakes in the files: as they are, or once what can be fixed is fixed. */
export async function findMistakes(
  terminal: Terminal,
  options: CheckOptions,
  { entries, paths }: CheckedPaths,
  disk: Disk,
  texts: Map<string, string>,
  failures: string[],
): Promise<CheckResult> {
  const { checkFiles, storedFacts } = await import("../sources/analysis.ts");
  const evidence = options.evidence ? await storedFacts(terminal.environment) : [];
  const now = checkFiles(terminal.errorOutput, entries, paths, (path) => texts.get(path) ?? disk.read(path), evidence);
  if (!options.fix || now.settingsFiles.some(({ problems }) => problems.length > 0)) return { checked: now, appliedFixes: undefined };
  const { fixFiles, writeFixed } = await import("../sources/analysis.ts");
  const checked = paths.filter((path) => !now.ignored.has(path));
  const fixed = fixFiles(checked, now.analysis, texts, disk);
  for (const path of fixed.notText)
    terminal.errorOutput.write(
      formatMessage`pack-auth: ${printable(path)} is not fixed, because it is not UTF-8. Save it as UTF-8, and try again.\n`,
    );
  const writeFailures = options.stdin === undefined ? await writeFixed(fixed, disk) : new Map<string, string>();
  failures.push(...writeFailures.values());
  // A file that could not be written is reported with its text on disk.
  for (const path of writeFailures.keys()) texts.delete(path);
  now.analysis.filesChanged([...writeFailures.keys()]);
  const diagnostics = new Map([...checked, ...now.further].map((path) => [path, now.analysis.diagnostics(path)]));
  return { checked: { ...now, diagnostics }, appliedFixes: fixed.appliedFixes.filter(({ path }) => !writeFailures.has(path)) };
}
