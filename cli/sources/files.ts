// Resolves paths, folders and globs to files: sources by default, or others that the caller selects. Skips installed files and files that
// git ignores.

import { type Dirent, existsSync, readdirSync, type Stats, statSync } from "node:fs";
import path, { relative, resolve, sep } from "node:path";
import { errorMessage } from "../../base/error-message.ts";
import { nameAsStored } from "../../platform/files/file-names.ts";
import { readUnlinkedFile } from "../../platform/files/regular-file.ts";
import { createGitIgnore, type GitIgnore, type GitIgnoreHost } from "../../server/analysis/settings/git-ignore.ts";
import { slashes } from "../terminal/short-path.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { type PathGlob, readPathGlob } from "./path-glob.ts";

const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/;
const isSource = (name: string): boolean => SOURCE.test(name);

export const GIT_IGNORE_HOST: GitIgnoreHost = { readFile: readUnlinkedFile, exists: existsSync };

/**
 * Returns absolute paths with forward slashes, sorted. `unreadable` receives a message for each unreadable folder below a named one,
 * because such folders may belong to another user. Throws UsageError for a path that does not exist, a folder that cannot be read, or a
 * glob without a match.
 */
export function findFiles(
  patterns: readonly string[],
  cwd: string,
  isMatch = isSource,
  unreadable?: (message: string) => void,
): readonly string[] {
  const files = new Set<string>();
  const ignored = createGitIgnore(GIT_IGNORE_HOST);
  const walk = (root: string, into: Set<string>): void => walkFolders(root, ignored, isMatch, into, unreadable);
  for (const pattern of patterns.length === 0 ? ["."] : patterns) {
    const named = nameAsStored(resolve(cwd, pattern));
    const kind = look(named);
    if (kind?.isDirectory()) walk(named, files);
    else if (kind !== undefined) files.add(slashes(named));
    else {
      const glob = readPathGlob(pattern, cwd, { path, isFolder: (folder) => look(folder)?.isDirectory() === true });
      if (glob === undefined) throw new UsageError(`There is no file or folder ${pattern}. Paths are relative to ${cwd}.`);
      if (matchGlob(glob, walk, files) === 0)
        throw new UsageError(`No file matches ${pattern}. Globs are relative to ${cwd}, and what git ignores is left out.`);
    }
  }
  return [...files].sort();
}

/** Returns how many files match, including files that an earlier pattern matched. */
function matchGlob(glob: PathGlob, walk: (root: string, into: Set<string>) => void, files: Set<string>): number {
  const folder = nameAsStored(glob.folder);
  if (!look(folder)?.isDirectory()) return 0;
  const candidates = new Set<string>();
  walk(folder, candidates);
  const matching = [...candidates].filter((file) => glob.matches(slashes(relative(folder, file))));
  for (const file of matching) files.add(file);
  return matching.length;
}

/** Searches a named folder even if git ignores it. Does not follow links to folders. */
function walkFolders(
  root: string,
  ignored: GitIgnore,
  isMatch: (name: string) => boolean,
  files: Set<string>,
  unreadable: ((message: string) => void) | undefined,
): void {
  const ignoredIn = ignored.below(slashes(root));
  const queue = [root];
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    const isIgnored = ignoredIn(slashes(folder));
    const start = folder.endsWith(sep) ? folder : folder + sep;
    for (const entry of list(folder, folder === root ? undefined : unreadable)) {
      const { name } = entry;
      if (name.startsWith(".") || name === "node_modules") continue;
      const path = start + name;
      if (entry.isDirectory()) {
        if (!isIgnored?.(slashes(path), true)) queue.push(path);
      } else if (isMatch(name) && !isIgnored?.(slashes(path), false) && isFile(entry, path)) files.add(slashes(path));
    }
  }
}

function list(folder: string, unreadable: ((message: string) => void) | undefined): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const message = `The folder ${folder} cannot be read: ${errorMessage(error)}. Change its permissions, or name it in .gitignore.`;
    if (unreadable === undefined) throw new UsageError(message);
    // Folders in /proc disappear when their processes end.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") unreadable(message);
    return [];
  }
}

/** A link may lead to a file, to a folder, or nowhere. */
function isFile(entry: Dirent, path: string): boolean {
  return entry.isFile() || (entry.isSymbolicLink() && look(path)?.isFile() === true);
}

/** Returns undefined if nothing exists at the path, or nothing can exist there, such as below a file. */
export function look(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
