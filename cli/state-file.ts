// Metadata of the command line as one JSON file; never a secret.
import { readFileSync } from "node:fs";
import type { StateStore } from "../platform/host.ts";
import { writeWhole } from "../platform/write-file.ts";

/** What another version or a broken disk left there reads as empty. */
export function stateFile(path: string): StateStore {
  const read = (): Record<string, unknown> => {
    try {
      const value: unknown = JSON.parse(readFileSync(path, "utf8"));
      return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
    } catch {
      return {};
    }
  };
  return {
    get: (key) => read()[key],
    set: async (key, value) => void (await writeWhole(path, JSON.stringify({ ...read(), [key]: value }, null, 2))),
  };
}
