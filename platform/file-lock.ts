// One at a time, across windows and processes: a lock folder, taken over at once from a process that ended while it held it, and after
// a while from one of which nothing is known.
import fs, { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { lock } from "proper-lockfile";
import { PackAuthError } from "./errors.ts";

export interface LockOptions {
  /** Milliseconds to wait for whoever holds it. */
  readonly patience: number;
  /** What is thrown when they do not let go. */
  busy(cause: unknown): PackAuthError;
}

/** A lock that was not renewed for so long belongs to a process that is gone, or to another machine. */
const STALE = 45_000;
/** The library makes the lock by mkdir and removes it by rmdir; here its owner signs inside it. Whoever signs has the lock. */
const signingFs = {
  ...fs,
  mkdir(path: string, done: (error: unknown) => void): void {
    try {
      mkdirSync(path);
      sign(path);
      done(null);
    } catch (error) {
      done(error);
    }
  },
  rmdir(path: string, done: (error: unknown) => void): void {
    try {
      signingFs.rmdirSync(path);
      done(null);
    } catch (error) {
      done(error);
    }
  },
  rmdirSync(path: string): void {
    rmSync(ownerFile(path), { force: true });
    rmdirSync(path);
  },
};
// A compromised lock must not end the whole editor, which is what the library does by default.
const OPTIONS = { stale: STALE, realpath: false, retries: 0, onCompromised: () => {}, fs: signingFs } as const;

interface Owner {
  readonly pid: number;
  readonly host: string;
}

/** A lock that is unsigned for so long was taken by a process that ended right then, or is held up: that one finds its lock gone. */
const UNSIGNED = 500;

/** Runs the task while holding `<file>.lock`. Throws storage-failed where no lock file can be made. */
export async function withLock<T>(file: string, task: () => Promise<T>, options: LockOptions): Promise<T> {
  const release = await take(file, options);
  try {
    return await task();
  } finally {
    // Taken over by another window while this machine slept: then there is nothing left to give back.
    await release().catch(() => {});
  }
}

async function take(file: string, { patience, busy }: LockOptions): Promise<() => Promise<void>> {
  const until = Date.now() + patience;
  for (let pause = 10; ; pause = Math.min(pause * 1.5, 250)) {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      return await lock(file, OPTIONS);
    } catch (cause) {
      if ((cause as { code?: string }).code !== "ELOCKED") throw unwritable(file, cause);
      if (await releaseAbandoned(file)) continue;
      if (Date.now() > until) throw busy(cause);
    }
    // Not all at the same moment.
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
  }
}

const unwritable = (file: string, cause: unknown): PackAuthError =>
  new PackAuthError("storage-failed", `The lock file ${file} could not be made.`, {
    hint: "Check that the folder exists and can be written.",
    cause,
  });

const ownerFile = (lockFolder: string): string => join(lockFolder, "owner");

/** Who signed the lock that is there now; undefined where nobody did. */
function ownerOf(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(ownerFile(`${file}.lock`), "utf8")) as Owner;
  } catch {
    return undefined;
  }
}

/** Throws EEXIST where another process took the lock while this one was held up. */
function sign(lockFolder: string): void {
  const own: Owner = { pid: process.pid, host: hostname() };
  const file = ownerFile(lockFolder);
  try {
    writeFileSync(file, JSON.stringify(own), { mode: 0o600, flag: "wx" });
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    if (["EEXIST", "ENOENT"].includes(code)) throw taken(cause);
    // A disk that is full leaves an empty file.
    rmSync(file, { force: true });
    throw cause;
  }
  // Held up between making the file and writing it, it wrote into one that somebody removed.
  if (ownerOf(lockFolder.replace(/\.lock$/, ""))?.pid !== process.pid) throw taken();
}

const taken = (cause?: unknown): Error => Object.assign(new Error("another process took the lock", { cause }), { code: "EEXIST" });

function isAbandoned(file: string): boolean {
  const owner = ownerOf(file);
  if (owner !== undefined) return owner.host === hostname() && !isAlive(owner.pid);
  try {
    return statSync(`${file}.lock`).mtimeMs < Date.now() - UNSIGNED;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Only one at a time looks, and looks again: a lock that somebody took meanwhile is theirs. */
async function releaseAbandoned(file: string): Promise<boolean> {
  if (!isAbandoned(file)) return false;
  const release = await lock(`${file}.takeover`, { ...OPTIONS, stale: 5_000 }).catch(() => undefined);
  if (release === undefined) return false;
  try {
    if (!isAbandoned(file)) return false;
    signingFs.rmdirSync(`${file}.lock`);
    return true;
  } catch {
    return false;
  } finally {
    await release().catch(() => {});
  }
}
