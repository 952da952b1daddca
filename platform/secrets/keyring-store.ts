// Secrets of any length on a machine whose keyring takes short ones only (the Credential Manager of Windows: 1,280 characters). In the
// keyring is one random key; the secrets are files that it encrypts. A keyring is a SecretStore that throws where it cannot be reached.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { PackAuthError } from "../errors.ts";
import { withLock } from "../files/file-lock.ts";
import type { SecretStore } from "../host.ts";
import { encryptedFiles, KEY_BYTES } from "./encrypted-files.ts";
import { folderSalt } from "./folder-salt.ts";

/** Longer than any other process takes for one secret, also where the keyring asks a person to unlock it. */
const PATIENCE = 60_000;

/** A store in `folder`. Asks the keyring at once, so that one that is locked or absent is told before anybody has typed a secret. */
export async function keyringStore(folder: string, keyring: SecretStore): Promise<SecretStore> {
  // Another folder has another key, and its own lock; a folder that is moved keeps its.
  const name = `key.${(await folderSalt(folder)).toString("hex")}`;
  // One process at a time: else one of two keys would be lost.
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

/** Undefined where there is none; one that is damaged opens nothing, and is none. */
async function readKey(keyring: SecretStore, name: string): Promise<Buffer | undefined> {
  const key = Buffer.from((await keyring.get(name)) ?? "", "base64");
  return key.length === KEY_BYTES ? key : undefined;
}

async function makeKey(keyring: SecretStore, name: string): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES);
  await keyring.set(name, key.toString("base64"));
  // What it does not keep would be lost with everything that was encrypted.
  if (!(await readKey(keyring, name))?.equals(key))
    throw new PackAuthError("storage-failed", "The system's keyring lost what was stored in it.", {
      hint: "Keep secrets in an encrypted file: set PACK_AUTH_SECRET_STORE=file and PACK_AUTH_PASSPHRASE.",
    });
  return key;
}
