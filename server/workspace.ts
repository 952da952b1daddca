// Finds the files of a workspace that build a pack or add to one. It skips what is installed, built or ignored by git.
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isWithin, parent } from "./analysis/modules/paths.ts";
import { mentionsPack } from "./analysis/pack/pack-index.ts";
import { createGitIgnore, type GitIgnoreHost } from "./analysis/settings/git-ignore.ts";
import { decoded } from "./analysis/text/decode.ts";
import { LARGEST_FILE } from "./disk.ts";

const SKIPPED = /^(node_modules|\.git|dist|build|out|coverage|\..*)$/;
const INSTALLED = /^(node_modules|\..*)$/;
const MOST_FILES = 20_000;

/** Returns the paths of the files, with forward slashes. */
export async function findPackFiles(folders: readonly string[]): Promise<readonly string[]> {
  const packFiles: string[] = [];
  for await (const path of sourcesIn(folders, { skipped: SKIPPED, mostEntries: MOST_FILES })) {
    const bytes = await readSource(path).catch(() => Buffer.alloc(0));
    if (mentionsPack(decoded(bytes.toString(), () => bytes))) packFiles.push(path);
  }
  return packFiles;
}

/** Returns all sources in a folder, as `pack-auth check` finds them. `unreadable` receives each folder that cannot be read. */
export async function findSources(folder: string, unreadable: (folder: string, error: unknown) => void): Promise<readonly string[]> {
  const sources: string[] = [];
  for await (const path of sourcesIn([folder], { skipped: INSTALLED, mostEntries: Number.POSITIVE_INFINITY, unreadable }))
    if (!basename(path).startsWith(".") && (await stat(path).catch(() => undefined))?.isFile()) sources.push(path);
  return sources;
}

interface Search {
  /** Matches the names of folders that are not searched. */
  readonly skipped: RegExp;
  readonly mostEntries: number;
  unreadable?(folder: string, error: unknown): void;
}

async function* sourcesIn(folders: readonly string[], { skipped, mostEntries, unreadable }: Search): AsyncGenerator<string> {
  const ignored = createGitIgnore(disk);
  let entryCount = 0;
  for (const root of folders) {
    const ignoredIn = ignored.below(slashes(root));
    const queue = [slashes(root)];
    for (let folder = queue.pop(); folder !== undefined && entryCount < mostEntries; folder = queue.pop()) {
      const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
        unreadable?.(folder, error);
        return [];
      });
      const isIgnored = ignoredIn(folder);
      for (const entry of entries) {
        entryCount++;
        const path = slashes(join(folder, entry.name));
        if (isIgnored?.(path, entry.isDirectory())) continue;
        if (entry.isDirectory()) {
          if (!skipped.test(entry.name)) queue.push(path);
        } else if (SOURCE.test(entry.name)) yield path;
      }
    }
  }
}

/** Returns the changed files that the search would find, and those outside all folders. */
export function notIgnored(paths: readonly string[], folders: readonly string[]): readonly string[] {
  const ignored = createGitIgnore(disk);
  return paths.filter((path) => {
    const root = folders.map(slashes).find((folder) => isWithin(path, folder));
    if (root === undefined) return true;
    const ignoredIn = ignored.below(root);
    const steps = path.slice(root.length + 1).split("/");
    return !steps.some((name, index) => {
      const isFolder = index < steps.length - 1;
      const part = [root, ...steps.slice(0, index + 1)].join("/");
      return (isFolder && SKIPPED.test(name)) || ignoredIn(parent(part))?.(part, isFolder) === true;
    });
  });
}

const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/;

const slashes = (path: string): string => path.replaceAll("\\", "/");

const disk: GitIgnoreHost = {
  readFile(path, mostBytes) {
    try {
      // Like git, this does not follow a link in place of the file.
      const stats = lstatSync(path, { throwIfNoEntry: false });
      return stats?.isFile() === true && stats.size <= mostBytes ? readFileSync(path, "utf8") : undefined;
    } catch {
      return undefined;
    }
  },
  exists: existsSync,
};

/** Returns the bytes of a source, or none for anything else: a named pipe blocks its reader, and .ts is also a video format. */
async function readSource(path: string): Promise<Buffer> {
  const stats = await stat(path);
  return stats.isFile() && stats.size <= LARGEST_FILE ? readFile(path) : Buffer.alloc(0);
}
