// What git ignores: every .gitignore from a file's folder up to the repository's root, the nearest one deciding (gitignore(5)).
// One for the command line and the language server: what one leaves out, the other does.

import { getOrInsert } from "../../../base/get-or-insert.ts";
import { parent } from "../modules/paths.ts";
import { compileGlob } from "./glob.ts";

/** Paths have forward slashes. */
export interface GitIgnoreHost {
  /** The text of a regular file of at most so many bytes; undefined where there is none, or a link. */
  readFile(path: string, mostBytes: number): string | undefined;
  /** Whether a file or folder is there. */
  exists(path: string): boolean;
}

export interface GitIgnore {
  /** For what lies in a folder of those below `root`, whose own parents are not in question; undefined where nothing there is ignored. */
  below(root: string): (folder: string) => ((path: string, isFolder: boolean) => boolean) | undefined;
}

interface Level {
  readonly folder: string;
  /** Of a path relative to the folder: whether it is ignored; undefined where the rules say nothing of it. */
  readonly judge: (path: string, isFolder: boolean) => boolean | undefined;
}

export function createGitIgnore(host: GitIgnoreHost): GitIgnore {
  const levelsByFolder = new Map<string, readonly Level[]>();

  /** The rules that hold in a folder, the nearest first. */
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
      // A folder that is ignored and named all the same: then only what it ignores itself counts.
      const isNamedAllTheSame = isIgnored(root, true, levelsOf(parent(root)));
      return (folder) => {
        const all = levelsOf(folder);
        const applicableLevels = isNamedAllTheSame ? all.filter((level) => !levels.includes(level) || level.folder === root) : all;
        return applicableLevels.length === 0 ? undefined : (path, isFolder) => isIgnored(path, isFolder, applicableLevels);
      };
    },
  };
}

/** Larger ones, and rules beyond these, are not written by people. What they leave out is checked. */
const MOST_BYTES = 2 ** 20;
const MOST_RULES = 2_000;
const LONGEST_RULE = 256;

interface Rule {
  readonly ignores: boolean;
  readonly foldersOnly: boolean;
  readonly matches: (path: readonly string[]) => boolean;
}

/** What lies in an ignored folder is ignored, whatever later rules say of it. Names are compared without their case, as git does on most systems. */
function judgeBy(text: string): Level["judge"] {
  const rules = readRules(text).reverse();
  const folders = new Map<string, boolean | undefined>();
  const byRules = (path: readonly string[], isFolder: boolean): boolean | undefined =>
    rules.find(({ foldersOnly, matches }) => (isFolder || !foldersOnly) && matches(path))?.ignores;
  const judgeFolder = (path: readonly string[]): boolean | undefined =>
    getOrInsert(folders, path.join("/"), () => (path.length > 1 && judgeFolder(path.slice(0, -1)) === true) || byRules(path, true));
  return (path, isFolder) => {
    const segments = path.toLowerCase().split("/");
    if (isFolder) return judgeFolder(segments);
    return segments.length > 1 && judgeFolder(segments.slice(0, -1)) === true ? true : byRules(segments, false);
  };
}

function readRules(text: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    const rule = line.startsWith("#") || rules.length === MOST_RULES ? undefined : readRule(line);
    if (rule !== undefined) rules.push(rule);
  }
  return rules;
}

function readRule(line: string): Rule | undefined {
  const ignores = !line.startsWith("!");
  const pattern = withoutBlanksBehind(ignores ? line : line.slice(1)).toLowerCase();
  const foldersOnly = pattern.endsWith("/");
  const glob = foldersOnly ? pattern.slice(0, -1) : pattern;
  if (glob === "" || glob.length > LONGEST_RULE) return undefined;
  // `a/**` is all that is in the folder, and not the folder.
  const whole = glob.endsWith("/**") ? `${glob}/*` : glob;
  const matches = compileGlob(glob.includes("/") ? whole.replace(/^\//, "") : `**/${whole}`);
  return { ignores, foldersOnly, matches };
}

/** A blank behind a backslash is a part of the name. */
function withoutBlanksBehind(line: string): string {
  const trimmed = line.replace(/(?<! ) +$/, "");
  return trimmed.length < line.length && /(?<!\\)(?:\\\\)*\\$/.test(trimmed) ? `${trimmed} ` : trimmed;
}
