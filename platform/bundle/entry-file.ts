// Finds the file that builds a pack in a folder, and names the pack.
import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { nameAsStored } from "../files/file-names.ts";

const PACK_NAMES = ["ts", "js", "mts", "mjs", "cts", "cjs"].map((ending) => `pack.${ending}`);

/** The names of entry files, in the order in which a folder is searched. */
export const ENTRY_NAMES: readonly string[] = [...PACK_NAMES, ...PACK_NAMES.map((name) => `src/${name}`), "manifest.ts", "index.ts"];

/** Returns the absolute path of the entry file: the path itself if it is a file. Returns undefined if there is none. */
export function entryFile(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  if (!statSync(path).isDirectory()) return nameAsStored(resolve(path));
  const entry = ENTRY_NAMES.map((name) => join(path, name)).find((file) => existsSync(file));
  return entry === undefined ? undefined : nameAsStored(resolve(entry));
}

/** Returns the name of a pack: the folder of its entry file. */
export const packName = (entry: string): string => basename(dirname(entry));
