// One file, one name. Text cannot tell whether two paths are of one file: a drive's letter and a host are written in either case, Windows
// and macOS take any case, a link may stand above, and `\\?\C:\…` or `\\wsl$\…` is another name of the same. So paths that come from two
// sides (the editor, the bundler, the command line, what is stored) are compared by their canonical ones, and shown as the author opened
// them.

/** The paths of a system: Node's `path.posix` or `path.win32`, and what its file system says. */
export interface FileNames {
  readonly path: {
    readonly sep: string;
    dirname(path: string): string;
    basename(path: string): string;
    join(...parts: string[]): string;
    normalize(path: string): string;
  };
  /** Where the path leads to, in the case in which that is stored (`realpathSync.native`). Throws where there is nothing. */
  realPath(path: string): string;
}

/** The one name of an absolute path. Where there is nothing: below the canonical name of what is there above it. */
export function canonical(path: string, names: FileNames): string {
  const name = oneSpelling(path, names.path);
  try {
    return oneSpelling(names.realPath(name), names.path);
  } catch {
    const above = names.path.dirname(name);
    return above === name ? name : names.path.join(canonical(above, names), names.path.basename(name));
  }
}

/** A path in the case in which it is stored; where a link is in it, as it is written. */
export function asStored(path: string, names: FileNames): string {
  const name = oneSpelling(path, names.path);
  const real = canonical(name, names);
  return real.toLowerCase() === name.toLowerCase() ? real : name;
}

/** What can be told from the text alone. The drive is in capitals, as Windows and Node say it themselves. */
export function oneSpelling(path: string, { sep, normalize }: Pick<FileNames["path"], "sep" | "normalize">): string {
  const name = normalize(path);
  if (sep === "/") return name.length > 1 && name.endsWith("/") ? name.slice(0, -1) : name;
  const plain = name.replace(/^\\\\\?\\UNC\\/i, "\\\\").replace(/^\\\\\?\\(?=[a-z]:)/i, "");
  const share = /^\\\\(?![?.]\\)([^\\]+)\\([^\\]+)/.exec(plain)?.[0];
  if (share === undefined) return withoutEnd(plain.replace(/^[a-z]:/, (drive) => drive.toUpperCase()));
  return withoutEnd(share.toLowerCase().replace(/^\\\\wsl\$\\/, "\\\\wsl.localhost\\") + plain.slice(share.length));
}

/** The backslash of a root, `C:\` or `\\host\share\`, belongs to it. */
const withoutEnd = (path: string): string => (/^(?:[A-Z]:|\\\\[^\\]+\\[^\\]+)\\$/.test(path) ? path : path.replace(/\\$/, ""));

/**
 * How whoever opened `opened` writes other files: through the links above it, and in the case in which it is written. What lies elsewhere
 * keeps its canonical name.
 */
export function writtenAs(openedPath: string, names: FileNames): (file: string) => string {
  const { dirname, join, sep } = names.path;
  const above = (path: string): readonly string[] => (dirname(path) === path ? [path] : [path, ...above(dirname(path))]);
  const ancestors = above(openedPath).map((ancestor) => ({ written: ancestor, real: canonical(ancestor, names) }));
  return (file) => {
    const real = canonical(file, names);
    for (const folder of ancestors) {
      if (real === folder.real) return folder.written;
      const start = folder.real.endsWith(sep) ? folder.real : folder.real + sep;
      if (real.startsWith(start)) return join(folder.written, real.slice(start.length));
    }
    return real;
  };
}
