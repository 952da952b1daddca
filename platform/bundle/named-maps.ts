// Source maps that sources name. esbuild reads such a map, and files that the map names, without asking a plugin.
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Ends a source that names a source map. esbuild follows the last such comment, so it reads neither the map nor any file that it names. */
export const NO_MAP = "\n//# sourceMappingURL=data:application/json,{}";

/** Returns whether esbuild looks for comments that name a source map in the file. */
export const mayNameMaps = (path: string): boolean => /(?:\.[cm]?[jt]s|\.[jt]sx|[\\/][^.\\/]+)$/.test(path);

/** Returns what a source names as its source maps: the paths of existing files, or undefined for a map in the comment itself. */
export function namedMaps(source: Buffer, path: string): readonly (string | undefined)[] {
  if (!source.includes("sourceMappingURL=")) return [];
  const names = source.toString("latin1").matchAll(/sourceMappingURL=([^\s'"`]+)/g);
  return [...names].map(([, name = ""]) => fileOf(name, path));
}

function fileOf(name: string, source: string): string | undefined {
  try {
    const file = fileURLToPath(new URL(name, pathToFileURL(source)));
    return existsSync(file) ? file : undefined;
  } catch {
    // The map is in the comment, or is no file.
    return undefined;
  }
}
