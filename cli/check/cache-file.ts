// The cache file of `check --cache`: its location and contents. There is one file for each combination of folder and call.
import { hash } from "node:crypto";
import { join, resolve } from "node:path";
import { readRegularFile } from "../../platform/files/regular-file.ts";
import type { Diagnostic } from "../../server/analysis/model/findings.ts";
import { userFolder } from "../terminal/storage-folder.ts";
import { look } from "./files.ts";

export interface CachedResults {
  /** Identifies product, program, folder and call: results of any other combination are useless. */
  readonly key: string;
  /** Other files that the analysis read: path → digest, or null if nothing could be read. */
  readonly read: Readonly<Record<string, string | null>>;
  /** The checked files: path → digest of the text. */
  readonly files: Readonly<Record<string, string>>;
  /** Checked files that the settings exclude. */
  readonly ignored: readonly string[];
  /** Files that must be checked together. A file that depends on no other is not listed. */
  readonly groups: readonly (readonly string[])[];
  /** Findings by path, only for files that have some. */
  readonly diagnostics: Readonly<Record<string, readonly Diagnostic[]>>;
}

export const digest = (text: string): string => hash("sha256", text, "base64url");

/**
 * Returns the path of the cache file. `location` is the path from the call; an empty one means the user's own cache folder. Returns
 * undefined if the user has no home folder.
 */
export function cachePath(location: string, cwd: string, key: string): string | undefined {
  if (location === "") {
    const folder = userFolder("cache");
    return folder === undefined ? undefined : join(folder, "check", `${digest(key).slice(0, 24)}.json`);
  }
  const path = resolve(cwd, location);
  return /[\\/]$/.test(location) || look(path)?.isDirectory() ? join(path, "pack-auth-check.json") : path;
}

/** Bytes; more than a check of any workspace writes. */
const LARGEST_CACHE = 256 * 1024 * 1024;

/** Returns undefined if the file is missing, broken, or belongs to another call. */
export function readCache(path: string, key: string): CachedResults | undefined {
  try {
    const cache = JSON.parse(readRegularFile(path, LARGEST_CACHE) ?? "") as Partial<CachedResults> | null;
    return cache?.key === key && isWhole(cache) ? cache : undefined;
  } catch {
    return undefined;
  }
}

/** Checks only that all parts exist. The key names the program that wrote the file, so the parts have the right shape. */
function isWhole(cache: Partial<CachedResults>): cache is CachedResults {
  const { read, files, ignored, groups, diagnostics } = cache;
  return [read, files, ignored, groups, diagnostics].every((part) => typeof part === "object" && part !== null);
}
