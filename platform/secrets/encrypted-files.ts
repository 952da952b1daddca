// Secrets in files, each under AES-256-GCM. One file for each secret, so that processes beside each other never undo one another's.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { retryWhileBusy } from "../files/retry-while-busy.ts";
import { writeWhole } from "../files/write-file.ts";
import type { SecretStore } from "../host.ts";

const ALGORITHM = "aes-256-gcm";
export const KEY_BYTES = 32;

interface EncryptedFiles extends SecretStore {
  /** Whether there is something under the name that the key does not open. */
  isSealed(name: string): Promise<boolean>;
}

/** A store in `folder`. What another key sealed reads as absent, unless that was the former key of the store. */
export function encryptedFiles(folder: string, key: () => Promise<Buffer>, formerKey?: () => Promise<Buffer>): EncryptedFiles {
  const path = (name: string): string => join(folder, `${createHash("sha256").update(name).digest("hex").slice(0, 32)}.sealed`);
  /** Undefined where there is none; its text is undefined where the key does not open it. */
  const read = async (name: string): Promise<{ readonly text: string | undefined } | undefined> => {
    const sealed = await retryWhileBusy(() => readFileSync(path(name))).catch((error: NodeJS.ErrnoException) => {
      // A secret that cannot be read now is not one that is gone: whoever took it for that might remove it.
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

/** 12 bytes of nonce, 16 of tag, then the text. The name is sealed in, so that files cannot be swapped. */
function seal(value: string, key: Buffer, name: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(name));
  const body = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Undefined under another key, and for bytes that somebody changed. */
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
