// Keeps metadata of the command line in one JSON file, never a secret. Concurrent commands change it one at a time.

import { readFileSync } from "node:fs";
import { isRecord } from "../../base/is-record.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { withLock } from "../../platform/files/file-lock.ts";
import { retryWhileBusy } from "../../platform/files/retry-while-busy.ts";
import { writeWhole } from "../../platform/files/write-file.ts";
import type { StateStore } from "../../platform/host.ts";

/** Milliseconds; longer than any other command needs to write the file. */
const PATIENCE = 10_000;

/** A file that another version or a broken disk damaged reads as empty. */
export function stateFile(path: string): StateStore {
  return {
    get(key) {
      try {
        return valuesIn(readFileSync(path, "utf8"))[key];
      } catch {
        return undefined;
      }
    },
    set: (key, value) =>
      withLock(
        path,
        async () => {
          // An unreadable file does not count as empty, because its other values would be lost.
          const text = await retryWhileBusy(() => readFileSync(path, "utf8")).catch((error: NodeJS.ErrnoException) => {
            if (error.code !== "ENOENT") throw error;
            return "{}";
          });
          await writeWhole(path, JSON.stringify({ ...valuesIn(text), [key]: value }, null, 2));
        },
        {
          patience: PATIENCE,
          busy: (cause) => new PackAuthError("storage-failed", `Another command is still writing ${path}.`, { hint: "Try again.", cause }),
        },
      ),
  };
}

function valuesIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
