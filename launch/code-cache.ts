// Starts a bundle with the code that V8 compiled for it before, which lies in a private folder of the user. It is run, so nobody else may
// have written it: a folder that is not the user's own, or that others can write to, is left alone. Node's own cache holds a tenth of it:
// what is compiled while a bundle runs is not in there.
import { isAscii } from "node:buffer";
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

interface LaunchOptions {
  /** V8 keeps what a run called, so runs that call other code are of another kind. Without one, nothing is kept. */
  readonly kind: "check" | "cli" | "server" | undefined;
  /** Milliseconds after which the code is written, for what ends late, or by force. */
  readonly after?: number;
}

type Wrapped = (exports: object, require: NodeJS.Require, module: { exports: object }, filename: string, dirname: string) => void;

const loaded = new Map<string, { readonly exports: object }>();

/** Runs the bundle that lies beside this one, once; those that it requires are run the same way. Gives what it exports. */
export function launch(bundle: string, { kind, after }: LaunchOptions): object {
  const before = loaded.get(bundle);
  if (before !== undefined) return before.exports;
  const path = join(__dirname, bundle);
  const wrapped = readWrapped(path);
  const sum = crc32(wrapped.subarray(BEFORE.length, -BEHIND.length));
  const folder = kind === undefined ? undefined : cacheFolder();
  const file = folder === undefined ? undefined : join(folder, `${kind}-${bundle}-${process.version}-${process.arch}.bin`);
  const text = wrapped.toString(isAscii(wrapped) ? "latin1" : "utf8");
  // To touch megabytes of new memory takes longer than to read them: the code comes to where the source was.
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
  const load = (id: string): unknown => (/^\.\/[\w-]+\.cjs$/.test(id) ? launch(id.slice(2), { kind }) : require(id));
  (script.runInThisContext() as Wrapped)(module.exports, Object.assign(load, require), module, path, __dirname);
  return module.exports;
}

const [BEFORE, BEHIND] = ["(function (exports, require, module, __filename, __dirname) { ", "\n});"];

/** The source as the function that Node makes of a module: put together as text, its megabytes would be copied once more. */
function readWrapped(path: string): Buffer {
  const wrapped = read(path, { before: BEFORE.length, behind: BEHIND.length });
  wrapped.write(BEFORE);
  wrapped.write(BEHIND, wrapped.length - BEHIND.length);
  return wrapped;
}

/** A file with some room around it; in the memory given, where it is large enough. */
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
 * Before the code: the sums of its source and of itself, against accidents. V8 compares the length of the source only, and does not look
 * whether its code is as it was written; an update may have the same size and time.
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
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivate(folder)) return;
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32LE(sourceSum, 0);
    head.writeUInt32LE(crc32(code), 4);
    writeFileSync(unfinished, Buffer.concat([head, code]), { mode: 0o600, flag: "wx" });
    renameSync(unfinished, file);
  } catch {
    // A full disk, a read-only home: the next start is slower, that is all.
    try {
      rmSync(unfinished, { force: true });
    } catch {
      // What could not be looked into has none.
    }
  }
}

/** PACK_AUTH_CODE_CACHE names another folder; empty, there is no cache. Never a temporary folder, where others may write. */
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
    // A user that the system does not know has no home.
    return undefined;
  }
}

function isPrivate(folder: string): boolean {
  const stats = statSync(folder);
  return stats.isDirectory() && isOwn(stats);
}

/** What came into the folder while others could still write to it may be theirs; a named pipe would keep its reader waiting for ever. */
function isOwnFile(file: string): boolean {
  const stats = lstatSync(file);
  return stats.isFile() && isOwn(stats);
}

/** Whether the user owns it, and nobody else can write to it. */
const isOwn = ({ uid, mode }: Stats): boolean => process.platform === "win32" || (uid === process.getuid?.() && (mode & 0o022) === 0);
