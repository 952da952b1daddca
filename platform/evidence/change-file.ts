// Changes a small JSON file of what sign-ins and runs showed, which windows and terminals share.

import { rmSync } from "node:fs";
import { PackAuthError } from "../errors.ts";
import { withLock } from "../files/file-lock.ts";
import { retryWhileBusy } from "../files/retry-while-busy.ts";
import { writeWhole } from "../files/write-file.ts";

/** Milliseconds to wait for another window. */
const PATIENCE = 5_000;

/** Writes the result of `make` under the file's lock, or removes the file if the result is undefined. Throws storage-failed. */
export const changeFile = <T>(file: string, read: () => T, make: (before: T) => T | undefined): Promise<void> =>
  withLock(
    file,
    async () => {
      const before = read();
      const after = make(before);
      if (JSON.stringify(before) === JSON.stringify(after)) return;
      if (after === undefined) await retryWhileBusy(() => rmSync(file, { force: true }));
      else await writeWhole(file, JSON.stringify(after));
    },
    { patience: PATIENCE, busy: storageFailed },
  ).catch((error: unknown) => {
    throw error instanceof PackAuthError ? error : storageFailed(error);
  });

const storageFailed = (cause: unknown): PackAuthError =>
  new PackAuthError("storage-failed", "What the sign-in or run showed could not be saved.", {
    hint: "Check that the disk has free space and the folder can be written.",
    cause,
  });
