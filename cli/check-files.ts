// The analysis over files.
import { type Analysis, createAnalysis } from "../server/analysis/analysis.ts";
import type { Diagnostic } from "../server/analysis/model.ts";
import type { SettingsFile } from "../server/analysis/settings.ts";
import { realPath } from "./disk.ts";
import { createProgress } from "./progress.ts";

export interface Checked {
  readonly diagnostics: ReadonlyMap<string, readonly Diagnostic[]>;
  /** Files that settings leave out. */
  readonly ignored: ReadonlySet<string>;
  readonly settingsFiles: readonly SettingsFile[];
}

export interface CheckedNow extends Checked {
  readonly analysis: Analysis;
  /** All that were looked at. */
  readonly paths: readonly string[];
}

/** `more` is given what the files reach by imports, and says which files to look at besides. */
export function checkFiles(
  paths: readonly string[],
  readFile: (path: string) => string | undefined,
  more?: (reached: readonly string[]) => readonly string[],
): CheckedNow {
  const progress = createProgress();
  const analysis = createAnalysis({ readFile, realPath });
  analysis.addCandidates(paths);
  const all = new Set(paths);
  for (let added = paths; more !== undefined && added.length > 0; ) {
    added = [...new Set(more(added.flatMap((path) => analysis.reach(path))))].filter((path) => !all.has(path));
    for (const path of added) all.add(path);
    analysis.addCandidates(added);
  }
  const ignored = new Set([...all].filter((path) => analysis.ignores(path)));
  const diagnostics = new Map<string, readonly Diagnostic[]>();
  for (const path of all) {
    if (!ignored.has(path)) diagnostics.set(path, analysis.diagnostics(path));
    progress.show(diagnostics.size, all.size);
  }
  progress.end();
  return { analysis, paths: [...all], diagnostics, ignored, settingsFiles: analysis.settingsFiles() };
}
