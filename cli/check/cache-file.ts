// Where `check --cache` keeps its results, and what is kept: one file for each folder and call.
import { hash } from "node:crypto";
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { homeFolder } from "../../platform/files/home-folder.ts";
import { readRegularFile } from "../../platform/files/regular-file.ts";
import { writeWhole } from "../../platform/files/write-file.ts";
import type { Diagnostic } from "../../server/analysis/model/findings.ts";

export interface CachedResults {
  /** Product, program, folder and call: others' results are of no use. */
  readonly key: string;
  /** What the analysis read besides the checked files: path → digest, or null where nothing could be read. */
  readonly read: Readonly<Record<string, string | null>>;
  /** The checked files → digest of their text. */
  readonly files: Readonly<Record<string, string>>;
  /** Checked files that settings leave out. */
  readonly ignored: readonly string[];
  /** Files that are judged together; one that stands alone is not listed. */
  readonly groups: readonly (readonly string[])[];
  /** Files with findings. */
  readonly diagnostics: Readonly<Record<string, readonly Diagnostic[]>>;
}

export const digest = (text: string): string => hash("sha256", text, "base64url");

/** `location` is what the caller named, or empty for the user's own cache folder. Undefined where the user has no home. */
export function cachePath(location: string, cwd: string, key: string): string | undefined {
  if (location === "") {
    const folder = userCacheFolder();
    return folder === undefined ? undefined : join(folder, "check", `${digest(key).slice(0, 24)}.json`);
  }
  const path = resolve(cwd, location);
  return /[\\/]$/.test(location) || isFolder(path) ? join(path, "pack-auth-check.json") : path;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Bytes; more than a check of any workspace writes. */
const LARGEST_CACHE = 256 * 1024 * 1024;

/** Undefined where there are none, or none that hold for this call: a broken file counts as none. */
export function readCache(path: string, key: string): CachedResults | undefined {
  try {
    const found = JSON.parse(readRegularFile(path, LARGEST_CACHE) ?? "") as Partial<CachedResults> | null;
    return found?.key === key && isWhole(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** The key says which program wrote it, so what is there has the right shape; this only makes sure that it is there. */
function isWhole(found: Partial<CachedResults>): found is CachedResults {
  const { read, files, ignored, groups, diagnostics } = found;
  return [read, files, ignored, groups, diagnostics].every((part) => typeof part === "object" && part !== null);
}

/** In one step, since several checks may run at once. Throws what the file system says. */
export async function writeCache(path: string, results: CachedResults): Promise<void> {
  await writeWhole(path, JSON.stringify(results));
}

function userCacheFolder(): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const { platform } = process;
  if (platform === "win32" && LOCALAPPDATA !== undefined) return join(LOCALAPPDATA, "pack-auth", "Cache");
  if (platform !== "win32" && platform !== "darwin" && XDG_CACHE_HOME?.startsWith("/")) return join(XDG_CACHE_HOME, "pack-auth");
  const home = homeFolder();
  if (home === undefined) return undefined;
  if (platform === "win32") return join(home, "AppData/Local", "pack-auth", "Cache");
  return join(home, platform === "darwin" ? "Library/Caches" : ".cache", "pack-auth");
}
