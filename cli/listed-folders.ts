// What the search for files has seen of folders. Most paths that an analysis asks for (settings, configurations, packages) are in none of
// them, and need not be looked for again.

export interface ListedFolders {
  /** All that a folder holds. Paths are absolute, with forward slashes. */
  add(folder: string, names: readonly string[]): void;
  /** Whether it is known that nothing is there; false wherever a file system might see it otherwise. */
  lacks(path: string): boolean;
  /** Whether its folder was seen with something of this name in it. */
  holds(path: string): boolean;
}

/** Names that no file system takes for others of the same kind but by their case. */
const PLAIN = /^[\x20-\x7e]*$/;

export function createListedFolders(): ListedFolders {
  /** Each folder with what it holds, in lower case. */
  const namesIn = new Map<string, ReadonlySet<string>>();
  return {
    add(folder, names) {
      if (names.every((name) => PLAIN.test(name))) namesIn.set(folder, new Set(names.map((name) => name.toLowerCase())));
    },
    lacks(path) {
      if (!PLAIN.test(path)) return false;
      // The nearest folder above that was listed.
      for (let child = path.length, end = path.lastIndexOf("/"); end > 0; child = end, end = path.lastIndexOf("/", end - 1)) {
        const names = namesIn.get(path.slice(0, end));
        if (names !== undefined) return !names.has(path.slice(end + 1, child).toLowerCase());
      }
      return false;
    },
    holds(path) {
      const end = path.lastIndexOf("/");
      return namesIn.get(path.slice(0, end))?.has(path.slice(end + 1).toLowerCase()) === true;
    },
  };
}
