// Secrets in encrypted files under a passphrase, for machines without a keyring and only where a person asks for it.

import { type ScryptOptions, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { t } from "@vscode/l10n";
import { PackAuthError } from "../errors.ts";
import type { SecretStore } from "../host.ts";
import { encryptedFiles, KEY_BYTES } from "./encrypted-files.ts";
import { folderSalt } from "./folder-salt.ts";

const keyFrom = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
/** RFC 7914; 32 MB and about a tenth of a second for each guess. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/** A store in `folder`. What another passphrase sealed reads as absent. Throws credentials-missing for an empty passphrase. */
export function encryptedFileStore(folder: string, passphrase: string): SecretStore {
  if (passphrase === "")
    throw new PackAuthError("credentials-missing", t`The encrypted file store has no passphrase.`, {
      hint: t`Give it one, and keep it outside the folder.`,
    });
  let key: Promise<Buffer> | undefined;
  const files = encryptedFiles(folder, () => {
    key ??= folderSalt(folder).then((salt) => keyFrom(passphrase, salt, KEY_BYTES, SCRYPT));
    return key;
  });
  return {
    ...files,
    sealed: async (name) =>
      (await files.isSealed(name))
        ? {
            reason: t`the passphrase does not open its credentials`,
            hint: t`Set PACK_AUTH_PASSPHRASE to the passphrase that they were stored with, or sign in again.`,
          }
        : undefined,
  };
}
