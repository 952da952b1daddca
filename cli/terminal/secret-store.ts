// Opens the command line's secret store: encrypted files whose key is in the system's keyring. The key comes from a passphrase only if the
// environment requests it, and never from argv.
import { join } from "node:path";
import { PackAuthError } from "../../platform/errors.ts";
import type { SecretStore } from "../../platform/host.ts";
import { encryptedFileStore } from "../../platform/secrets/encrypted-file-store.ts";
import { keyringStore } from "../../platform/secrets/keyring-store.ts";
import { UsageError } from "../usage-error.ts";
import { errorOutput } from "./output.ts";
import { formatMessage } from "./printable.ts";

const SERVICE = "pack-auth";
/** Characters. */
const SHORTEST_PASSPHRASE = 12;

/** Throws storage-failed if there is no keyring, and UsageError for an unknown kind of store. */
export async function openSecretStore(folder: string, env: NodeJS.ProcessEnv): Promise<SecretStore> {
  const kind = env.PACK_AUTH_SECRET_STORE ?? "keyring";
  if (kind === "keyring") return keyringStore(join(folder, "keyring-secrets"), await openKeyring());
  if (kind !== "file") throw new UsageError(`PACK_AUTH_SECRET_STORE is ${kind}. It must be keyring or file.`);
  if (!env.PACK_AUTH_PASSPHRASE)
    throw new UsageError("The encrypted file needs a passphrase: set PACK_AUTH_PASSPHRASE in the environment.");
  const store = encryptedFileStore(join(folder, "secrets"), env.PACK_AUTH_PASSPHRASE);
  return env.PACK_AUTH_PASSPHRASE.length < SHORTEST_PASSPHRASE ? withWarning(store) : store;
}

/** Warns of a short passphrase when the first secret is stored. */
function withWarning(store: SecretStore): SecretStore {
  let isWarned = false;
  return {
    ...store,
    set(name, value) {
      if (!isWarned)
        errorOutput.write(
          formatMessage`pack-auth: PACK_AUTH_PASSPHRASE has fewer than ${SHORTEST_PASSPHRASE} characters. Whoever copies the encrypted file can guess it. Use a longer one.\n`,
        );
      isWarned = true;
      return store.set(name, value);
    },
  };
}

/** Returns the system's keyring without a layer above it: on Windows a value may have 1,280 characters. */
export async function openKeyring(): Promise<SecretStore> {
  const { AsyncEntry } = await import("@napi-rs/keyring").catch((cause: unknown) => {
    throw new PackAuthError("storage-failed", "The library for the system's keyring is not installed.", {
      hint: "Install pack-auth with its optional dependencies (npm install --include=optional), or set PACK_AUTH_SECRET_STORE=file and PACK_AUTH_PASSPHRASE.",
      cause,
    });
  });
  // On Linux only the Secret Service is used: the kernel's own keys would be lost when the machine restarts. Even the constructor may
  // throw.
  const use = async <T>(key: string, work: (entry: InstanceType<typeof AsyncEntry>) => Promise<T>): Promise<T> => {
    try {
      return await work(new AsyncEntry(SERVICE, key, { linux: { store: "secret-service" } }));
    } catch (cause) {
      throw new PackAuthError("storage-failed", "The system's keyring cannot be reached.", {
        hint: "Unlock it, or keep secrets in an encrypted file: set PACK_AUTH_SECRET_STORE=file and PACK_AUTH_PASSPHRASE.",
        cause,
      });
    }
  };
  return {
    get: async (key) => (await use(key, (entry) => entry.getPassword())) ?? undefined,
    set: (key, value) => use(key, (entry) => entry.setPassword(value)),
    delete: async (key) => {
      await use(key, (entry) => entry.deletePassword());
    },
  };
}
