// Checks, outlines and writes sources, as `pack-auth check` would read them with the texts that are open in the editor. Each call
// makes its own analysis: the session's knows only what the editor has reported so far, and an agent asks right after it wrote a file.
import { statSync } from "node:fs";
import { errorMessage } from "../base/error-message.ts";
import { getOrInsert } from "../base/get-or-insert.ts";
import type { CheckedSources, OutlinedPack, SourceAnswer } from "../protocol/agents.ts";
import { withoutAccounts } from "../protocol/evidence.ts";
import type { Proposal } from "../protocol/setup.ts";
import type { SetupAnswer } from "../protocol/written-setup.ts";
import { type Analysis, createAnalysis } from "./analysis/analysis.ts";
import { answerSetup } from "./analysis/features/setup/setup-answer.ts";
import {
  checkSources,
  isInside,
  isReadable,
  outlineSources,
  problemWith,
  type SourceDisk,
  unreadable,
} from "./analysis/features/source-report.ts";
import { relativePath } from "./analysis/modules/paths.ts";
import { createDisk } from "./disk.ts";
import type { Session } from "./session.ts";
import { configureAnalysis } from "./settings.ts";
import { findSources } from "./workspace.ts";

export async function readFindings(
  session: Session,
  folder: string,
  named: readonly string[],
  pause: () => Promise<void>,
): Promise<SourceAnswer<CheckedSources>> {
  const sources = sourcesWithin(session, folder);
  const problem = named.map((path) => problemWith(path, folder, sources)).find((each) => each !== undefined);
  if (problem !== undefined) return { problem };
  const problems: ReturnType<typeof unreadable>[] = [];
  const paths = new Set<string>();
  for (const path of named) {
    if (sources.kindOf(path) === "file") paths.add(path);
    else
      for (const file of await findSources(path, (below, error) =>
        problems.push(unreadable(relativePath(folder, below) || ".", errorMessage(error))),
      ))
        if (isInside(file, folder, sources.realPath)) paths.add(file);
  }
  if (problems[0] !== undefined) return { problem: problems[0] };
  const files = [...paths].sort();
  const whyUnreadable = (): string => "it is gone, is too large, or must not be read";
  return checkSources(analysisOf(session, files, sources), files, { named, folder, pause, whyUnreadable });
}

export function readOutline(session: Session, folder: string, entry: string): SourceAnswer<OutlinedPack | null> {
  const sources = sourcesWithin(session, folder);
  const problem = problemWith(entry, folder, sources);
  return problem === undefined ? outlineSources(analysisOf(session, [entry], sources), entry, folder) : { problem };
}

/** Writes a proposal into the pack that the entry builds. `text` replaces the entry's own. */
export function writeSetup(session: Session, entry: string, proposal: Proposal, text: string | undefined): SetupAnswer {
  const sources = openSources(session);
  const read = (path: string): string | undefined => (path === entry && text !== undefined ? text : sources.read(path));
  return answerSetup(entry, proposal, read, (readNow) => analysisOf(session, [entry], { ...sources, read: readNow }));
}

interface OpenSources extends SourceDisk {
  read(path: string): string | undefined;
}

/** Returns the open texts, as they are now, and the files on disk, each read once. */
function openSources(session: Session): OpenSources {
  const disk = createDisk(() => session.folders);
  const texts = new Map<string, string | undefined>();
  const openPaths = new Set([...session.documents.keys()].flatMap((uri) => session.path(uri) ?? []));
  for (const path of openPaths) texts.set(path, session.analysis.text(path));
  return {
    read: (path) => getOrInsert(texts, path, disk.read),
    realPath: disk.realPath,
    kindOf(path) {
      if (openPaths.has(path)) return "file";
      try {
        const stats = statSync(path);
        return stats.isDirectory() ? "folder" : stats.isFile() ? "file" : "other";
      } catch {
        return undefined;
      }
    },
  };
}

/** Returns what an agent may learn from: the sources in its folder, and installed packages. */
function sourcesWithin(session: Session, folder: string): OpenSources {
  const sources = openSources(session);
  return { ...sources, read: (path) => (isReadable(path, folder, sources.realPath) ? sources.read(path) : undefined) };
}

function analysisOf(session: Session, paths: readonly string[], { read, realPath }: OpenSources): Analysis {
  const analysis = createAnalysis({ readFile: read, realPath, reportsSyntax: true });
  configureAnalysis(session, analysis);
  analysis.setEvidence(withoutAccounts(session.evidence));
  analysis.addCandidates(paths);
  return analysis;
}
