// Stores each secret in its own file, encrypted with AES-256-GCM. Concurrent processes therefore never overwrite each other's secrets.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { retryWhileBusy } from "../files/retry-while-busy.ts";
import { writeWhole } from "../files/write-file.ts";
import type { SecretStore } from "../host.ts";

const ALGORITHM = "aes-256-gcm";
export const KEY_BYTES = 32;
/** The end of the name of a secret's file. */
export const SEALED = ".sealed";

interface EncryptedFiles extends SecretStore {
  /** Returns whether a file exists under the name that the key does not decrypt. */
  isSealed(name: string): Promise<boolean>;
}

/** Returns a store in `folder`. Secrets under another key read as absent, unless `formerKey` decrypts them. */
export function encryptedFiles(folder: string, key: () => Promise<Buffer>, formerKey?: () => Promise<Buffer>): EncryptedFiles {
  const path = (name: string): string => join(folder, `${createHash("sha256").update(name).digest("hex").slice(0, 32)}${SEALED}`);
  /** Returns undefined if there is no file; its text is undefined if the key does not decrypt it. */
  const read = async (name: string): Promise<{ readonly text: string | undefined } | undefined> => {
    const sealed = await retryWhileBusy(() => readFileSync(path(name))).catch((error: NodeJS.ErrnoException) => {
      // A secret that cannot be read now must not count as absent, because a caller might then remove it.
      if (error.code !== "ENOENT") throw error;
    });
    if (sealed === undefined) return undefined;
    return { text: open(sealed, await key(), name) ?? (formerKey && open(sealed, await formerKey(), name)) };
  };
  return {
    get: async (name) => (await read(name))?.text,
    isSealed: async (name) => {
      const content = await read(name);
      return content !== undefined && content.text === undefined;
    },
    set: async (name, value) => void (await writeWhole(path(name), seal(value, await key(), name))),
    delete: (name) => retryWhileBusy(() => rmSync(path(name), { force: true })),
  };
}

/** Returns 12 bytes of nonce, 16 of tag, then the encrypted text. The name is authenticated too, so that files cannot be swapped. */
function seal(value: string, key: Buffer, name: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(name));
  const body = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Returns undefined for another key, and for changed bytes. */
function open(sealed: Buffer, key: Buffer, name: string): string | undefined {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, 12), { authTagLength: 16 })
      .setAAD(Buffer.from(name))
      .setAuthTag(sealed.subarray(12, 28));
    return decipher.update(sealed.subarray(28), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return undefined;
  }
}
