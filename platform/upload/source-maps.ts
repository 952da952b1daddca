// The source maps of versions that were uploaded from this machine, so that a stack that the platform logs leads to a line. They are in a
// private folder, and contain sources but no secret.
import { createHash } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../base/is-record.ts";
import { readRegularFile } from "../files/regular-file.ts";
import { writeWhole } from "../files/write-file.ts";

/** A version of a published pack. */
export interface UploadedVersion {
  /** The API's origin. */
  readonly origin: string;
  readonly packId: number;
  readonly version: string;
}

/** A source map (version 3); its sources are relative to BUILD_FOLDER in the entry's folder. */
export interface UploadedMap {
  readonly sources: readonly string[];
  /** The uploaded texts; null for a source that is not the pack's own. */
  readonly sourcesContent: readonly (string | null)[];
  readonly names: readonly string[];
  readonly mappings: string;
}

const MOST_MAPS = 30;
const MOST_BYTES = 64 * 1024 * 1024;

const folderOf = (storageFolder: string): string => join(storageFolder, "source-maps");

const fileOf = (storageFolder: string, { origin, packId, version }: UploadedVersion): string =>
  join(
    folderOf(storageFolder),
    `${createHash("sha256")
      .update(JSON.stringify([origin, packId, version]))
      .digest("hex")}.json`,
  );

/** Stores the source map of an uploaded version, and removes the oldest ones. Throws the file system's error, or one if the map is too large. */
export async function storeSourceMap(storageFolder: string, version: UploadedVersion, sourceMap: string): Promise<void> {
  const { sources, sourcesContent, names, mappings } = JSON.parse(sourceMap) as UploadedMap;
  const map: UploadedMap = {
    sources,
    sourcesContent: sources.map((source, index) => (isInstalled(source) ? null : (sourcesContent?.[index] ?? null))),
    names,
    mappings,
  };
  const text = JSON.stringify({ ...version, map });
  if (Buffer.byteLength(text) > MOST_BYTES) throw new Error(`It is larger than ${MOST_BYTES / 1024 / 1024} MB.`);
  await writeWhole(fileOf(storageFolder, version), text);
  const folder = folderOf(storageFolder);
  const byAge = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => ({ path: join(folder, name), time: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((one, other) => other.time - one.time);
  for (const { path } of byAge.slice(MOST_MAPS)) rmSync(path, { force: true });
}

/** Returns the source map of a version; undefined if the version was not uploaded from here, or if its map was removed. */
export function storedSourceMap(storageFolder: string, version: UploadedVersion): UploadedMap | undefined {
  const text = readRegularFile(fileOf(storageFolder, version), MOST_BYTES);
  if (text === undefined) return undefined;
  try {
    const { map } = JSON.parse(text) as { readonly map?: unknown };
    return isUploadedMap(map) ? map : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a source belongs to an installed package. */
export const isInstalled = (source: string): boolean => /(?:^|[\\/])node_modules[\\/]/.test(source);

const isUploadedMap = (value: unknown): value is UploadedMap =>
  isRecord(value) &&
  [value.sources, value.sourcesContent, value.names].every(Array.isArray) &&
  (value.sources as unknown[]).every((source) => typeof source === "string") &&
  typeof value.mappings === "string";
