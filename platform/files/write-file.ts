// Writes files atomically: a reader finds the former content or the new one, even after a kill or a power cut.
import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

interface WriteOptions {
  /** The file mode; 0600, private to this person, by default. */
  readonly mode?: number;
  /** Called right before each try to replace the file; false leaves the file unchanged. */
  onlyIf?(): boolean;
}

/** Replaces the file's content. Returns false if `onlyIf` returned false. Throws the file system's error. */
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

/**
 * Replaces a file in one step, with its mode, and follows a link to its target. Returns false if `onlyIf` no longer holds. Throws the file
 * system's error.
 */
export function replaceFile(path: string, text: string, onlyIf: () => boolean): Promise<boolean> {
  const target = realpathSync(path);
  return writeWhole(target, text, { mode: statSync(target).mode, onlyIf });
}

/** Milliseconds after which no process still writes a temporary file. */
const ABANDONED = 60_000;

const swept = new Set<string>();

/** Removes temporary files that a killed process left, once for each folder and process. */
function sweep(folder: string): void {
  if (swept.has(folder)) return;
  swept.add(folder);
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (/\.[0-9a-f]{12}\.new$/.test(name) && statSync(path).mtimeMs < Date.now() - ABANDONED) rmSync(path, { force: true });
    }
  } catch {
    // Another window sweeps too; a file that remains does no harm.
  }
}
