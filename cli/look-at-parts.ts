// A long check, part by part: files that lead to each other are one part, and each part has an analysis of its own that is gone when it is
// done. All in one would be kept until the end, and moved about in memory again and again.
import { type AnalysisHost, createAnalysis } from "../server/analysis/analysis.ts";
import type { Diagnostic } from "../server/analysis/model.ts";
import type { SettingsFile } from "../server/analysis/settings.ts";
import { type Checked, lookAt } from "./check-files.ts";
import { realPath } from "./disk.ts";

/** Plain data, so that it can go from thread to thread. */
export interface PartsChecked extends Checked {
  /** The numbers of the parts that were looked at. */
  readonly numbers: readonly number[];
}

/**
 * `take` gives the number of the next part; files of which nothing is said are left out. Undefined where a part leads to files of another
 * one after all: then what was found in it may not be all.
 */
export function lookAtParts(
  parts: readonly (readonly string[])[],
  take: () => number | undefined,
  read: (path: string) => string | undefined,
  onFile: () => void,
): PartsChecked | undefined {
  const partOf = new Map<string, number>();
  for (const [number, paths] of parts.entries()) for (const path of paths) partOf.set(path, number);
  let current = 0;
  let leadsElsewhere = false;
  // One for all parts: what is found of toolkits is kept with it.
  const host: AnalysisHost = {
    unchanging: true,
    realPath,
    readFile(path) {
      if ((partOf.get(path) ?? current) !== current) leadsElsewhere = true;
      return read(path);
    },
  };
  const numbers: number[] = [];
  const diagnostics = new Map<string, readonly Diagnostic[]>();
  const ignored = new Set<string>();
  const settingsFiles = new Map<string, SettingsFile>();
  for (let number = take(); number !== undefined; number = take()) {
    current = number;
    const paths = parts[number] ?? [];
    const analysis = createAnalysis(host);
    analysis.addCandidates(paths);
    const checked = lookAt(paths, analysis, onFile);
    for (const [path, found] of checked.diagnostics) if (found.length > 0) diagnostics.set(path, found.map(plain));
    if (leadsElsewhere) return undefined;
    for (const path of checked.ignored) ignored.add(path);
    for (const file of checked.settingsFiles) settingsFiles.set(file.path, file);
    numbers.push(number);
  }
  return { numbers, diagnostics, ignored, settingsFiles: [...settingsFiles.values()] };
}

/** With its fixes made, and nothing that they are made of. */
const plain = ({ rule, severity, place, message, fixes }: Diagnostic): Diagnostic => ({ rule, severity, place, message, fixes });
