// What git ignores: every .gitignore from a file's folder up to the repository's root, the nearest one deciding (gitignore(5)).
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import type { ListedFolders } from "./listed-folders.ts";

export interface GitIgnore {
  /** For what lies in a folder of those below `root`, whose own parents are not in question; undefined where nothing there is ignored. */
  below(root: string): (folder: string) => ((path: string, isFolder: boolean) => boolean) | undefined;
}

interface Level {
  readonly folder: string;
  readonly rules: Ignore;
}

export function createGitIgnore(listed: ListedFolders): GitIgnore {
  const known = new Map<string, readonly Level[]>();

  /** The rules that hold in a folder, the nearest first. */
  function levelsOf(folder: string): readonly Level[] {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const start = folder.endsWith(sep) ? folder : folder + sep;
    const lacks = (name: string): boolean => listed.lacks((sep === "/" ? start : start.replaceAll(sep, "/")) + name);
    const isRoot = !lacks(".git") && existsSync(`${start}.git`);
    const above = dirname(folder);
    const files = [...(lacks(".gitignore") ? [] : [`${start}.gitignore`]), ...(isRoot ? [`${start}.git/info/exclude`] : [])];
    const own = files.flatMap((file): Level[] => {
      const text = read(file);
      return text === undefined ? [] : [{ folder, rules: ignore({ allowRelativePaths: true }).add(text) }];
    });
    const levels = [...own, ...(isRoot || above === folder ? [] : levelsOf(above))];
    known.set(folder, levels);
    return levels;
  }

  function isIgnored(path: string, isFolder: boolean, levels: readonly Level[]): boolean {
    for (const { folder, rules } of levels) {
      const { ignored, unignored } = rules.test(
        path.slice(folder.endsWith(sep) ? folder.length : folder.length + 1).replaceAll(sep, "/") + (isFolder ? "/" : ""),
      );
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  return {
    below(root) {
      const levels = levelsOf(root);
      // A folder that is ignored and named all the same: then only what it ignores itself counts.
      const isNamedAllTheSame = isIgnored(root, true, levelsOf(dirname(root)));
      return (folder) => {
        const all = levelsOf(folder);
        const those = isNamedAllTheSame ? all.filter((level) => !levels.includes(level) || level.folder === root) : all;
        return those.length === 0 ? undefined : (path, isFolder) => isIgnored(path, isFolder, those);
      };
    },
  };
}

function read(file: string): string | undefined {
  try {
    // Most folders have none, and an error is dear.
    return statSync(file, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
