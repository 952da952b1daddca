// Stores secrets in files encrypted with a passphrase, for machines without a keyring and only on request.

import { type ScryptOptions, scrypt } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { promisify } from "node:util";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { PackAuthError } from "../errors.ts";
import type { SecretStore } from "../host.ts";
import { encryptedFiles, KEY_BYTES, SEALED } from "./encrypted-files.ts";
import { folderSalt } from "./folder-salt.ts";
import { assertKey, VERIFIER_NAME, writeVerifier } from "./passphrase-verifier.ts";

const keyFrom = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
/** RFC 7914, with parameters of OWASP's Password Storage Cheat Sheet: each guess takes 32 MB and about a third of a second. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
/** The parameters of earlier versions. Their files can be read; the next write uses the present parameters. */
const FORMER_SCRYPT = { ...SCRYPT, p: 1 };

/**
 * Returns a store in `folder`. Secrets under another passphrase read as absent, and only the first passphrase can store secrets. A function
 * is called when the first secret is read or stored.
 * Throws credentials-missing for an empty passphrase.
 */
export function encryptedFileStore(folder: string, passphrase: string | (() => Promise<string>)): SecretStore {
  if (passphrase === "")
    throw new PackAuthError("credentials-missing", "The encrypted file store has no passphrase.", {
      hint: "Give it one, and keep it outside the folder.",
    });
  const derived = new Map<ScryptOptions, Promise<Buffer>>();
  const derive = async (parameters: ScryptOptions): Promise<Buffer> => {
    const text = typeof passphrase === "string" ? passphrase : await passphrase();
    return keyFrom(text, await folderSalt(folder), KEY_BYTES, parameters);
  };
  const keyUnder = (parameters: ScryptOptions) => (): Promise<Buffer> => getOrInsert(derived, parameters, () => derive(parameters));
  const key = keyUnder(SCRYPT);
  const files = encryptedFiles(folder, key, keyUnder(FORMER_SCRYPT));
  const assertStorable = async (): Promise<void> => assertKey(folder, await key());
  return {
    ...files,
    assertStorable,
    async set(name, value) {
      await writeVerifier(folder, await key());
      await assertStorable();
      await files.set(name, value);
    },
    sealed: async (name) =>
      (await files.isSealed(name))
        ? {
            reason: "the passphrase does not open its credentials",
            nextStep: { do: "setPassphrase" },
          }
        : undefined,
  };
}

/** Returns whether secrets were stored in the folder, so that their passphrase is chosen. */
export const hasPassphrase = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder).some((name) => name === VERIFIER_NAME || name.endsWith(SEALED));
