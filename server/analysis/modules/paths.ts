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

export const isWithin = (path: string, folder: string): boolean => path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);

/** Whether facts are read from the file. Declaration files contain no values. */
export const isSource = (path: string): boolean => /\.(?:[cm]?[jt]sx?|json)$/i.test(path) && !/\.d\.[cm]?ts$/i.test(path);

export const isTypeScript = (path: string): boolean => /\.[cm]?tsx?$/i.test(path);

/** Whether the file affects where imports lead: a tsconfig.json, a file that it extends, or a linked package's package.json. */
export const isModuleConfig = (path: string): boolean => /\.json$/i.test(path);
