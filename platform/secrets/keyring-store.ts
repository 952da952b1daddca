// Secrets of any length on a machine whose keyring takes short ones only (the Credential Manager of Windows: 1,280 characters). In the
// keyring is one random key; the secrets are files that it encrypts. Earlier versions had the secrets themselves in the keyring: each is
// moved when it is asked for. A keyring is a SecretStore that throws where it cannot be reached.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { t } from "@vscode/l10n";
import { PackAuthError } from "../errors.ts";
import { withLock } from "../files/file-lock.ts";
import type { SecretStore } from "../host.ts";
import { encryptedFiles, KEY_BYTES } from "./encrypted-files.ts";
import { folderSalt } from "./folder-salt.ts";

/** Longer than any other process takes for one secret, also where the keyring asks a person to unlock it. */
const PATIENCE = 60_000;
/** What earlier versions wrote to see whether there is a keyring. */
const FORMER_PROBE = "probe";

/** A store in `folder`. Asks the keyring at once, so that one that is locked or absent is told before anybody has typed a secret. */
export async function keyringStore(folder: string, keyring: SecretStore): Promise<SecretStore> {
  // One change at a time, also in other processes: else one of two keys would be lost, or a secret that is moved undo a newer one.
  const locked = <T>(task: () => Promise<T>): Promise<T> =>
    withLock(join(folder, "store"), task, {
      patience: PATIENCE,
      busy: (cause) =>
        new PackAuthError("storage-failed", t`Another process is still using the secret store.`, {
          hint: t`Unlock the system's keyring if it asks, and try again.`,
          cause,
        }),
    });
  // Another folder has another key, and its own lock; a folder that is moved keeps its.
  const keyName = `key.${(await folderSalt(folder)).toString("hex")}`;
  const key =
    (await readKey(keyring, keyName)) ?? (await locked(async () => (await readKey(keyring, keyName)) ?? makeKey(keyring, keyName)));
  const files = encryptedFiles(folder, async () => key);
  const move = async (name: string, former: string): Promise<void> => {
    await files.set(name, former);
    if ((await files.get(name)) === former) await keyring.delete(name);
  };

  return {
    get: async (name) =>
      (await files.get(name)) ??
      locked(async () => {
        const moved = await files.get(name);
        if (moved !== undefined) return moved;
        const former = await keyring.get(name);
        // Where the disk refuses, it is of use where it is, and is moved another time.
        if (former !== undefined) await move(name, former).catch(() => {});
        return former;
      }),
    set: (name, value) =>
      locked(async () => {
        await files.set(name, value);
        await forget(keyring, name);
      }),
    // The older one first: alone, it would come back.
    delete: (name) =>
      locked(async () => {
        await keyring.delete(name);
        await files.delete(name);
      }),
  };
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
    throw new PackAuthError("storage-failed", t`The system's keyring lost what was stored in it.`, {
      hint: t`Keep secrets in an encrypted file: set PACK_AUTH_SECRET_STORE=file and PACK_AUTH_PASSPHRASE.`,
    });
  await forget(keyring, FORMER_PROBE);
  return key;
}

/** What stays is older than what the files hold, and is not asked for while they hold it. */
const forget = (keyring: SecretStore, name: string): Promise<void> => keyring.delete(name).catch(() => {});
