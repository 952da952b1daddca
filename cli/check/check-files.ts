// Runs the analysis over files.
import type { Fact } from "../../protocol/evidence.ts";
import { type Analysis, createAnalysis } from "../../server/analysis/analysis.ts";
import type { Diagnostic } from "../../server/analysis/model/findings.ts";
import type { SettingsFile } from "../../server/analysis/settings/settings.ts";
import { createProgress } from "../terminal/progress.ts";
import { realPath } from "./disk.ts";

export interface Checked {
  readonly diagnostics: ReadonlyMap<string, readonly Diagnostic[]>;
  /** Files that the settings exclude. */
  readonly ignored: ReadonlySet<string>;
  readonly settingsFiles: readonly SettingsFile[];
}

interface CheckedNow extends Checked {
  readonly analysis: Analysis;
  /** All files that were checked. */
  readonly paths: readonly string[];
}

/** Checks `paths`. `more` receives the files that they reach by imports, and returns further files to check. */
export function checkFiles(
  paths: readonly string[],
  readFile: (path: string) => string | undefined,
  more?: (reached: readonly string[]) => readonly string[],
  evidence: readonly Fact[] = [],
): CheckedNow {
  const analysis = createAnalysis({ readFile, realPath, reportsSyntax: true });
  analysis.setEvidence(evidence);
  analysis.addCandidates(paths);
  const all = new Set(paths);
  for (let added = paths; more !== undefined && added.length > 0; ) {
    added = [...new Set(more(added.flatMap((path) => analysis.reach(path))))].filter((path) => !all.has(path));
    for (const path of added) all.add(path);
    analysis.addCandidates(added);
  }
  const progress = createProgress();
  const checked = lookAt(all, analysis, (checkedCount) => progress.show(checkedCount, all.size));
  progress.end();
  return { ...checked, analysis, paths: [...all] };
}

/** Calls `onFile` with the number of files done so far. */
function lookAt(paths: Iterable<string>, analysis: Analysis, onFile: (checkedCount: number) => void): Checked {
  const ignored = new Set<string>();
  const diagnostics = new Map<string, readonly Diagnostic[]>();
  for (const path of paths) {
    if (analysis.ignores(path)) ignored.add(path);
    else diagnostics.set(path, analysis.diagnostics(path));
    onFile(diagnostics.size + ignored.size);
  }
  return { diagnostics, ignored, settingsFiles: analysis.settingsFiles() };
}
