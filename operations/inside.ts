// Keeps the paths that an agent names inside its folder.
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isIn } from "../platform/bundle/bundle-files.ts";
import { ENTRY_NAMES, entryFile } from "../platform/bundle/entry-file.ts";
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

/** Returns the entry file of the pack at an absolute place. `path` is the place as the caller wrote it. Throws pack-not-found. */
export function entryAt(place: string, path: string): string {
  if (!existsSync(place))
    throw new PackAuthError("pack-not-found", `There is no ${path}.`, { hint: "Name the file that builds the pack, or its folder." });
  const entry = entryFile(place);
  if (entry === undefined)
    throw new PackAuthError("pack-not-found", `The folder ${place} has none of ${ENTRY_NAMES.join(", ")}.`, {
      hint: "Name the file that builds the pack.",
    });
  return entry;
}

/** Returns the entry file of the pack at a path inside the folder. Throws path-outside and pack-not-found. */
export const entryInside = (folder: string, path: string): string =>
  // The folder's pack.ts may be a link.
  pathInside(folder, entryAt(pathInside(folder, path), path));

/** Returns the path relative to the folder, with slashes on every system. */
export const shownPath = (folder: string, path: string): string => relative(folder, path).replaceAll(sep, "/") || ".";
