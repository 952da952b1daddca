// Runs the analysis over files.
import type { Fact } from "../../protocol/evidence.ts";
import { type Analysis, createAnalysis } from "../../server/analysis/analysis.ts";
import { furtherFiles } from "../../server/analysis/features/source-report.ts";
import type { Diagnostic } from "../../server/analysis/model/findings.ts";
import type { SettingsFile } from "../../server/analysis/settings/settings.ts";
import type { Output } from "../terminal/output.ts";
import { createProgress } from "../terminal/progress.ts";
import { realPath } from "./disk.ts";

export interface Checked {
  /** The further files of the packs that named files build, and the JSON files of others. */
  readonly further: readonly string[];
  readonly diagnostics: ReadonlyMap<string, readonly Diagnostic[]>;
  /** Files that the settings exclude. */
  readonly ignored: ReadonlySet<string>;
  readonly settingsFiles: readonly SettingsFile[];
}

/** Returns an analysis of the files, with no output. */
export function analysisOf(
  paths: readonly string[],
  readFile: (path: string) => string | undefined,
  evidence: readonly Fact[] = [],
): Analysis {
  const analysis = createAnalysis({ readFile, realPath, reportsSyntax: true });
  analysis.setEvidence(evidence);
  analysis.addCandidates(paths);
  return analysis;
}

/** Checks the files and the packs that `entries` build, and shows the progress on the stream if that is a terminal. */
export function checkFiles(
  stream: Output,
  entries: readonly string[],
  ...[paths, readFile, evidence]: Parameters<typeof analysisOf>
): Checked & { readonly analysis: Analysis } {
  const analysis = analysisOf(paths, readFile, evidence);
  const progress = createProgress(stream);
  const further: string[] = [];
  /** The further files come last, since the search for them reads every pack. */
  function* all(): Iterable<string> {
    yield* paths;
    further.push(...furtherFiles(analysis, entries, paths));
    yield* further;
  }
  const checked = lookAt(all(), analysis, (checkedCount) => progress.show(checkedCount, paths.length + further.length));
  progress.end();
  return { ...checked, further, analysis };
}

/** `onFile` is told how many of them are done. */
function lookAt(paths: Iterable<string>, analysis: Analysis, onFile: (checkedCount: number) => void): Omit<Checked, "further"> {
  const ignored = new Set<string>();
  const diagnostics = new Map<string, readonly Diagnostic[]>();
  for (const path of paths) {
    if (analysis.ignores(path)) ignored.add(path);
    else diagnostics.set(path, analysis.diagnostics(path));
    onFile(diagnostics.size + ignored.size);
  }
  return { diagnostics, ignored, settingsFiles: analysis.settingsFiles() };
}
