// Reads a glob as typed on this system: with its separators, and below folders whose names look like globs, such as `[id]` or `a (1)`.
import type { PlatformPath } from "node:path";
import picomatch from "picomatch";

export interface PathGlob {
  /** Absolute path of the folder to search. */
  readonly folder: string;
  /** Expects a path relative to the folder, with forward slashes. */
  matches(path: string): boolean;
}

/** `path` and `isFolder` belong to the system. Returns undefined if `typed` is not a glob. */
export function readPathGlob(
  typed: string,
  cwd: string,
  { path, isFolder }: { readonly path: PlatformPath; isFolder(path: string): boolean },
): PathGlob | undefined {
  // On Windows a backslash is always a separator, and case does not matter.
  const isWindows = path.sep === "\\";
  const pattern = isWindows ? typed.replaceAll("\\", "/") : typed;
  const { root } = path.parse(pattern);
  let folder = path.resolve(cwd, root);
  const rest = pattern.slice(root.length).split("/");
  // A folder that exists under the literal name wins over a glob.
  for (let next = rest[0]; next !== undefined && rest.length > 1 && isFolder(path.resolve(folder, next)); next = rest[0]) {
    folder = path.resolve(folder, next);
    rest.shift();
  }
  const { base, isGlob } = picomatch.scan(rest.join("/"));
  if (!isGlob) return undefined;
  const matches = picomatch(rest.join("/").slice(base.length).replace(/^\//, ""), { nocase: isWindows });
  return { folder: path.resolve(folder, base), matches: (below) => matches(below) };
}
