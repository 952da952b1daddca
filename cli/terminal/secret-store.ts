// Opens the command line's secret store: encrypted files whose key is in the system's keyring. The key comes from a passphrase only if the
// environment requests it. The passphrase comes from the environment or is typed on the terminal, and never from argv.
import { join } from "node:path";
import { getOrInsert } from "../../base/get-or-insert.ts";
import { PackAuthError } from "../../platform/errors.ts";
import type { Prompter, SecretStore } from "../../platform/host.ts";
import { encryptedFileStore, hasPassphrase } from "../../platform/secrets/encrypted-file-store.ts";
import { keyringStore } from "../../platform/secrets/keyring-store.ts";
import { onInterrupt, STOPPED } from "./interrupt.ts";
import { messageOf } from "./next-steps.ts";
import { formatMessage, printable } from "./printable.ts";
import type { Terminal } from "./terminal.ts";

const SERVICE = "pack-auth";
/** Characters. */
const SHORTEST_PASSPHRASE = 12;

/** How often a wrong passphrase may be typed. */
const MOST_ATTEMPTS = 3;

/**
 * `person` asks for the passphrase that the environment lacks. Throws storage-failed if there is no keyring, and invalid-parameter for an
 * unknown kind of store or a missing passphrase.
 */
export async function openSecretStore(folder: string, terminal: Terminal, person?: Prompter): Promise<SecretStore> {
  const { environment: env } = terminal;
  const kind = env.PACK_AUTH_SECRET_STORE ?? "keyring";
  if (kind === "keyring") return keyringStore(join(folder, "keyring-secrets"), await openKeyring());
  if (kind !== "file") throw wrongEnvironment(`PACK_AUTH_SECRET_STORE is ${kind}. It must be keyring or file.`);
  const secrets = join(folder, "secrets");
  if (env.PACK_AUTH_PASSPHRASE) {
    const store = encryptedFileStore(secrets, env.PACK_AUTH_PASSPHRASE);
    return env.PACK_AUTH_PASSPHRASE.length < SHORTEST_PASSPHRASE ? withWarning(store, terminal) : store;
  }
  if (person === undefined) throw wrongEnvironment("The encrypted file needs a passphrase: set PACK_AUTH_PASSPHRASE in the environment.");
  return encryptedFileStore(secrets, () => {
    const asks = { terminal, person };
    return getOrInsert(typed, terminal, () => (hasPassphrase(secrets) ? askPassphrase(secrets, asks) : askNewPassphrase(asks)));
  });
}

const wrongEnvironment = (message: string): PackAuthError => new PackAuthError("invalid-parameter", message);

interface Asks {
  readonly terminal: Terminal;
  readonly person: Prompter;
}

/** The passphrase of each command: it may open several hosts, and asks once. */
const typed = new WeakMap<Terminal, Promise<string>>();

/** Ends the command after the last wrong passphrase: the caller would take an error for a lost secret. */
async function askPassphrase(folder: string, asks: Asks): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const passphrase = await askHidden(asks, "Passphrase of the stored credentials");
    const refusal = await whyRefused(folder, passphrase);
    if (refusal === undefined) return passphrase;
    asks.terminal.errorOutput.write(formatMessage`pack-auth: ${printable(refusal)}\n`);
    if (attempt === MOST_ATTEMPTS) await asks.terminal.exit(1);
  }
}

async function askNewPassphrase(asks: Asks): Promise<string> {
  for (;;) {
    const passphrase = await askHidden(
      asks,
      `New passphrase for the stored credentials, of at least ${SHORTEST_PASSPHRASE} characters. Nothing opens them without it`,
      (text) => (text.length < SHORTEST_PASSPHRASE ? `Use at least ${SHORTEST_PASSPHRASE} characters.` : undefined),
    );
    if ((await askHidden(asks, "The same passphrase again")) === passphrase) return passphrase;
    asks.terminal.errorOutput.write(formatMessage`pack-auth: The two passphrases differ. Type the new one again.\n`);
  }
}

/** Returns why the passphrase does not open the folder; undefined if it does. */
async function whyRefused(folder: string, passphrase: string): Promise<string | undefined> {
  try {
    await encryptedFileStore(folder, passphrase).assertStorable?.();
    return undefined;
  } catch (error) {
    if (error instanceof PackAuthError) return messageOf(error);
    throw error;
  }
}

/** Ends the command if the person cancels: no secret was read or stored before, and an error would count as a lost secret. */
async function askHidden({ terminal, person }: Asks, prompt: string, validate?: (text: string) => string | undefined): Promise<string> {
  const { signal, release } = onInterrupt(terminal);
  const text = await person.input({
    title: "Encrypted file",
    prompt,
    secret: true,
    validate: (text) => (text === "" ? "Enter a passphrase." : validate?.(text)),
    signal,
  });
  release();
  if (text !== undefined) return text;
  terminal.errorOutput.write(formatMessage`Cancelled. No stored credential was read or changed.\n`);
  return await terminal.exit(STOPPED);
}

/** Warns of a short passphrase when the first secret is stored. */
function withWarning(store: SecretStore, { errorOutput }: Terminal): SecretStore {
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
      hint: "Install pack-auth with its optional dependencies (npm install --include=optional), or set PACK_AUTH_SECRET_STORE=file, and without a terminal PACK_AUTH_PASSPHRASE.",
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
        hint: "Unlock it, or keep secrets in an encrypted file: set PACK_AUTH_SECRET_STORE=file, and without a terminal PACK_AUTH_PASSPHRASE.",
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
