// Checks and outlines the sources in an agent's folder, as `pack-auth check` reads them. Each call makes its own analysis of the files as
// they are on disk now, and writes nothing to standard output or standard error.
import type { CheckedSources, OutlinedPack, ReportedEdit, SourceAnswer } from "../../protocol/agents.ts";
import type { Fact } from "../../protocol/evidence.ts";
import type { Proposal } from "../../protocol/setup.ts";
import type { SetupAnswer } from "../../protocol/written-setup.ts";
import { answerSetup } from "../../server/analysis/features/setup/setup-answer.ts";
import {
  checkSources,
  declareDomain,
  isInside,
  isReadable,
  outlineSources,
  problemWith,
  type SourceDisk,
} from "../../server/analysis/features/source-report.ts";
import { slashes } from "../terminal/short-path.ts";
import { isUsageError } from "../terminal/usage-error.ts";
import { analysisOf } from "./check-files.ts";
import { createDisk, realPath } from "./disk.ts";
import { findFiles, look } from "./files.ts";

const DISK: SourceDisk = {
  realPath,
  kindOf(path) {
    const stats = look(path);
    return stats && (stats.isDirectory() ? "folder" : stats.isFile() ? "file" : "other");
  },
};

/** Reads what is in the agent's folder by its real path, and installed packages, and nothing else. */
function diskWithin(folder: string) {
  const root = slashes(folder);
  return createDisk((path) => (isReadable(path, root, realPath) ? undefined : folder));
}

/** `folder` is the agent's, with its links resolved. `pause` runs before each file; its error ends the check. */
export async function readFindings(
  named: readonly string[],
  folder: string,
  facts: readonly Fact[],
  pause: () => Promise<void>,
): Promise<SourceAnswer<CheckedSources>> {
  const root = slashes(folder);
  const sources = findSources(named, root);
  if ("problem" in sources) return sources;
  const disk = diskWithin(folder);
  const options = { named: named.map(slashes), folder: root, pause, whyUnreadable: disk.failure };
  return checkSources(analysisOf(sources.result, disk.read, facts), sources.result, options);
}

export function readOutline(entry: string, folder: string): SourceAnswer<OutlinedPack | null> {
  const [path, root] = [slashes(entry), slashes(folder)];
  const problem = problemWith(path, root, DISK);
  return problem === undefined ? outlineSources(analysisOf([path], diskWithin(folder).read), path, root) : { problem };
}

export const readDomainEdits = (entry: string, host: string, folder: string): readonly ReportedEdit[] =>
  declareDomain(analysisOf([slashes(entry)], diskWithin(folder).read), slashes(entry), host, slashes(folder));

/** Writes a proposal into the pack that the entry builds. `text` replaces the entry's own. `folder` is an agent's, which bounds what is read. */
export function writeSetup(entry: string, proposal: Proposal, text?: string, folder?: string): SetupAnswer {
  const path = slashes(entry);
  const disk = folder === undefined ? createDisk() : diskWithin(folder);
  const read = (file: string): string | undefined => (file === path && text !== undefined ? text : disk.read(file));
  return answerSetup(path, proposal, read, (readNow) => analysisOf([path], readNow));
}

/** Returns the sources that the paths name. A link in a named folder that leaves `root` is skipped. */
function findSources(named: readonly string[], root: string): SourceAnswer<readonly string[]> {
  const problem = named.map((path) => problemWith(slashes(path), root, DISK)).find((each) => each !== undefined);
  if (problem !== undefined) return { problem };
  const failures: string[] = [];
  try {
    const files = findFiles(named, root, undefined, (failure) => failures.push(failure));
    if (failures[0] === undefined) return { result: files.filter((file) => isInside(file, root, realPath)) };
  } catch (error) {
    if (!isUsageError(error)) throw error;
    failures.push(error.message);
  }
  return { problem: { code: "sources-unreadable", message: failures.join("\n"), hint: "Then check again." } };
}
