// A link may lead anywhere, and whoever wrote a repository chose where its links lead. `check` prints and mends what it reads, so it follows
// those that stay in the checkout, or lead to a package that is installed.
import { existsSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { isIn } from "../../platform/bundle/bundle-files.ts";
import { canonicalPath } from "../../platform/files/file-names.ts";

/** The folder that a path leaves by a link, real; undefined where it leaves none. */
export type LeftFolder = (path: string) => string | undefined;

/** A path's checkout is git's. Without git it is the first of `folders` that has it; what lies in none of them is no repository's. */
export function leftFolder(folders: readonly string[]): LeftFolder {
  const checkouts = new Map<string, string | undefined>();
  const checkoutOf = (folder: string): string | undefined =>
    getOrInsert(checkouts, folder, () => {
      if (existsSync(join(folder, ".git"))) return folder;
      return folder === dirname(folder) ? undefined : checkoutOf(dirname(folder));
    });
  const isInstalled = (path: string): boolean => path.includes(`${sep}node_modules${sep}`);
  return (path) => {
    // Forward slashes become the system's own.
    const file = resolve(path);
    const checkout = checkoutOf(dirname(file)) ?? folders.find((folder) => isIn(file, folder));
    if (checkout === undefined) return undefined;
    const [real, folder] = [canonicalPath(file), canonicalPath(checkout)];
    return isIn(real, folder) || (isInstalled(file) && isInstalled(real)) ? undefined : folder;
  };
}

/** Why such a path is not read. */
export const leavingLink = (folder: string): string => `it is a link that leaves ${folder}`;
