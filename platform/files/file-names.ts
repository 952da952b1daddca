// The names of files on this machine; see base/canonical.ts.
import { realpathSync } from "node:fs";
import path from "node:path";
import { asStored, canonical, type FileNames, writtenAs } from "../../base/canonical.ts";

const HERE: FileNames = { path, realPath: (name) => realpathSync.native(name) };

/** The one name of a file. Two paths are of one file where these are the same text. */
export const canonicalPath = (name: string): string => canonical(name, HERE);

export const isSameFile = (one: string, other: string): boolean => one === other || canonicalPath(one) === canonicalPath(other);

/** A path that was typed, in the case in which it is stored. Links stay as they are named. */
export const nameAsStored = (typed: string): string => asStored(typed, HERE);

/** How whoever opened a file writes others that belong to it. */
export const spelling = (openedFile: string): ((file: string) => string) => writtenAs(openedFile, HERE);

/** Whether a path is of one of the files. Those are looked at once, when that is first asked. */
export function oneOf(files: readonly string[]): (path: string) => boolean {
  let names: ReadonlySet<string> | undefined;
  return (path) => {
    names ??= new Set(files.map(canonicalPath));
    return names.has(canonicalPath(path));
  };
}
