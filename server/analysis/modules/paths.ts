// Paths in the analysis are absolute and have forward slashes on every system.

export function parent(path: string): string {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return at <= 0 ? "/" : path.slice(0, at);
}

/** Resolves `relative` against the folder, without `.` and `..`. An absolute path is kept. */
export function joinPath(folder: string, relative: string): string {
  const isAbsolute = /^(?:\/|[A-Za-z]:[\\/])/.test(relative);
  const parts = isAbsolute ? [""] : folder.replaceAll("\\", "/").replace(/\/$/, "").split("/");
  for (const part of relative.replaceAll("\\", "/").split("/")) {
    if (part === "..") {
      if (parts.length > 1) parts.pop();
    } else if (part !== "." && part !== "") parts.push(part);
  }
  if (isAbsolute && !relative.startsWith("/")) parts.shift();
  return parts.join("/") || "/";
}

/** Returns the path relative to the folder, with `..` for the folders above it. Returns the path itself on another drive. */
export function relativePath(folder: string, path: string): string {
  const from = folder.replace(/\/$/, "").split("/");
  const to = path.split("/");
  const shared = from.findIndex((part, index) => part !== to[index]);
  if (shared === 0) return path;
  const above = shared < 0 ? [] : from.slice(shared);
  return [...above.map(() => ".."), ...to.slice(from.length - above.length)].join("/");
}

export const isWithin = (path: string, folder: string): boolean => path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

/** Whether facts are read from the file. Declaration files contain no values. */
export const isSource = (path: string): boolean => /\.(?:[cm]?[jt]sx?|json)$/i.test(path) && !/\.d\.[cm]?ts$/i.test(path);

export const isTypeScript = (path: string): boolean => /\.[cm]?tsx?$/i.test(path);

/** Whether the file affects where imports lead: a tsconfig.json, a file that it extends, or a linked package's package.json. */
export const isModuleConfig = (path: string): boolean => /\.json$/i.test(path);

/** Returns why a named file has nothing to check; undefined if it can be checked. */
export function whyNotChecked(path: string): string | undefined {
  if (/\.d\.[cm]?ts$/i.test(path)) return "it only declares types";
  return /\.[cm]?[jt]sx?$/i.test(path) ? undefined : "it is not TypeScript or JavaScript";
}
