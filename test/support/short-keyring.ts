// A keyring with the limits of the Windows Credential Manager, in a folder, so that several processes can share it. Delays let other
// processes interfere wherever a real keyring would.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SecretStore } from "../../platform/host.ts";

/** CRED_MAX_CREDENTIAL_BLOB_SIZE is 2,560 bytes, in UTF-16. */
export const MOST_CHARACTERS = 1_280;

export interface ShortKeyring extends SecretStore {
  /** Returns the stored values. */
  values(): readonly string[];
}

export function shortKeyring(folder: string): ShortKeyring {
  mkdirSync(folder, { recursive: true });
  const path = (key: string): string => join(folder, createHash("sha256").update(key).digest("hex"));
  const randomDelay = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
  const read = (file: string): string | undefined => {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return undefined;
    }
  };
  return {
    values: () => readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")),
    async get(key) {
      const value = read(path(key));
      await randomDelay();
      return value;
    },
    async set(key, value) {
      if (value.length > MOST_CHARACTERS) throw new Error("Attribute 'password' is longer than platform limit of 2560 chars");
      await randomDelay();
      writeFileSync(path(key), value);
    },
    async delete(key) {
      await randomDelay();
      rmSync(path(key), { force: true });
    },
  };
}
