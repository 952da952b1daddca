// Files that are never half-written: whoever reads one finds the former text or the new one, also after a kill or a power cut.
import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

interface WriteOptions {
  /** Private to this person by default. */
  readonly mode?: number;
  /** Asked right before each try to replace the file; false leaves it as it is. */
  onlyIf?(): boolean;
}

/** Writes the content in place of what was there; false where `onlyIf` forbade it. Throws what the file system throws. */
export async function writeWhole(file: string, content: string | Uint8Array, options: WriteOptions = {}): Promise<boolean> {
  const { mode = 0o600, onlyIf = () => true } = options;
  const folder = dirname(file);
  makeFolder(folder);
  sweep(folder);
  const beside = `${file}.${randomUUID().slice(-12)}.new`;
  try {
    const handle = openSync(beside, "wx", mode);
    try {
      writeFileSync(handle, content);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    return await retryWhileBusy(() => {
      const may = onlyIf();
      if (may) renameSync(beside, file);
      return may;
    });
  } finally {
    rmSync(beside, { force: true });
  }
}

/** Milliseconds after which nobody writes a file any more. */
const ABANDONED = 60_000;

const swept = new Set<string>();

/** Removes what a kill left half-written: once for each folder and process, as whoever was killed writes here no more. */
function sweep(folder: string): void {
  if (swept.has(folder)) return;
  swept.add(folder);
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (/\.[0-9a-f]{12}\.new$/.test(name) && statSync(path).mtimeMs < Date.now() - ABANDONED) rmSync(path, { force: true });
    }
  } catch {
    // Another window sweeps, too; what stays does no harm.
  }
}
