// One at a time, across windows and processes: a lock folder, taken over at once from a process that ended while it held it, and after
// a while from one of which nothing is known.
import fs, { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { lock } from "proper-lockfile";
import { errorMessage } from "../../base/error-message.ts";
import { PackAuthError } from "../errors.ts";
import { makeFolder } from "./make-folder.ts";
import { isBusy, retryWhileBusy } from "./retry-while-busy.ts";

interface LockOptions {
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
  mkdir(path: string, callback: (error: unknown) => void): void {
    makeSigned(path).then(() => callback(null), callback);
  },
  rmdir(path: string, callback: (error: unknown) => void): void {
    removeSigned(path).then(() => callback(null), callback);
  },
  /** At the end of the process, too: there is no time for a second try. */
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
  const release = await acquire(file, options);
  try {
    return await task();
  } finally {
    // Taken over by another window while this machine slept: then there is nothing left to give back.
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
    // Not all at the same moment.
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
  }
}

const unwritable = (file: string, cause: unknown): PackAuthError =>
  new PackAuthError("storage-failed", `The lock file ${file}.lock could not be created: ${errorMessage(cause)}.`, {
    hint: isFull(cause) ? "Free some space on the disk, and try again." : "Check that the folder exists and can be written.",
    cause,
  });

/** No space, or the user's share of it used up. */
const isFull = (error: unknown): boolean => ["ENOSPC", "EDQUOT"].includes(String((error as NodeJS.ErrnoException).code));

const ownerFile = (lockFolder: string): string => join(lockFolder, "owner");

/** Who signed the lock that is there now; undefined where nobody did. Throws where that cannot be read. */
function ownerOf(lockFolder: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(ownerFile(lockFolder), "utf8")) as Owner;
  } catch (error) {
    if (isBusy(error)) throw error;
    return undefined;
  }
}

/** Throws EEXIST where there is a lock, or another process took this one while it was held up. */
async function makeSigned(lockFolder: string): Promise<void> {
  mkdirSync(lockFolder);
  const own: Owner = { pid: process.pid, host: hostname() };
  const file = ownerFile(lockFolder);
  try {
    await retryWhileBusy(() => writeFileSync(file, JSON.stringify(own), { mode: 0o600, flag: "wx" }));
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    if (["EEXIST", "ENOENT"].includes(code)) throw createLockError(cause);
    // A disk that is full leaves an empty file, and would leave a lock that nobody holds.
    rmSync(file, { force: true });
    try {
      rmdirSync(lockFolder);
    } catch {
      // Somebody took it over.
    }
    throw cause;
  }
  // Held up between making the file and writing it, it wrote into one that somebody removed.
  if ((await retryWhileBusy(() => ownerOf(lockFolder)))?.pid !== process.pid) throw createLockError();
}

/** The owner's name once: whoever signs after it was taken away has the lock. */
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
    // It is gone by now, or somebody reads it: then nothing is known of it.
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
  const release = await lock(`${file}.takeover`, { ...OPTIONS, stale: 5_000 }).catch((cause: { code?: string }) => {
    // Nobody else can take it over either: to wait is of no use.
    if (cause.code === "ENOSPC" || cause.code === "EROFS") throw unwritable(file, cause);
  });
  if (release === undefined) return false;
  try {
    if (!isAbandoned(file)) return false;
    // Once: by the next try its owner may have come back.
    signingFs.rmdirSync(`${file}.lock`);
    return true;
  } catch {
    return false;
  } finally {
    await release().catch(() => {});
  }
}
