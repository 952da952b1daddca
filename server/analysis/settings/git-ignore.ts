// The files that git ignores. Every .gitignore from a file's folder up to the repository's root counts, and the nearest one decides
// (gitignore(5)). The command line and the language server share this, so that they exclude the same files.

import ignore from "ignore";
import { isBoundedGlob, isBoundedPath } from "../../../base/bounded-glob.ts";
import { getOrInsert } from "../../../base/get-or-insert.ts";
import { parent } from "../modules/paths.ts";

/** The file access of {@link createGitIgnore}. Paths have forward slashes. */
export interface GitIgnoreHost {
  /** Returns the text of a regular file of at most `mostBytes` bytes, or undefined if there is none or it is a link. */
  readFile(path: string, mostBytes: number): string | undefined;
  /** Whether a file or folder exists. */
  exists(path: string): boolean;
}

export interface GitIgnore {
  /**
   * Returns, for a folder in `root`, a test for what is ignored in it, or undefined if nothing is. Whether `root` itself is ignored does
   * not count.
   */
  below(root: string): (folder: string) => ((path: string, isFolder: boolean) => boolean) | undefined;
}

interface Level {
  readonly folder: string;
  /** Whether a path relative to the folder is ignored; undefined if no rule matches. */
  readonly judge: (path: string, isFolder: boolean) => boolean | undefined;
}

export function createGitIgnore(host: GitIgnoreHost): GitIgnore {
  const levelsByFolder = new Map<string, readonly Level[]>();

  /** Returns the rules that apply in a folder, the nearest first. */
  const levelsOf = (folder: string): readonly Level[] => getOrInsert(levelsByFolder, folder, readLevels);

  function readLevels(folder: string): readonly Level[] {
    const start = folder.endsWith("/") ? folder : `${folder}/`;
    const isRoot = host.exists(`${start}.git`);
    const above = parent(folder);
    const files = [`${start}.gitignore`, ...(isRoot ? [`${start}.git/info/exclude`] : [])];
    const own = files.flatMap((file): Level[] => {
      const text = host.readFile(file, MOST_BYTES);
      return text === undefined ? [] : [{ folder, judge: judgeBy(text) }];
    });
    return [...own, ...(isRoot || above === folder ? [] : levelsOf(above))];
  }

  function isIgnored(path: string, isFolder: boolean, levels: readonly Level[]): boolean {
    for (const { folder, judge } of levels) {
      const judged = judge(path.slice(folder.endsWith("/") ? folder.length : folder.length + 1), isFolder);
      if (judged !== undefined) return judged;
    }
    return false;
  }

  return {
    below(root) {
      const levels = levelsOf(root);
      // If the root is ignored but was requested explicitly, only its own rules count.
      const isNamedAllTheSame = isIgnored(root, true, levelsOf(parent(root)));
      return (folder) => {
        const all = levelsOf(folder);
        const applicableLevels = isNamedAllTheSame ? all.filter((level) => !levels.includes(level) || level.folder === root) : all;
        return applicableLevels.length === 0 ? undefined : (path, isFolder) => isIgnored(path, isFolder, applicableLevels);
      };
    },
  };
}

/** Limits that no handwritten file exceeds. Files that rules beyond them exclude are checked. */
const MOST_BYTES = 2 ** 20;
const MOST_RULES = 2_000;

/** Names are compared without their case, as git does on most systems. */
function judgeBy(text: string): Level["judge"] {
  const rules = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line !== "" && !line.startsWith("#") && isBoundedGlob(line))
    .slice(0, MOST_RULES);
  const matcher = ignore({ ignorecase: true, allowRelativePaths: true }).add(rules);
  return (path, isFolder) => {
    if (path === "" || !isBoundedPath(path)) return undefined;
    const { ignored, unignored } = matcher.test(isFolder ? `${path}/` : path);
    return ignored ? true : unignored ? false : undefined;
  };
}
