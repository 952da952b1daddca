// Keeps the paths that an agent names inside its folder.
import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isIn } from "../platform/bundle/bundle-files.ts";
import { entryFile } from "../platform/bundle/entry-file.ts";
import { PackAuthError } from "../platform/errors.ts";

/**
 * Returns the absolute path without links. The last parts of the path need not exist. `folder` is a path without links. Throws path-outside
 * if the path leaves the folder, through `..` or through a link.
 */
export function pathInside(folder: string, path: string): string {
  const outside = (): PackAuthError =>
    new PackAuthError("path-outside", `${path} is outside of the folder ${folder}.`, {
      hint: "Name a path inside the folder that the server was started for.",
    });
  if (path.includes("\0")) throw outside();
  const absolute = resolve(folder, path);
  let existing = absolute;
  // A link whose target is missing is no existing path, but something created there would be outside.
  while (!isPresent(existing) && dirname(existing) !== existing) existing = dirname(existing);
  let real: string;
  try {
    real = join(realpathSync.native(existing), relative(existing, absolute));
  } catch {
    throw outside();
  }
  if (!isIn(real, folder)) throw outside();
  return real;
}

/** Whether something, even a broken link, has this path. Nothing can have a path below a file, or one that is too long. */
function isPresent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (["ENOTDIR", "ENAMETOOLONG"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

/**
 * Returns the entry file of the pack at a path: a file, or a folder that contains it. Throws path-outside and pack-not-found.
 */
export function entryInside(folder: string, path: string): string {
  const place = pathInside(folder, path);
  const entry = entryFile(place);
  if (entry === undefined)
    throw new PackAuthError("pack-not-found", `There is no pack at ${place}.`, {
      hint: "Name the file that builds the pack, or its folder: outline lists the packs.",
    });
  // The folder's pack.ts may be a link.
  return pathInside(folder, entry);
}

/** Returns the path relative to the folder, with slashes on every system. */
export const shownPath = (folder: string, path: string): string => relative(folder, path).replaceAll(sep, "/") || ".";
