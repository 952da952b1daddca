// What the reading of a request has looked at beyond its own statement: as long as edits leave all of that alone, it need not be read again.

export class Lookups {
  /** The names that were looked up, by file. */
  readonly names = new Map<string, Set<string>>();
  /** Objects of a file's own scope, which other files may write to. */
  shared = false;
  /** Values out of a function's text: their places do not move with the facts. */
  fromFunctions = false;
  /** Who calls a function. */
  callers = false;
  /** The texts of all files. */
  texts = false;

  name(file: string, names: Iterable<string>): void {
    let known = this.names.get(file);
    if (known === undefined) {
      known = new Set();
      this.names.set(file, known);
    }
    for (const name of names) known.add(name);
  }
}
