// A glob as it is typed on this system: with its slashes, and below folders whose own names may look like globs, such as `[id]` or `a (1)`.
import type { PlatformPath } from "node:path";
import picomatch from "picomatch";

export interface PathGlob {
  /** Absolute: where to look. */
  readonly folder: string;
  /** Takes a path below the folder, with forward slashes. */
  matches(path: string): boolean;
}

/** `path` and `isFolder` are those of the system. Undefined for what is no glob. */
export function readPathGlob(
  typed: string,
  cwd: string,
  { path, isFolder }: { readonly path: PlatformPath; isFolder(path: string): boolean },
): PathGlob | undefined {
  // Windows has no backslash but the one between folders, and takes any case.
  const isWindows = path.sep === "\\";
  const pattern = isWindows ? typed.replaceAll("\\", "/") : typed;
  const { root } = path.parse(pattern);
  let folder = path.resolve(cwd, root);
  const rest = pattern.slice(root.length).split("/");
  // What is there as it is written is meant so.
  for (let next = rest[0]; next !== undefined && rest.length > 1 && isFolder(path.resolve(folder, next)); next = rest[0]) {
    folder = path.resolve(folder, next);
    rest.shift();
  }
  const { base, isGlob } = picomatch.scan(rest.join("/"));
  if (!isGlob) return undefined;
  const matches = picomatch(rest.join("/").slice(base.length).replace(/^\//, ""), { nocase: isWindows });
  return { folder: path.resolve(folder, base), matches: (below) => matches(below) };
}
