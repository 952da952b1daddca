// V8's compiled code from one start to the next, in a private folder of the user. What lies there is run, so nobody else may have written it:
// a folder that is not the user's own, or that others can write to, is left alone, and so is a file that is not whole.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { crc32 } from "node:zlib";

export interface CodeCache {
  /** Undefined where there is none that can be trusted. */
  read(): Buffer | undefined;
  /** Never throws: the next start is slower, that is all. */
  write(code: Buffer): void;
}

const SUM_BYTES = 4;

/** Against accidents alone (who could write here on purpose could run anything); a cryptographic one takes longer than what it guards. */
function sum(code: Buffer): Buffer {
  const bytes = Buffer.alloc(SUM_BYTES);
  bytes.writeUInt32BE(crc32(code));
  return bytes;
}

/** A cache for one bundle; `stamp` tells its builds apart. */
export function openCodeCache(bundle: string, stamp: string): CodeCache {
  const folder = cacheFolder();
  const prefix = `${bundle}-${process.version}-${process.versions.v8}-${process.arch}-`;
  const name = `${prefix}${stamp}.bin`;
  return {
    read() {
      if (folder === undefined) return undefined;
      try {
        if (!isPrivate(folder)) return undefined;
        const file = readFileSync(join(folder, name));
        const code = file.subarray(SUM_BYTES);
        return code.length > 0 && sum(code).equals(file.subarray(0, SUM_BYTES)) ? code : undefined;
      } catch {
        return undefined;
      }
    },
    write(code) {
      if (folder === undefined) return;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (!isPrivate(folder)) return;
        const unfinished = join(folder, `${name}.${process.pid}`);
        writeFileSync(unfinished, Buffer.concat([sum(code), code]), { mode: 0o600 });
        renameSync(unfinished, join(folder, name));
        // Of builds that are gone.
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
