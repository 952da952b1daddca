// Detects a mistyped passphrase before anything is stored under it. Invariant: the file reveals only whether a passphrase or key is the
// folder's own, which each of the folder's secrets reveals as well.
import { createHmac, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PackAuthError } from "../errors.ts";
import { retryWhileBusy } from "../files/retry-while-busy.ts";
import { writeWhole } from "../files/write-file.ts";
import { unusableFolder } from "./folder-salt.ts";

export const VERIFIER_NAME = "verifier";
const verifierFile = (folder: string): string => join(folder, VERIFIER_NAME);
const verifierOf = (key: Buffer): Buffer => createHmac("sha256", key).update("pack-auth passphrase").digest();

/** Stores the verifier of the key if the folder has none yet. Throws storage-failed if the folder cannot be used. */
export async function writeVerifier(folder: string, key: Buffer): Promise<void> {
  const file = verifierFile(folder);
  try {
    if (!existsSync(file)) await writeWhole(file, verifierOf(key), { onlyIf: () => !existsSync(file) });
  } catch (cause) {
    throw unusableFolder(folder, cause);
  }
}

/** Throws storage-failed if the folder's verifier is that of another key, or the folder cannot be used. */
export async function assertKey(folder: string, key: Buffer): Promise<void> {
  const stored = await retryWhileBusy(() => readFileSync(verifierFile(folder))).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "ENOENT") throw unusableFolder(folder, cause);
  });
  const verifier = verifierOf(key);
  if (stored === undefined || (stored.length === verifier.length && timingSafeEqual(stored, verifier))) return;
  throw new PackAuthError("storage-failed", "The passphrase is not that of the stored credentials, so nothing was stored.", {
    hint: `Use the one that was used first. If that is lost, delete the folder ${folder}: nothing else opens what is in it.`,
  });
}
