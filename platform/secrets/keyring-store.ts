// Stores secrets of any length on a machine whose keyring accepts only short ones (the Credential Manager of Windows: 1,280 characters).
// The keyring contains one random key, which encrypts the files of the secrets. A keyring is a SecretStore that throws if it cannot be
// reached.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { PackAuthError } from "../errors.ts";
import { withLock } from "../files/file-lock.ts";
import type { SecretStore } from "../host.ts";
import { encryptedFiles, KEY_BYTES } from "./encrypted-files.ts";
import { folderSalt } from "./folder-salt.ts";

/** Milliseconds, longer than another process needs for one secret, even if the keyring asks a person to unlock it. */
const PATIENCE = 60_000;

/**
 * Returns a store in `folder`. It reads the keyring at once, so that a locked or missing keyring is reported before a person types a
 * secret.
 */
export async function keyringStore(folder: string, keyring: SecretStore): Promise<SecretStore> {
  // Each folder has its own key and lock; a moved folder keeps its key.
  const name = `key.${(await folderSalt(folder)).toString("hex")}`;
  // The lock lets one process at a time create a key; otherwise one of two keys would be lost.
  const key =
    (await readKey(keyring, name)) ??
    (await withLock(join(folder, "store"), async () => (await readKey(keyring, name)) ?? makeKey(keyring, name), {
      patience: PATIENCE,
      busy: (cause) =>
        new PackAuthError("storage-failed", "Another process is still using the secret store.", {
          hint: "Unlock the system's keyring if it asks, and try again.",
          cause,
        }),
    }));
  return encryptedFiles(folder, async () => key);
}

/** Returns undefined if there is no key, or if it is damaged and decrypts nothing. */
async function readKey(keyring: SecretStore, name: string): Promise<Buffer | undefined> {
  const key = Buffer.from((await keyring.get(name)) ?? "", "base64");
  return key.length === KEY_BYTES ? key : undefined;
}

async function makeKey(keyring: SecretStore, name: string): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES);
  await keyring.set(name, key.toString("base64"));
  // A key that the keyring loses would make everything encrypted with it unreadable.
  if (!(await readKey(keyring, name))?.equals(key))
    throw new PackAuthError("storage-failed", "The system's keyring lost what was stored in it.", { nextStep: { do: "storeInFile" } });
  return key;
}
