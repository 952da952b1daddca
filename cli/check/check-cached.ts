// `check --cache`: checks only what changed. Files that reach each other by imports form a group and are checked together. If anything else
// that the analysis read has changed (settings, the SDK, paths without a file), all files are checked again.
import type { Diagnostic } from "../../server/analysis/model/findings.ts";
import { type CachedResults, digest } from "./cache-file.ts";
import type { Checked } from "./check-files.ts";
import type { Disk } from "./disk.ts";

interface CachedCheck {
  readonly checked: Checked;
  /** The results to store; undefined if nothing changed. */
  readonly results?: CachedResults;
}

/** Checks the files of the call, `paths`. Loads the analysis only if a file must be checked. */
export async function checkCached(
  paths: readonly string[],
  disk: Disk,
  key: string,
  before: CachedResults | undefined,
): Promise<CachedCheck> {
  const files = Object.fromEntries(paths.flatMap((path) => (disk.read(path) === undefined ? [] : [[path, digest(disk.read(path) ?? "")]])));
  const cachedResults = before !== undefined && readsTheSame(before, disk) ? before : undefined;
  const stale = cachedResults === undefined ? new Set(paths) : findChangedPaths(cachedResults, files, paths);
  if (cachedResults !== undefined && stale.size === 0) return { checked: asBefore(cachedResults, paths) };

  const { checkFiles } = await import("../analysis.ts");
  const read: Record<string, string | null> = { ...cachedResults?.read };
  const ofCall = new Set(paths);
  const reading = (path: string): string | undefined => {
    const text = disk.read(path);
    if (!ofCall.has(path)) read[path] ??= text === undefined ? null : digest(text);
    return text;
  };
  const groupOf = new Map((cachedResults?.groups ?? []).flatMap((group) => group.map((path) => [path, group] as const)));
  const { analysis, ...fresh } = checkFiles(
    [...stale].filter((path) => ofCall.has(path)),
    reading,
    (reached) => {
      // An import may lead into an unchanged group: then that whole group is checked again, too.
      return reached.flatMap((path) => groupOf.get(path) ?? [path]).filter((path) => ofCall.has(path));
    },
  );
  const checkedPaths = new Set(fresh.paths);
  const cachedDiagnostics = Object.entries(cachedResults?.diagnostics ?? {}).filter(
    ([path]) => ofCall.has(path) && !checkedPaths.has(path),
  );
  const ignored = [...(cachedResults?.ignored ?? []).filter((path) => ofCall.has(path) && !checkedPaths.has(path)), ...fresh.ignored];
  const checked: Checked = {
    ignored: new Set(ignored),
    diagnostics: new Map([...cachedDiagnostics, ...fresh.diagnostics]),
    settingsFiles: fresh.settingsFiles,
  };
  const groups = [
    ...(cachedResults?.groups ?? []).filter((group) => group.every((path) => ofCall.has(path) && !checkedPaths.has(path))),
    ...connected(fresh.paths.map((path) => analysis.reach(path).filter((reached) => ofCall.has(reached)))),
  ];
  const diagnostics = Object.fromEntries([...checked.diagnostics].filter(([, findings]) => findings.length > 0));
  return { checked, results: { key, read, files, ignored, groups, diagnostics } };
}

function readsTheSame({ read }: CachedResults, disk: Disk): boolean {
  return Object.entries(read).every(([path, expected]) => {
    const text = disk.read(path);
    return (text === undefined ? null : digest(text)) === expected;
  });
}

/** Returns the files that were changed, added or removed, together with all files of their groups. */
function findChangedPaths(cachedResults: CachedResults, files: Readonly<Record<string, string>>, paths: readonly string[]): Set<string> {
  const changes = new Set([...paths, ...Object.keys(cachedResults.files)].filter((path) => files[path] !== cachedResults.files[path]));
  for (const group of cachedResults.groups) if (group.some((path) => changes.has(path))) for (const path of group) changes.add(path);
  // A file that cannot be read counts as changed.
  for (const path of paths) if (files[path] === undefined) changes.add(path);
  return changes;
}

function asBefore({ diagnostics, ignored }: CachedResults, paths: readonly string[]): Checked {
  const diagnosticEntries = paths.flatMap((path): [string, readonly Diagnostic[]][] =>
    diagnostics[path] === undefined ? [] : [[path, diagnostics[path]]],
  );
  return { diagnostics: new Map(diagnosticEntries), ignored: new Set(ignored), settingsFiles: [] };
}

/** Joins lists that share a path. */
function connected(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const groups = new Map<string, Set<string>>();
  for (const list of lists) {
    const joined = new Set(list);
    for (const path of list) for (const other of groups.get(path) ?? []) joined.add(other);
    for (const path of joined) groups.set(path, joined);
  }
  return [...new Set(groups.values())].filter((group) => group.size > 1).map((group) => [...group]);
}
