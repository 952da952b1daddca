// Metadata of the command line as one JSON file; never a secret. Commands beside each other change it one at a time.

import { readFileSync } from "node:fs";
import { isRecord } from "../../base/is-record.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { withLock } from "../../platform/files/file-lock.ts";
import { retryWhileBusy } from "../../platform/files/retry-while-busy.ts";
import { writeWhole } from "../../platform/files/write-file.ts";
import type { StateStore } from "../../platform/host.ts";

/** Longer than any other command takes to write it. */
const PATIENCE = 10_000;

/** What another version or a broken disk left there reads as empty. */
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
          // One that cannot be read is not taken for an empty one: the rest of it would be lost.
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
