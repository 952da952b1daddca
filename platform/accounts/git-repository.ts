// Reads from git's files which files a repository contains. It does not run git, because the settings of an untrusted repository can name
// programs that git would start.
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { canonicalPath } from "../files/file-names.ts";
import { readUnlinkedFile } from "../files/regular-file.ts";

export interface GitRepository {
  /** The real path of the repository's working folder. */
  readonly root: string;
  /** Returns whether the index contains the file, which must be below the root. */
  has(file: string): boolean;
}

/** Returns the repository that contains a folder, if any. */
export function gitRepositoryOf(folder: string): GitRepository | undefined {
  const real = canonicalPath(folder);
  for (let root = real; ; root = dirname(root)) {
    if (existsSync(join(root, ".git")))
      return { root, has: (file) => isInIndex(gitFolderOf(root), relative(root, join(real, relative(folder, file)))) };
    if (root === dirname(root)) return undefined;
  }
}

/** Returns the folder of git's data. In a worktree or a submodule, `.git` is a file that names it (gitrepository-layout(5)). */
function gitFolderOf(root: string): string {
  const path = join(root, ".git");
  const named = /^gitdir: (.+)/.exec(readUnlinkedFile(path, 4096) ?? "")?.[1];
  return named === undefined ? path : resolve(root, named);
}

/** Bytes of an index, which has about a hundred for each file. */
const LARGEST_INDEX = 256 * 1024 * 1024;
/** Bytes of SHA-1 and SHA-256 hashes. */
const HASHES = [20, 32];

function isInIndex(gitFolder: string, file: string): boolean {
  // Latin-1 gives one character for each byte.
  const path = Buffer.from(file.split(sep).join("/").normalize("NFC")).toString("latin1");
  return indexesOf(gitFolder).some((name) => {
    const index = readUnlinkedFile(join(gitFolder, name), LARGEST_INDEX, "latin1") ?? "";
    return index.startsWith("DIRC") && HASHES.some((hashLength) => hasPath(index, hashLength, path));
  });
}

/** Returns the index files. A split index (`core.splitIndex`) has most entries in a separate file. */
const indexesOf = (gitFolder: string): readonly string[] =>
  statSync(gitFolder, { throwIfNoEntry: false })?.isDirectory() === true
    ? readdirSync(gitFolder).filter((name) => name === "index" || name.startsWith("sharedindex."))
    : [];

/**
 * Returns whether the index has an entry for the path (gitformat-index(5)). After a header of 12 bytes, each entry has times, numbers,
 * hash, flags and the path with a zero byte.
 */
function hasPath(index: string, hashLength: number, path: string): boolean {
  const byte = (at: number): number => index.charCodeAt(at);
  const number = (at: number): number => Buffer.from(index.slice(at, at + 4), "latin1").readUInt32BE();
  if (index.length < 12) return false;
  const version = number(4);
  let name = "";
  let at = 12;
  for (let left = number(8); left > 0; left--) {
    const flags = at + 40 + hashLength;
    const isExtended = version >= 3 && (byte(flags) & 0x40) !== 0;
    let start = flags + (isExtended ? 4 : 2);
    if (version === 4) {
      // The number of bytes to remove from the previous path, encoded with seven bits per byte.
      let removed = byte(start) & 0x7f;
      while ((byte(start++) & 0x80) !== 0) removed = ((removed + 1) << 7) + (byte(start) & 0x7f);
      name = name.slice(0, Math.max(0, name.length - removed));
    } else name = "";
    const end = index.indexOf("\0", start);
    if (end === -1) return false;
    name += index.slice(start, end);
    if (name === path) return true;
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return false;
}
