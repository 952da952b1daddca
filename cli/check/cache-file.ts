// Where `check --cache` keeps its results, and what is kept: one file for each folder and call.
import { hash } from "node:crypto";
import { join, resolve } from "node:path";
import { readRegularFile } from "../../platform/files/regular-file.ts";
import type { Diagnostic } from "../../server/analysis/model/findings.ts";
import { userFolder } from "../terminal/storage-folder.ts";
import { look } from "./files.ts";

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
    const folder = userFolder("cache");
    return folder === undefined ? undefined : join(folder, "check", `${digest(key).slice(0, 24)}.json`);
  }
  const path = resolve(cwd, location);
  return /[\\/]$/.test(location) || look(path)?.isDirectory() ? join(path, "pack-auth-check.json") : path;
}

/** Bytes; more than a check of any workspace writes. */
const LARGEST_CACHE = 256 * 1024 * 1024;

/** Undefined where there are none, or none that hold for this call: a broken file counts as none. */
export function readCache(path: string, key: string): CachedResults | undefined {
  try {
    const cache = JSON.parse(readRegularFile(path, LARGEST_CACHE) ?? "") as Partial<CachedResults> | null;
    return cache?.key === key && isWhole(cache) ? cache : undefined;
  } catch {
    return undefined;
  }
}

/** The key says which program wrote it, so what is there has the right shape; this only makes sure that it is there. */
function isWhole(cache: Partial<CachedResults>): cache is CachedResults {
  const { read, files, ignored, groups, diagnostics } = cache;
  return [read, files, ignored, groups, diagnostics].every((part) => typeof part === "object" && part !== null);
}
