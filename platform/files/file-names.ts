// Canonical file names on this machine; see base/canonical.ts.
import { realpathSync } from "node:fs";
import path from "node:path";
import { asStored, canonical, type FileNames, writtenAs } from "../../base/canonical.ts";

const HERE: FileNames = { path, realPath: (name) => realpathSync.native(name) };

/** Returns the canonical path of a file. Two paths name the same file if their canonical paths are equal. */
export const canonicalPath = (name: string): string => canonical(name, HERE);

export const isSameFile = (one: string, other: string): boolean => one === other || canonicalPath(one) === canonicalPath(other);

/** Returns a typed path in the case that the file system stores. Links are not resolved. */
export const nameAsStored = (typed: string): string => asStored(typed, HERE);

/** Returns a function that writes paths in the way in which the given file was opened. */
export const spelling = (openedFile: string): ((file: string) => string) => writtenAs(openedFile, HERE);

/** Returns a function that tells whether a path names one of the files. The files are resolved once, at its first call. */
export function oneOf(files: readonly string[]): (path: string) => boolean {
  let names: ReadonlySet<string> | undefined;
  return (path) => {
    names ??= new Set(files.map(canonicalPath));
    return names.has(canonicalPath(path));
  };
}
