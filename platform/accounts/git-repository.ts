// What git has of a folder, read from its files. git itself is not run: settings of the repository, which may come from anybody, name
// programs that it would start.
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { canonicalPath } from "../files/file-names.ts";
import { readUnlinkedFile } from "../files/regular-file.ts";

export interface GitRepository {
  /** The folder that its files lie in, real. */
  readonly root: string;
  /** Whether its index has the file, which lies below the root. */
  has(file: string): boolean;
}

/** The repository that a folder is in, if any. */
export function gitRepositoryOf(folder: string): GitRepository | undefined {
  const real = canonicalPath(folder);
  for (let root = real; ; root = dirname(root)) {
    if (existsSync(join(root, ".git")))
      return { root, has: (file) => isInIndex(gitFolderOf(root), relative(root, join(real, relative(folder, file)))) };
    if (root === dirname(root)) return undefined;
  }
}

/** A worktree and a submodule have a file that names the folder (gitrepository-layout(5)). */
function gitFolderOf(root: string): string {
  const path = join(root, ".git");
  const named = /^gitdir: (.+)/.exec(readUnlinkedFile(path, 4096) ?? "")?.[1];
  return named === undefined ? path : resolve(root, named);
}

/** Bytes; an index has about a hundred for each file. */
const LARGEST_INDEX = 256 * 1024 * 1024;
/** The lengths of SHA-1 and SHA-256. */
const HASHES = [20, 32];

function isInIndex(gitFolder: string, file: string): boolean {
  // One character for each byte.
  const path = Buffer.from(file.split(sep).join("/").normalize("NFC")).toString("latin1");
  return indexesOf(gitFolder).some((name) => {
    const index = readUnlinkedFile(join(gitFolder, name), LARGEST_INDEX, "latin1") ?? "";
    return index.startsWith("DIRC") && HASHES.some((hashLength) => hasPath(index, hashLength, path));
  });
}

/** A split index (`core.splitIndex`) has most entries in a file of its own. */
const indexesOf = (gitFolder: string): readonly string[] =>
  statSync(gitFolder, { throwIfNoEntry: false })?.isDirectory() === true
    ? readdirSync(gitFolder).filter((name) => name === "index" || name.startsWith("sharedindex."))
    : [];

/** gitformat-index(5): a header of 12 bytes, then for each file times, numbers, its hash, flags, and its path with a zero byte behind. */
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
      // How much of the path before goes away, seven bits a byte.
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
