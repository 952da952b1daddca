// Accounts: what is known of each (label, type, endpoint, scopes; not secret) and its credential (one record of the secret store).
// Invariants: the secret is written first and the metadata after it, so that nothing is ever half-saved; a lost secret reads
// "sign in again", never an exception; a failure never destroys what is stored; writes of one window happen one after the other.
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
  /** True once the provider replaced a refresh token: then none may ever be sent twice. */
  readonly rotates?: boolean;
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
  /**
   * Puts a renewed credential in place of the stored one, with what is known of the account now. False where the account was
   * removed meanwhile: then nothing is written. Throws storage-failed and leaves what was there.
   */
  replaceCredential(id: string, credential: Credential, change: (account: Account) => Account): Promise<boolean>;
  /** Deletes the secret and the metadata. Throws storage-failed; then the account is still there. */
  remove(id: string): Promise<void>;
  clientCredentials(pack: string, scope: AuthScope): Promise<ClientCredentials | undefined>;
  saveClientCredentials(pack: string, scope: AuthScope, credentials: ClientCredentials): Promise<void>;
  removeClientCredentials(pack: string, scope: AuthScope): Promise<void>;
  /** The client authentication method that the pack's next sign-in begins with. */
  clientMethod(pack: string, scope: AuthScope): ClientMethod | undefined;
  rememberClientMethod(pack: string, scope: AuthScope, method: ClientMethod): Promise<void>;
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
const METHODS = "packAuth.clientMethods";
const secretKey = (id: string): string => `packAuth.account.${id}`;
const clientKey = (pack: string, scope: AuthScope): string => `packAuth.client.${pack}.${scope}`;

export function openAccounts(host: Pick<PlatformHost, "secrets" | "globalState" | "workspaceState">): Accounts {
  const stores = [host.globalState, host.workspaceState] as const;
  const listeners = new Set<() => void>();
  const inTurn = queue();
  /** One change at a time, told to the listeners; every failure of a store is storage-failed. */
  const change = <T>(failure: string, write: () => Promise<T>): Promise<T> =>
    inTurn(async () => {
      let result: T;
      try {
        result = await write();
      } catch (cause) {
        throw new PackAuthError("storage-failed", failure, { hint: "Check that the system's keyring is unlocked, and try again.", cause });
      }
      for (const listener of listeners) listener();
      return result;
    });
  // An account whose move from one store to the other was cut short stands in both; the first is as good.
  const all = (): Account[] => [...new Map(stores.flatMap(read).map((account) => [account.id, account])).values()];
  const readSecret = async (key: string): Promise<unknown> => {
    try {
      const text = await host.secrets.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    } catch {
      // A keyring that cannot decrypt, or a record cut short: both mean that the secret is gone.
      return undefined;
    }
  };
  const secretOf = async (id: string): Promise<SecretRecord | undefined> => {
    const record = await readSecret(secretKey(id));
    return isSecretRecord(record) ? record : undefined;
  };
  const write = (account: Account): Promise<void> => {
    const others = (store: StateStore): Account[] => read(store).filter((other) => other.id !== account.id);
    const home = account.shared ? host.globalState : host.workspaceState;
    return setLists(stores, (store) => (store === home ? [...others(store), account] : others(store)));
  };
  const writeBoth = async (account: Account, credential: Credential): Promise<void> => {
    const key = secretKey(account.id);
    const before = await host.secrets.get(key).then(
      (text) => ({ text }),
      () => undefined,
    );
    const isNew = accounts.get(account.id) === undefined;
    const record: SecretRecord = { credential, generation: ((await secretOf(account.id))?.generation ?? 0) + 1 };
    try {
      await host.secrets.set(key, JSON.stringify(record));
      await write(account);
    } catch (error) {
      // A secret that could not be read cannot be put back; then the new one is better than none.
      if (before?.text !== undefined) await host.secrets.set(key, before.text).catch(() => {});
      else if (before !== undefined || isNew) await host.secrets.delete(key).catch(() => {});
      throw error;
    }
  };

  const accounts: Accounts = {
    list: (pack) => all().filter((account) => pack === undefined || account.pack === pack),
    get: (id) => all().find((account) => account.id === id),
    credential: async (id) => (await secretOf(id))?.credential,
    async stateOf(account, definition) {
      if (definition !== undefined && definition.type !== account.type)
        return { state: "signInAgain", reason: `the pack's authentication is now ${definition.type}` };
      if (definition !== undefined && fingerprint(definition) !== account.configuration)
        return { state: "signInAgain", reason: "the authentication's configuration changed since the last sign-in" };
      if ((await secretOf(account.id)) === undefined)
        return { state: "signInAgain", reason: "the editor's secret store no longer has its credentials" };
      return { state: "ready" };
    },
    save: (account, credential) => change("The account could not be saved.", () => writeBoth(account, credential)),
    update: (id, changes) =>
      change("The account could not be changed.", async () => {
        const account = accounts.get(id);
        if (account !== undefined) await write({ ...account, ...changes });
      }),
    replaceCredential: (id, credential, changed) =>
      change("The renewed token could not be saved.", async () => {
        const account = accounts.get(id);
        if (account !== undefined) await writeBoth(changed(account), credential);
        return account !== undefined;
      }),
    remove: (id) =>
      change("The account could not be removed.", async () => {
        await host.secrets.delete(secretKey(id));
        await setLists(stores, (store) => read(store).filter((other) => other.id !== id));
      }),
    async clientCredentials(pack, scope) {
      const record = (await readSecret(clientKey(pack, scope))) as ClientCredentials | undefined;
      return record !== undefined && record !== null && typeof record.clientId === "string" ? record : undefined;
    },
    saveClientCredentials: (pack, scope, credentials) =>
      change("The client ID and secret could not be saved.", () => host.secrets.set(clientKey(pack, scope), JSON.stringify(credentials))),
    removeClientCredentials: (pack, scope) =>
      change("The client ID and secret could not be removed.", () => host.secrets.delete(clientKey(pack, scope))),
    clientMethod(pack, scope) {
      const method = methodsIn(host.globalState)[`${pack}.${scope}`];
      return CLIENT_METHODS.find((known) => known === method);
    },
    rememberClientMethod: (pack, scope, method) =>
      change("The client authentication method could not be kept.", () =>
        host.globalState.set(METHODS, { ...methodsIn(host.globalState), [`${pack}.${scope}`]: method }),
      ),
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return accounts;
}

const CLIENT_METHODS: readonly ClientMethod[] = ["form", "basic", "json", "none"];

function methodsIn(store: StateStore): Readonly<Record<string, unknown>> {
  const stored = store.get(METHODS);
  return stored !== null && typeof stored === "object" ? (stored as Record<string, unknown>) : {};
}

function read(store: StateStore): Account[] {
  const stored = store.get(LIST);
  return Array.isArray(stored) ? stored.filter(isAccount) : [];
}

/** Sets the lists that differ; where the second fails, the first is as it was. */
async function setLists(stores: readonly StateStore[], wanted: (store: StateStore) => readonly Account[]): Promise<void> {
  const changes = stores
    .map((store) => ({ store, before: store.get(LIST), after: wanted(store) }))
    .filter(({ store, after }) => JSON.stringify(after) !== JSON.stringify(read(store)));
  const done: typeof changes = [];
  try {
    for (const each of changes) {
      done.push(each);
      await each.store.set(LIST, each.after);
    }
  } catch (error) {
    for (const { store, before } of done) await store.set(LIST, before).catch(() => {});
    throw error;
  }
}

function queue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => {});
    return result;
  };
}

function isSecretRecord(value: unknown): value is SecretRecord {
  const credential = (value as { credential?: unknown } | null | undefined)?.credential;
  return credential !== null && typeof credential === "object" && typeof (credential as { kind?: unknown }).kind === "string";
}

function isAccount(value: unknown): value is Account {
  if (value === null || typeof value !== "object") return false;
  const { id, pack, scope, type, label } = value as Readonly<Record<string, unknown>>;
  return [id, pack, type, label].every((text) => typeof text === "string") && (scope === "user" || scope === "system");
}
