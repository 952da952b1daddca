// Starts a bundle with the code that V8 compiled for it in an earlier run. The code is in a private folder of the user and is executed. A
// folder that the user does not own, or that others can write to, is therefore not used. Node's own compile cache has only a tenth of the
// code: it omits functions that V8 compiles while a bundle runs.
import { isAscii } from "node:buffer";
import { closeSync, fstatSync, lstatSync, openSync, readSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { makeFolder } from "../platform/files/make-folder.ts";

interface LaunchOptions {
  /** Separates caches, because V8 keeps only the functions that a run called. If undefined, nothing is cached. */
  readonly kind: "check" | "cli" | "mcp" | "server" | undefined;
  /** Milliseconds after which the code is written, for a process that ends late or is killed. */
  readonly after?: number;
}

type Wrapped = (exports: object, require: NodeJS.Require, module: { exports: object }, filename: string, dirname: string) => void;

const loaded = new Map<string, { readonly exports: object }>();

/** Runs the bundle beside this file once, and runs the bundles that it requires in the same way. Returns its exports. */
export function launch(bundle: string, options: LaunchOptions): object {
  const { kind, after } = options;
  const before = loaded.get(bundle);
  if (before !== undefined) return before.exports;
  const path = join(__dirname, bundle);
  const wrapped = readWrapped(path);
  const sum = crc32(wrapped.subarray(BEFORE.length, -BEHIND.length));
  const folder = kind === undefined ? undefined : cacheFolder();
  const file = folder === undefined ? undefined : join(folder, `${kind}-${bundle}-${process.version}-${process.arch}.bin`);
  const text = wrapped.toString(isAscii(wrapped) ? "latin1" : "utf8");
  // Reading into allocated memory is faster than touching megabytes of new memory, so the code overwrites the source.
  const cachedData = file === undefined ? undefined : readCode(file, sum, wrapped);
  const script = new Script(text, { filename: path, ...(cachedData === undefined ? {} : { cachedData }) });
  if (file !== undefined && (cachedData === undefined || script.cachedDataRejected === true)) {
    const write = (): void => {
      process.off("exit", write);
      writeCode(file, sum, script.createCachedData());
    };
    process.once("exit", write);
    if (after !== undefined) setTimeout(write, after).unref();
  }
  const module = { exports: {} };
  loaded.set(bundle, module);
  const load = (id: string): unknown => (/^\.\/[\w-]+\.cjs$/.test(id) ? launch(id.slice(2), options) : require(id));
  (script.runInThisContext() as Wrapped)(module.exports, Object.assign(load, require), module, path, __dirname);
  return module.exports;
}

const [BEFORE, BEHIND] = ["(function (exports, require, module, __filename, __dirname) { ", "\n});"];

/** Returns the source inside Node's module function. Concatenating strings would copy its megabytes once more. */
function readWrapped(path: string): Buffer {
  const wrapped = read(path, { before: BEFORE.length, behind: BEHIND.length });
  wrapped.write(BEFORE);
  wrapped.write(BEHIND, wrapped.length - BEHIND.length);
  return wrapped;
}

/** Reads a file with space before and behind it, into the given memory if that is large enough. */
function read(path: string, { before = 0, behind = 0, into }: { before?: number; behind?: number; into?: Buffer }): Buffer {
  const file = openSync(path, "r");
  try {
    const end = before + fstatSync(file).size;
    const size = end + behind;
    const bytes = into !== undefined && into.length >= size ? into.subarray(0, size) : Buffer.allocUnsafeSlow(size);
    for (let at = before, count = 0; at < end; at += count) {
      count = readSync(file, bytes, at, end - at, null);
      if (count === 0) throw new Error(`${path} was cut short while it was read`);
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

/**
 * The bytes before the code: checksums of its source and of the code, against accidental damage. V8 compares only the length of the source,
 * and does not verify its code. An update may have the same size and time.
 */
const HEAD_BYTES = 8;

function readCode(file: string, sourceSum: number, into: Buffer): Buffer | undefined {
  try {
    if (!isPrivate(join(file, "..")) || !isOwnFile(file)) return undefined;
    const bytes = read(file, { into });
    const code = bytes.subarray(HEAD_BYTES);
    return bytes.readUInt32LE(0) === sourceSum && bytes.readUInt32LE(4) === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

function writeCode(file: string, sourceSum: number, code: Buffer): void {
  const unfinished = `${file}.${process.pid}`;
  try {
    const folder = join(file, "..");
    makeFolder(folder);
    if (!isPrivate(folder)) return;
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32LE(sourceSum, 0);
    head.writeUInt32LE(crc32(code), 4);
    writeFileSync(unfinished, Buffer.concat([head, code]), { mode: 0o600, flag: "wx" });
    renameSync(unfinished, file);
  } catch {
    // The disk may be full or the home read-only. The next start is then slower.
    try {
      rmSync(unfinished, { force: true });
    } catch {
      // A folder that cannot be accessed contains no unfinished file.
    }
  }
}

/**
 * Returns the folder of the cache. PACK_AUTH_CODE_CACHE names another folder, or disables the cache if empty. The folder is never a
 * temporary one, because others can write there.
 */
function cacheFolder(): string | undefined {
  const configuredFolder = process.env.PACK_AUTH_CODE_CACHE;
  if (configuredFolder !== undefined) return isAbsolute(configuredFolder) ? configuredFolder : undefined;
  try {
    const base =
      process.platform === "win32"
        ? process.env.LOCALAPPDATA
        : process.platform === "darwin"
          ? join(homedir(), "Library/Caches")
          : process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
    return base !== undefined && isAbsolute(base) ? join(base, "pack-auth") : undefined;
  } catch {
    // A user without an entry in the system has no home.
    return undefined;
  }
}

function isPrivate(folder: string): boolean {
  const stats = statSync(folder);
  return stats.isDirectory() && isOwn(stats);
}

/** A file that was added while others could write to the folder may be theirs. Reading a named pipe would block forever. */
function isOwnFile(file: string): boolean {
  const stats = lstatSync(file);
  return stats.isFile() && isOwn(stats);
}

/** Returns whether the user owns the file or folder and nobody else can write to it. */
const isOwn = ({ uid, mode }: Stats): boolean => process.platform === "win32" || (uid === process.getuid?.() && (mode & 0o022) === 0);
