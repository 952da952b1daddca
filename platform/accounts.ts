// Accounts: what is known of each (label, type, endpoint, scopes; not secret) and its credential (one record of the secret store).
// Invariants: the secret is written first and the metadata after it, so that nothing is ever half-saved; a lost secret reads
// "sign in again", never an exception; a failure never destroys what is stored.
import { createHash, randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import type { AuthenticationDefinition } from "../protocol/definition.ts";
import type { AuthScope } from "../protocol/run.ts";
import type { ClientCredentials, Credential } from "./credential.ts";
import { PackAuthError } from "./errors.ts";
import type { PlatformHost, StateStore } from "./host.ts";
import type { ClientMethod } from "./oauth/token-request.ts";

/** What is remembered of an account. Invariant: no secret in here. */
export interface Account {
  readonly id: string;
  /** {@link packKey} of the pack that it belongs to. */
  readonly pack: string;
  readonly scope: AuthScope;
  /** The authentication type that it was made for. */
  readonly type: string;
  readonly label: string;
  readonly endpoint?: string;
  /** True: for every workspace; false: for this one. */
  readonly shared: boolean;
  /** The sandbox's origin, where the account is the sandbox's. */
  readonly sandboxOrigin?: string;
  readonly scopesRequested?: readonly string[];
  readonly scopesGranted?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  readonly createdAt: number;
  /** {@link fingerprint} of the configuration that it was made for. */
  readonly configuration: string;
  readonly clientMethod?: ClientMethod;
}

/** The secret record. */
interface SecretRecord {
  readonly credential: Credential;
  /** Counts the writes, so that two windows notice each other's. */
  readonly generation: number;
}

export type AccountState = { readonly state: "ready" } | { readonly state: "signInAgain"; readonly reason: string };

export interface Accounts {
  list(pack?: string): readonly Account[];
  get(id: string): Account | undefined;
  /** Undefined where the secret store lost it. */
  credential(id: string): Promise<Credential | undefined>;
  /** Whether the account can be used with the configuration as it is now. */
  stateOf(account: Account, definition?: AuthenticationDefinition): Promise<AccountState>;
  /** Writes secret and metadata. Throws storage-failed and leaves what was there. */
  save(account: Account, credential: Credential): Promise<void>;
  update(
    id: string,
    change: Partial<Pick<Account, "label" | "endpoint" | "shared" | "expiresAt" | "clientMethod" | "scopesGranted">>,
  ): Promise<void>;
  remove(id: string): Promise<void>;
  clientCredentials(pack: string, scope: AuthScope): Promise<ClientCredentials | undefined>;
  saveClientCredentials(pack: string, scope: AuthScope, credentials: ClientCredentials): Promise<void>;
  onDidChange(listener: () => void): () => void;
}

/** The key of a pack's accounts: its entry file's real path, hashed so that no path stands in a secret store's key. */
export function packKey(entry: string): string {
  let path = entry;
  try {
    path = realpathSync(entry);
  } catch {
    // A pack that is gone keeps the key of the path it had.
  }
  return createHash("sha256").update(path).digest("hex").slice(0, 16);
}

export const newAccountId = (): string => randomUUID();

/** What of a configuration makes an existing sign-in worthless when it changes. */
export function fingerprint(auth: AuthenticationDefinition): string {
  const { type, authorizationUrl, tokenUrl, scopes, headerName, paramName, headers, params, service } = auth;
  const names = [...(headers ?? []), ...(params ?? [])].map((item) => item.name);
  return createHash("sha256")
    .update(JSON.stringify([type, authorizationUrl, tokenUrl, scopes ?? [], headerName, paramName, names, service]))
    .digest("hex")
    .slice(0, 16);
}

const LIST = "packAuth.accounts";
const secretKey = (id: string): string => `packAuth.account.${id}`;
const clientKey = (pack: string, scope: AuthScope): string => `packAuth.client.${pack}.${scope}`;

export function openAccounts(host: Pick<PlatformHost, "secrets" | "globalState" | "workspaceState">): Accounts {
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const read = (store: StateStore): Account[] => {
    const stored = store.get(LIST);
    return Array.isArray(stored) ? stored.filter(isAccount) : [];
  };
  const all = (): Account[] => [...read(host.globalState), ...read(host.workspaceState)];
  const write = async (account: Account): Promise<void> => {
    const [into, from] = account.shared ? [host.globalState, host.workspaceState] : [host.workspaceState, host.globalState];
    await into.set(LIST, [...read(into).filter((other) => other.id !== account.id), account]);
    const rest = read(from);
    if (rest.some((other) => other.id === account.id))
      await from.set(
        LIST,
        rest.filter((other) => other.id !== account.id),
      );
  };
  const readSecret = async (key: string): Promise<unknown> => {
    try {
      const text = await host.secrets.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    } catch {
      // A keyring that cannot decrypt, or a record cut short: both mean that the secret is gone.
      return undefined;
    }
  };
  const credential = async (id: string): Promise<SecretRecord | undefined> => {
    const record = (await readSecret(secretKey(id))) as SecretRecord | undefined;
    return record !== undefined && record !== null && typeof record === "object" && "credential" in record ? record : undefined;
  };

  const accounts: Accounts = {
    list: (pack) => all().filter((account) => pack === undefined || account.pack === pack),
    get: (id) => all().find((account) => account.id === id),
    credential: async (id) => (await credential(id))?.credential,
    async stateOf(account, definition) {
      if (definition !== undefined && definition.type !== account.type)
        return { state: "signInAgain", reason: `the pack's authentication is now ${definition.type}` };
      if (definition !== undefined && fingerprint(definition) !== account.configuration)
        return { state: "signInAgain", reason: "the authentication's configuration changed since the last sign-in" };
      if ((await credential(account.id)) === undefined)
        return { state: "signInAgain", reason: "the editor's secret store no longer has its credentials" };
      return { state: "ready" };
    },
    async save(account, secret) {
      const before = await host.secrets.get(secretKey(account.id)).catch(() => undefined);
      const generation = ((await credential(account.id))?.generation ?? 0) + 1;
      try {
        await host.secrets.set(secretKey(account.id), JSON.stringify({ credential: secret, generation } satisfies SecretRecord));
        await write(account);
      } catch (cause) {
        if (before === undefined) await host.secrets.delete(secretKey(account.id)).catch(() => {});
        else await host.secrets.set(secretKey(account.id), before).catch(() => {});
        throw new PackAuthError("storage-failed", "The account could not be saved.", {
          hint: "Check that the system's keyring is unlocked, and connect again.",
          cause,
        });
      }
      changed();
    },
    async update(id, change) {
      const account = accounts.get(id);
      if (account === undefined) return;
      await write({ ...account, ...change });
      changed();
    },
    async remove(id) {
      const account = accounts.get(id);
      await host.secrets.delete(secretKey(id));
      for (const store of [host.globalState, host.workspaceState]) {
        const rest = read(store).filter((other) => other.id !== id);
        if (account !== undefined) await store.set(LIST, rest);
      }
      changed();
    },
    async clientCredentials(pack, scope) {
      const record = (await readSecret(clientKey(pack, scope))) as ClientCredentials | undefined;
      return record !== undefined && record !== null && typeof record.clientId === "string" ? record : undefined;
    },
    async saveClientCredentials(pack, scope, credentials) {
      try {
        await host.secrets.set(clientKey(pack, scope), JSON.stringify(credentials));
      } catch (cause) {
        throw new PackAuthError("storage-failed", "The client ID and secret could not be saved.", {
          hint: "Check that the system's keyring is unlocked.",
          cause,
        });
      }
      changed();
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return accounts;
}

function isAccount(value: unknown): value is Account {
  return (
    value !== null && typeof value === "object" && typeof (value as Account).id === "string" && typeof (value as Account).pack === "string"
  );
}
