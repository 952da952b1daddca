// A lock across windows and processes, as a lock folder. The lock of a process that has ended is released at once; that of an unknown
// process after a while.
import fs, { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { lock } from "proper-lockfile";
import { errorMessage } from "../../base/error-message.ts";
import { PackAuthError } from "../errors.ts";
import { makeFolder } from "./make-folder.ts";
import { isBusy, retryWhileBusy } from "./retry-while-busy.ts";

interface LockOptions {
  /** Milliseconds to wait for the lock's owner. */
  readonly patience: number;
  /** Returns the error to throw if the owner does not release the lock in time. */
  busy(cause: unknown): PackAuthError;
}

/** Milliseconds without renewal after which a lock belongs to a process that has ended, or to another machine. */
const STALE = 45_000;
/**
 * The library creates the lock with mkdir and removes it with rmdir. Here the owner also signs inside the folder: the signer has the lock.
 */
const signingFs = {
  ...fs,
  mkdir(path: string, callback: (error: unknown) => void): void {
    makeSigned(path).then(() => callback(null), callback);
  },
  rmdir(path: string, callback: (error: unknown) => void): void {
    removeSigned(path).then(() => callback(null), callback);
  },
  /** The library also calls this at the end of the process, without time for a second try. */
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

/**
 * Milliseconds. A lock that stays unsigned belongs to a process that ended at that moment, or that is delayed and will find its lock
 * removed.
 */
const UNSIGNED = 500;

/**
 * Runs the task with the lock `<file>.lock`. Throws storage-failed if the lock cannot be created, or `options.busy` if the owner keeps it.
 */
export async function withLock<T>(file: string, task: () => Promise<T>, options: LockOptions): Promise<T> {
  const release = await acquire(file, options);
  try {
    return await task();
  } finally {
    // Another window may have taken over the lock while this machine slept; there is nothing to release then.
    await release().catch(() => {});
  }
}

async function acquire(file: string, { patience, busy }: LockOptions): Promise<() => Promise<void>> {
  const until = Date.now() + patience;
  for (let pause = 10; ; pause = Math.min(pause * 1.5, 250)) {
    try {
      return await retryWhileBusy(() => {
        makeFolder(dirname(file));
        return lock(file, OPTIONS);
      });
    } catch (cause) {
      if ((cause as { code?: string }).code !== "ELOCKED") throw unwritable(file, cause);
      if (await releaseAbandoned(file)) continue;
      if (Date.now() > until) throw busy(cause);
    }
    // A random pause keeps processes from retrying at the same moment.
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
  }
}

const unwritable = (file: string, cause: unknown): PackAuthError =>
  new PackAuthError("storage-failed", `The lock file ${file}.lock could not be created: ${errorMessage(cause)}.`, {
    hint: isFull(cause) ? "Free some space on the disk, and try again." : "Check that the folder exists and can be written.",
    cause,
  });

/** Returns whether the disk is full, or the user's quota is used up. */
const isFull = (error: unknown): boolean => ["ENOSPC", "EDQUOT"].includes(String((error as NodeJS.ErrnoException).code));

const ownerFile = (lockFolder: string): string => join(lockFolder, "owner");

/** Returns the owner that signed the present lock; undefined if nobody did. Throws if the file is busy. */
function ownerOf(lockFolder: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(ownerFile(lockFolder), "utf8")) as Owner;
  } catch (error) {
    if (isBusy(error)) throw error;
    return undefined;
  }
}

/** Creates and signs the lock. Throws EEXIST if it exists, or if another process took it in the meantime. */
async function makeSigned(lockFolder: string): Promise<void> {
  mkdirSync(lockFolder);
  const own: Owner = { pid: process.pid, host: hostname() };
  const file = ownerFile(lockFolder);
  try {
    await retryWhileBusy(() => writeFileSync(file, JSON.stringify(own), { mode: 0o600, flag: "wx" }));
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    if (["EEXIST", "ENOENT"].includes(code)) throw createLockError(cause);
    // A full disk leaves an empty file, which would leave a lock without an owner.
    rmSync(file, { force: true });
    try {
      rmdirSync(lockFolder);
    } catch {
      // Another process took it over.
    }
    throw cause;
  }
  // A delay between creating and writing the file may mean that the file was removed before the write.
  if ((await retryWhileBusy(() => ownerOf(lockFolder)))?.pid !== process.pid) throw createLockError();
}

/** Removes the owner's file only once: the next process to sign has the lock. */
async function removeSigned(lockFolder: string): Promise<void> {
  await retryWhileBusy(() => rmSync(ownerFile(lockFolder), { force: true }));
  await retryWhileBusy(() => rmdirSync(lockFolder));
}

const createLockError = (cause?: unknown): Error =>
  Object.assign(new Error("another process took the lock", { cause }), { code: "EEXIST" });

function isAbandoned(file: string): boolean {
  try {
    const owner = ownerOf(`${file}.lock`);
    if (owner !== undefined) return owner.host === hostname() && !isAlive(owner.pid);
    return statSync(`${file}.lock`).mtimeMs < Date.now() - UNSIGNED;
  } catch {
    // The lock is gone, or another process reads it; its owner is unknown then.
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

/**
 * Releases the lock of a process that has ended. One process at a time does so, and checks twice, because another one may have taken the
 * lock.
 */
async function releaseAbandoned(file: string): Promise<boolean> {
  if (!isAbandoned(file)) return false;
  const release = await lock(`${file}.takeover`, { ...OPTIONS, stale: 5_000 }).catch((cause: { code?: string }) => {
    // No other process can take the lock over either, so waiting is useless.
    if (cause.code === "ENOSPC" || cause.code === "EROFS") throw unwritable(file, cause);
  });
  if (release === undefined) return false;
  try {
    if (!isAbandoned(file)) return false;
    // There is no retry, because a new owner may have signed by then.
    signingFs.rmdirSync(`${file}.lock`);
    return true;
  } catch {
    return false;
  } finally {
    await release().catch(() => {});
  }
}
