// A link may lead anywhere, and the author of a repository chooses where its links lead. `check` prints and fixes what it reads. It
// therefore follows only links that stay in the checkout or lead to an installed package.
import { existsSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { isIn } from "../../platform/bundle/bundle-files.ts";
import { canonicalPath } from "../../platform/files/file-names.ts";

/** Returns the real path of the folder that the path leaves by a link; undefined if the path does not leave a folder. */
export type LeftFolder = (path: string) => string | undefined;

/**
 * The checkout of a path is its git checkout. Without git it is the first of `folders` that contains the path. A path in none of them
 * belongs to no repository.
 */
export function leftFolder(folders: readonly string[]): LeftFolder {
  const checkouts = new Map<string, string | undefined>();
  const checkoutOf = (folder: string): string | undefined =>
    getOrInsert(checkouts, folder, () => {
      if (existsSync(join(folder, ".git"))) return folder;
      return folder === dirname(folder) ? undefined : checkoutOf(dirname(folder));
    });
  const isInstalled = (path: string): boolean => path.includes(`${sep}node_modules${sep}`);
  return (path) => {
    // `resolve` turns forward slashes into the system's separators.
    const file = resolve(path);
    const checkout = checkoutOf(dirname(file)) ?? folders.find((folder) => isIn(file, folder));
    if (checkout === undefined) return undefined;
    const [real, folder] = [canonicalPath(file), canonicalPath(checkout)];
    return isIn(real, folder) || (isInstalled(file) && isInstalled(real)) ? undefined : folder;
  };
}

/** Returns why such a path is not read. */
export const leavingLink = (folder: string): string => `it is a link that leaves ${folder}`;
