// V8's compiled code from one start to the next, in a private folder of the user. What lies there is run, so nobody else may have written it:
// a folder that is not the user's own, or that others can write to, is left alone, and so is a file that is not whole.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

export interface CodeCache {
  /** Undefined where there is none that can be trusted. */
  read(): KeptCode | undefined;
  /** Never throws: the next start is slower, that is all. */
  write(kept: KeptCode): void;
}

export interface KeptCode {
  readonly code: Buffer;
  /** How much the run did that made it, as the bundle counts: V8 compiles what is called, so a run that did little leaves out much. */
  readonly work: number;
}

/** Before the code: the work, and as many bytes again, so that the code stands where V8 reads it without a copy. */
const HEAD_BYTES = 8;

/**
 * Everything twice, against accidents alone (who could write here on purpose could run anything): V8 does not look whether its code is as
 * it was written, and Node's checksums come with its streams, which take longer to load than this takes to be read. So does a digest of
 * the source: behind the code stands the source itself. Of that V8 compares the length only, and an update may have the same size and time.
 */
function together({ code, work }: KeptCode, source: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(work);
  return Buffer.concat([head, code, head, code, source]);
}

/** Undefined where the file is not whole, or of another source. */
function takeApart(file: Buffer, source: Buffer): KeptCode | undefined {
  const end = file.length - source.length;
  const half = file.subarray(0, Math.max(end, 0) >> 1);
  if (half.length <= HEAD_BYTES || !file.subarray(end).equals(source) || !half.equals(file.subarray(half.length, end))) return undefined;
  return { code: half.subarray(HEAD_BYTES), work: half.readUInt32BE() };
}

/** A cache for one bundle, whose code is of this source alone. */
export function openCodeCache(bundle: string, source: Buffer): CodeCache {
  const folder = cacheFolder();
  const prefix = `${bundle}-${process.version}-${process.versions.v8}-${process.arch}`;
  const name = `${prefix}.bin`;
  return {
    read() {
      if (folder === undefined) return undefined;
      try {
        return isPrivate(folder) ? takeApart(readFileSync(join(folder, name)), source) : undefined;
      } catch {
        return undefined;
      }
    },
    write(kept) {
      if (folder === undefined) return;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (!isPrivate(folder)) return;
        const unfinished = join(folder, `${name}.${process.pid}`);
        writeFileSync(unfinished, together(kept, source), { mode: 0o600 });
        renameSync(unfinished, join(folder, name));
        // What was not finished.
        for (const other of readdirSync(folder))
          if (other.startsWith(prefix) && other !== name) rmSync(join(folder, other), { force: true });
      } catch {
        // A full disk, a read-only home: it works without.
      }
    },
  };
}

/** PACK_AUTH_CODE_CACHE names another folder; empty, there is no cache. Never a temporary folder, where others may write. */
function cacheFolder(): string | undefined {
  const given = process.env.PACK_AUTH_CODE_CACHE;
  if (given !== undefined) return isAbsolute(given) ? given : undefined;
  const home = homedir();
  const base =
    process.platform === "win32"
      ? process.env.LOCALAPPDATA
      : process.platform === "darwin"
        ? join(home, "Library/Caches")
        : process.env.XDG_CACHE_HOME || join(home, ".cache");
  return base !== undefined && isAbsolute(base) ? join(base, "pack-auth") : undefined;
}

function isPrivate(folder: string): boolean {
  const found = statSync(folder);
  if (!found.isDirectory()) return false;
  return process.platform === "win32" || (found.uid === process.getuid?.() && (found.mode & 0o022) === 0);
}
