// The files that the analysis reads, with their timestamps. If the editor watches no files, changes are found by checking these again.
import { readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { writtenAs } from "../base/canonical.ts";
import { decoded } from "./analysis/text/decode.ts";

interface Disk {
  /** Returns the text of a file, or undefined if it does not exist or cannot be read. */
  read(path: string): string | undefined;
  /**
   * Returns the path with its links resolved, except links above an opened folder. Files in the folder keep the names by which the editor
   * opens them. Returns undefined if nothing exists there.
   */
  realPath(path: string): string | undefined;
  /** Returns the files that were read or missing, and have changed since. */
  findChanges(): readonly string[];
}

/** Maximum size in bytes. Larger files are generated, and not handwritten. */
export const LARGEST_FILE = 4 * 1024 * 1024;

export function createDisk(folders: () => readonly string[] = () => []): Disk {
  /** Modification time and size by path; empty if there was no file. */
  const stamps = new Map<string, string>();
  const openedNames = namesByFolder();
  return {
    read(path) {
      try {
        const { isFile, stamp, size } = look(path);
        stamps.set(path, stamp);
        return isFile && size <= LARGEST_FILE ? decoded(readFileSync(path, "utf8"), () => readFileSync(path)) : undefined;
      } catch {
        stamps.set(path, "");
        return undefined;
      }
    },
    realPath(path) {
      try {
        const real = realpathSync.native(path);
        return slashes(openedNames(folders()).find((name) => name(real) !== real)?.(real) ?? real);
      } catch {
        return undefined;
      }
    },
    findChanges: () => [...stamps].filter(([path, stamp]) => stampOf(path) !== stamp).map(([path]) => path),
  };
}

const slashes = (name: string): string => (path.sep === "/" ? name : name.replaceAll("\\", "/"));

/** Caches the names for the folders of the last call. */
function namesByFolder(): (folders: readonly string[]) => readonly ((file: string) => string)[] {
  let previousFolders: readonly string[] = [];
  let names: readonly ((file: string) => string)[] = [];
  return (folders) => {
    if (folders !== previousFolders)
      names = folders.map((folder) => writtenAs(folder, { path, realPath: (name) => realpathSync.native(name) }));
    previousFolders = folders;
    return names;
  };
}

function look(path: string) {
  const stats = statSync(path);
  return { isFile: stats.isFile(), size: stats.size, stamp: `${stats.mtimeMs} ${stats.size}` };
}

function stampOf(path: string): string {
  try {
    return look(path).stamp;
  } catch {
    return "";
  }
}
