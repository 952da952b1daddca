// Where the command line keeps secrets: the system's keyring; an encrypted file only where the environment asks for it. Never argv.
import { join } from "node:path";
import { encryptedFileStore } from "../platform/encrypted-file-store.ts";
import { PackAuthError } from "../platform/errors.ts";
import type { SecretStore } from "../platform/host.ts";
import { UsageError } from "./usage-error.ts";

const SERVICE = "pack-auth";

/** Throws storage-failed where there is no keyring, UsageError for an unknown kind of store. */
export async function openSecretStore(folder: string, env: NodeJS.ProcessEnv): Promise<SecretStore> {
  const kind = env.PACK_AUTH_SECRET_STORE ?? "keyring";
  if (kind === "keyring") return openKeyring();
  if (kind !== "file") throw new UsageError(`PACK_AUTH_SECRET_STORE is ${kind}; it may be keyring or file.`);
  if (!env.PACK_AUTH_PASSPHRASE)
    throw new UsageError("The encrypted file needs a passphrase: set PACK_AUTH_PASSPHRASE in the environment.");
  return encryptedFileStore(join(folder, "secrets"), env.PACK_AUTH_PASSPHRASE);
}

async function openKeyring(): Promise<SecretStore> {
  const lost = (cause: unknown): never => {
    throw new PackAuthError("storage-failed", "The system's keyring cannot be reached.", {
      hint: "Unlock it, or keep secrets in an encrypted file: set PACK_AUTH_SECRET_STORE=file and PACK_AUTH_PASSPHRASE.",
      cause,
    });
  };
  const { AsyncEntry } = await import("@napi-rs/keyring").catch(lost);
  // On Linux the Secret Service and nothing else: the kernel's own keys would be gone after the next start of the machine.
  const entry = (key: string) => new AsyncEntry(SERVICE, key, { linux: { store: "secret-service" } });
  // One that is locked or absent says so now, before anybody has typed a secret. Only writing tells for certain.
  if ((await entry("probe").getPassword().catch(lost)) === null) await entry("probe").setPassword("1").catch(lost);
  return {
    get: async (key) => (await entry(key).getPassword().catch(lost)) ?? undefined,
    set: (key, value) => entry(key).setPassword(value).catch(lost),
    delete: async (key) => {
      await entry(key).deletePassword().catch(lost);
    },
  };
}
