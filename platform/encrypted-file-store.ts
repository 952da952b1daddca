// Secrets in files, for machines without a keyring and only where a person asks for it: AES-256-GCM under a key that scrypt makes of a
// passphrase. One file for each secret, so that processes beside each other never undo one another's.
import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PackAuthError } from "./errors.ts";
import type { SecretStore } from "./host.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";
import { writeWhole } from "./write-file.ts";

/** RFC 7914; 32 MB and about a tenth of a second for each guess. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const ALGORITHM = "aes-256-gcm";

/** A store in `folder`. What another passphrase sealed reads as absent. Throws credentials-missing for an empty passphrase. */
export function encryptedFileStore(folder: string, passphrase: string): SecretStore {
  if (passphrase === "")
    throw new PackAuthError("credentials-missing", "The encrypted file store has no passphrase.", {
      hint: "Give it one, and keep it outside the folder.",
    });
  const key = scryptSync(passphrase, saltOf(folder), 32, SCRYPT);
  const path = (name: string): string => join(folder, `${createHash("sha256").update(name).digest("hex").slice(0, 32)}.sealed`);
  return {
    get: async (name) => {
      const sealed = await retryWhileBusy(() => readFileSync(path(name))).catch((error: NodeJS.ErrnoException) => {
        // A secret that cannot be read now is not one that is gone: whoever took it for that might remove it.
        if (error.code !== "ENOENT") throw error;
      });
      if (sealed === undefined) return undefined;
      try {
        return open(sealed, key, name);
      } catch {
        // Another passphrase, or bytes that somebody changed.
        return undefined;
      }
    },
    set: async (name, value) => void (await writeWhole(path(name), seal(value, key, name))),
    delete: (name) => retryWhileBusy(() => rmSync(path(name), { force: true })),
  };
}

/** Random once for each folder; of two processes that make it at the same moment, the first one's stays. */
function saltOf(folder: string): Buffer {
  const file = join(folder, "salt");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = join(folder, `salt.${randomBytes(6).toString("hex")}`);
  writeFileSync(own, randomBytes(16), { mode: 0o600 });
  try {
    linkSync(own, file);
  } catch {
    // It is there already; or the file system has no links, and the first come is the one that stays.
    if (!existsSync(file)) renameSync(own, file);
  } finally {
    rmSync(own, { force: true });
  }
  return readFileSync(file);
}

/** 12 bytes of nonce, 16 of tag, then the text. The name is sealed in, so that files cannot be swapped. */
function seal(value: string, key: Buffer, name: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(name));
  const body = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function open(sealed: Buffer, key: Buffer, name: string): string {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(name))
    .setAuthTag(sealed.subarray(12, 28));
  return decipher.update(sealed.subarray(28), undefined, "utf8") + decipher.final("utf8");
}
