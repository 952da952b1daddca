// Canonical paths. The text of two paths does not tell whether they name the same file. Drive letters and hosts ignore case, as do Windows
// and macOS; a link may be among the ancestors; `\\?\C:\…` and `\\wsl$\…` are alternative forms. Paths from two sources (the editor, the
// bundler, the command line, stored files) are therefore compared in canonical form. They are displayed as the author opened them.

/** The path functions of a system: Node's `path.posix` or `path.win32`, and its file system. */
export interface FileNames {
  readonly path: {
    readonly sep: string;
    dirname(path: string): string;
    basename(path: string): string;
    join(...parts: string[]): string;
    normalize(path: string): string;
  };
  /** Returns the target of the path, in its stored case (`realpathSync.native`). Throws if the path does not exist. */
  realPath(path: string): string;
}

/** Returns the canonical form of an absolute path. If the path does not exist, its nearest existing ancestor is made canonical. */
export function canonical(path: string, names: FileNames): string {
  const name = oneSpelling(path, names.path);
  try {
    return oneSpelling(names.realPath(name), names.path);
  } catch {
    const above = names.path.dirname(name);
    return above === name ? name : names.path.join(canonical(above, names), names.path.basename(name));
  }
}

/** Returns the path in its stored case, or as written if a link is part of it. */
export function asStored(path: string, names: FileNames): string {
  const name = oneSpelling(path, names.path);
  const real = canonical(name, names);
  return real.toLowerCase() === name.toLowerCase() ? real : name;
}

/** Returns the spelling that depends on the text alone. The drive letter is upper case, as Windows and Node report it. */
export function oneSpelling(path: string, { sep, normalize }: Pick<FileNames["path"], "sep" | "normalize">): string {
  const name = normalize(path);
  if (sep === "/") return name.length > 1 && name.endsWith("/") ? name.slice(0, -1) : name;
  const plain = name.replace(/^\\\\\?\\UNC\\/i, "\\\\").replace(/^\\\\\?\\(?=[a-z]:)/i, "");
  const share = /^\\\\(?![?.]\\)([^\\]+)\\([^\\]+)/.exec(plain)?.[0];
  if (share === undefined) return withoutEnd(plain.replace(/^[a-z]:/, (drive) => drive.toUpperCase()));
  return withoutEnd(share.toLowerCase().replace(/^\\\\wsl\$\\/, "\\\\wsl.localhost\\") + plain.slice(share.length));
}

/** The backslash of a root, `C:\` or `\\host\share\`, is part of the root. */
const withoutEnd = (path: string): string => (/^(?:[A-Z]:|\\\\[^\\]+\\[^\\]+)\\$/.test(path) ? path : path.replace(/\\$/, ""));

/**
 * Returns a function that writes paths in the manner of `openedPath`: through the same links, in the same case. Paths outside the ancestors
 * of `openedPath` keep their canonical form.
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
