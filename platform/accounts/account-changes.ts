// The order of changes of the stored accounts: one at a time in this window, and under the locks of their files across windows.

import { PackAuthError } from "../errors.ts";
import { withLock } from "../files/file-lock.ts";
import { isBusy, OPEN_ELSEWHERE } from "../files/retry-while-busy.ts";

/** Milliseconds, longer than another window needs to write one account. */
const PATIENCE = 20_000;

export class AccountChanges {
  readonly #listeners = new Set<() => void>();
  #last: Promise<unknown> = Promise.resolve();

  /** Runs one change at a time and notifies the listeners. Every failure of a store becomes storage-failed. */
  run<T>(failure: string, write: () => Promise<T>): Promise<T> {
    const change = this.#last.then(async () => {
      const result = await write().catch((cause: unknown) => {
        throw new PackAuthError("storage-failed", failure, { hint: remedyOf(cause), cause });
      });
      this.notify();
      return result;
    });
    this.#last = change.catch(() => {});
    return change;
  }

  /** Runs a change under the locks of these paths. */
  runLocked<T>(paths: readonly string[], failure: string, write: () => Promise<T>): Promise<T> {
    return this.run(
      failure,
      paths.reduceRight((locked, path) => () => withLock(path, locked, LOCK), write),
    );
  }

  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

const LOCK = {
  patience: PATIENCE,
  busy: (cause: unknown) =>
    new PackAuthError("storage-failed", "Another window is still changing this account.", { hint: "Try again.", cause }),
};

/** Returns the cause of a failure, if known, and what to do about it. */
function remedyOf(cause: unknown): string {
  if (cause instanceof PackAuthError) return [cause.message, cause.hint].join(" ").trim();
  if (isBusy(cause)) return OPEN_ELSEWHERE;
  return "Check that the system's keyring is unlocked and the disk has free space, and try again.";
}
