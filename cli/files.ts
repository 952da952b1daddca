// Paths, folders and globs → the files to check: sources only, nothing that is installed or ignored by git.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { glob } from "tinyglobby";
import { UsageError } from "./usage-error.ts";

const SOURCES = "**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}";
const ALWAYS_IGNORED = ["**/node_modules/**", "**/*.d.ts", "**/.git/**"];

/** Absolute paths with forward slashes, sorted. Throws UsageError for a path that does not exist or a glob that matches nothing. */
export async function findFiles(patterns: readonly string[], cwd: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const pattern of patterns.length === 0 ? ["."] : patterns) {
    const path = resolve(cwd, pattern);
    if (existsSync(path)) {
      if (statSync(path).isFile()) found.add(slashes(path));
      else for (const file of await list(SOURCES, path)) found.add(file);
    } else if (/[*?[\]{}!]/.test(pattern)) {
      const files = await list(slashes(pattern), cwd);
      if (files.length === 0) throw new UsageError(`No file matches ${pattern}.`);
      for (const file of files) found.add(file);
    } else throw new UsageError(`There is no file or folder ${pattern}.`);
  }
  return [...found].sort();
}

const slashes = (path: string): string => path.replaceAll(sep, "/");

async function list(pattern: string, folder: string): Promise<readonly string[]> {
  const files = await glob(pattern, {
    cwd: folder,
    absolute: true,
    ignore: ALWAYS_IGNORED,
    onlyFiles: true,
    dot: false,
    expandDirectories: false,
  });
  const rules = new Map<string, Ignore | undefined>();
  return files.map(slashes).filter((file) => !isIgnored(file, rules));
}

/** Every .gitignore from the file up to the folder that holds .git. */
function isIgnored(file: string, rules: Map<string, Ignore | undefined>): boolean {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (!rules.has(folder)) {
      const path = join(folder, ".gitignore");
      rules.set(folder, existsSync(path) ? ignore().add(readFileSync(path, "utf8")) : undefined);
    }
    if (rules.get(folder)?.ignores(slashes(relative(folder, file)))) return true;
    if (existsSync(join(folder, ".git")) || folder === dirname(folder)) return false;
  }
}
