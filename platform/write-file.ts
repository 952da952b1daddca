// Files that are never half-written: whoever reads one finds the former text or the new one, also after a kill or a power cut.
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes the content in place of what was there; private to this person unless `mode` says otherwise. Throws what the file system throws. */
export function writeWhole(file: string, content: string | Uint8Array, mode = 0o600): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  sweep(folder);
  const beside = `${file}.${randomBytes(6).toString("hex")}.new`;
  try {
    const handle = openSync(beside, "wx", mode);
    try {
      writeFileSync(handle, content);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
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
