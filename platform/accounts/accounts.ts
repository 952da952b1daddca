// Accounts: the metadata of each in a file, and its credential in one record of the secret store.
// Invariants: the secret is written first and the metadata after it, so that no account is half-saved. A lost secret means "sign in
// again" and is never an exception. A failure never destroys stored data. One change of an account runs at a time, across windows.

import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import type { AccountState } from "../../protocol/account-state.ts";
import { PackAuthError } from "../errors.ts";
import { withLock } from "../files/file-lock.ts";
import { canonicalPath } from "../files/file-names.ts";
import { isBusy, OPEN_ELSEWHERE } from "../files/retry-while-busy.ts";
import type { PlatformHost } from "../host.ts";
import type { ClientCredentials, Credential } from "../secrets/credential.ts";
import { inSlices } from "../slices.ts";
import { type Account, accountFiles } from "./account-files.ts";
import { distinctName } from "./account-name.ts";
import { type AccountSurroundings, accountState, CREDENTIALS_LOST } from "./account-state.ts";
import { type ClientStore, openClientStore, readSecret } from "./client-store.ts";

export type { Account } from "./account-files.ts";

/** The record in the secret store. */
export interface SecretRecord {
  readonly credential: Credential;
  /** The number of writes, so that a late renewal does not overwrite a newer sign-in. */
  readonly generation: number;
  /** The ID of the sign-in, which renewals keep and each sign-in replaces. Absent in records of earlier versions. */
  readonly signIn?: string;
  /** The client registration of this sign-in (RFC 7591), because the pack's may have changed. Absent for a client that was typed. */
  readonly client?: ClientCredentials;
  /** True if the provider has replaced a refresh token, so that none may be sent twice. Absent until one was used. */
  readonly rotates?: boolean;
}

type AccountChange = Partial<
  Pick<
    Account,
    | "label"
    | "renamed"
    | "unnamed"
    | "connectionName"
    | "endpoint"
    | "shared"
    | "clientMethod"
    | "scopesGranted"
    | "unrenewable"
    | "refused"
  >
>;

interface Renewal {
  readonly credential: Credential;
  /** The generation of the record that is renewed. */
  readonly generation: number;
  readonly rotates?: boolean;
  readonly change: (account: Account) => Account;
}

export interface Accounts extends ClientStore {
  /** Returns the accounts that this workspace may use, the oldest first, of one pack or of all. */
  list(pack?: string): Promise<readonly Account[]>;
  /** Returns the accounts of every workspace whose pack was moved, renamed or deleted. */
  strays(): Promise<readonly Account[]>;
  /** Returns the account, or undefined if it does not exist. Throws storage-failed if its file cannot be read. */
  get(id: string): Promise<Account | undefined>;
  /** Returns the secret record, or undefined if the secret store lost it. */
  secret(id: string): Promise<SecretRecord | undefined>;
  credential(id: string): Promise<Credential | undefined>;
  /** Returns whether the account can be used, and if not, what to do. */
  stateOf(account: Account, surroundings?: AccountSurroundings): Promise<AccountState>;
  /**
   * Writes secret and metadata, and returns the account with a label that is unique in its pack. `client` is present if it was registered
   * for this sign-in.
   * Throws storage-failed; the stored data is unchanged then.
   */
  save(account: Account, credential: Credential, client?: ClientCredentials): Promise<Account>;
  /** Changes the account. A label that another account of the pack has is made unique. */
  update(id: string, change: AccountChange): Promise<void>;
  /**
   * Replaces a credential with its renewal. Writes nothing if the account was removed or signed in again in the meantime.
   * Throws storage-failed; the stored data is unchanged then.
   */
  renew(id: string, renewal: Renewal): Promise<"stored" | "removed" | "superseded">;
  /** Moves a stray account and its client credentials to an existing pack. */
  adopt(id: string, entry: string): Promise<void>;
  /** Deletes the secret and the metadata. Throws storage-failed; the account still exists then. */
  remove(id: string): Promise<void>;
  onDidChange(listener: () => void): () => void;
  /** Notifies the listeners of a change in another window. */
  changedElsewhere(): void;
  /** The folder whose files change with the accounts. */
  readonly folder: string;
}

/** Returns the key of a pack's accounts: a hash of its entry file's canonical path, so that no path is in a secret store's key. */
export const packKey = (entry: string): string => keyOf(canonicalPath(entry));

const keyOf = (path: string): string => createHash("sha256").update(path).digest("hex").slice(0, 16);

export const newAccountId = (): string => randomUUID();

const secretKey = (id: string): string => `packAuth.account.${id}`;

/** Milliseconds, longer than another window needs to write one account. */
const PATIENCE = 20_000;

type AccountsHost = Pick<PlatformHost, "secrets" | "globalState" | "storageFolder" | "workspace" | "now">;

export function openAccounts(host: AccountsHost): Accounts {
  const folder = join(host.storageFolder, "accounts");
  const files = accountFiles(folder);
  const listeners = new Set<() => void>();
  const notifyListeners = (): void => {
    for (const listener of listeners) listener();
  };
  const isHere = (account: Account): boolean => account.shared || account.workspace === host.workspace;
  const inTurn = queue();
  /** Runs one change at a time and notifies the listeners. Every failure of a store becomes storage-failed. */
  const change = <T>(failure: string, write: () => Promise<T>): Promise<T> =>
    inTurn(async () => {
      const result = await write().catch((cause: unknown) => {
        throw new PackAuthError("storage-failed", failure, { hint: remedyOf(cause), cause });
      });
      notifyListeners();
      return result;
    });
  const locked = <T>(path: string, write: () => Promise<T>): Promise<T> =>
    withLock(path, write, {
      patience: PATIENCE,
      busy: (cause) => new PackAuthError("storage-failed", "Another window is still changing this account.", { hint: "Try again.", cause }),
    });
  /** Runs a change of one account under its lock. */
  const changeOne = <T>(id: string, failure: string, write: () => Promise<T>): Promise<T> =>
    change(failure, () => locked(files.path(id), write));
  /** Runs a change of a label, also under the pack's lock. Otherwise two accounts could get the same label at the same time. */
  const changeNamed = <T>(id: string, pack: string, failure: string, write: () => Promise<T>): Promise<T> =>
    change(failure, () => locked(join(folder, `labels-${pack}`), () => locked(files.path(id), write)));
  const withDistinctLabel = async (account: Account): Promise<Account> => {
    const otherAccounts = (await files.list()).filter(({ id, pack }) => id !== account.id && pack === account.pack).filter(isHere);
    const labels = otherAccounts.map(({ label }) => label);
    return { ...account, label: distinctName(account.label, account.endpoint, labels) };
  };
  const rewrite = (id: string, failure: string, make: (account: Account) => Account): Promise<void> =>
    changeOne(id, failure, async () => {
      const account = await files.get(id);
      if (account !== undefined) await files.put(make(account));
    });
  const secretOf = async (id: string): Promise<SecretRecord | undefined> => {
    const record = await readSecret(host.secrets, secretKey(id));
    return isSecretRecord(record) ? record : undefined;
  };
  /** Writes secret and metadata; the caller must have the account's lock. */
  const write = async (account: Account, record: SecretRecord): Promise<void> => {
    const key = secretKey(account.id);
    const before = await Promise.all([host.secrets.get(key), host.secrets.sealed?.(key)]).then(
      ([text, sealed]) => (sealed === undefined ? { text } : undefined),
      () => undefined,
    );
    const isNew = (await files.get(account.id)) === undefined;
    try {
      await host.secrets.set(key, JSON.stringify(record));
      await files.put(account);
    } catch (error) {
      // A secret that could not be read cannot be restored; the new secret is then better than none.
      if (before?.text !== undefined) await host.secrets.set(key, before.text).catch(() => {});
      else if (before !== undefined || isNew) await host.secrets.delete(key).catch(() => {});
      throw error;
    }
  };
  const clients = openClientStore(host, change);
  const moveTo = (id: string, entry: string, moved: (account: Account) => Account = (account) => account): Promise<void> =>
    changeNamed(id, packKey(entry), "The account could not be moved.", async () => {
      const account = await files.get(id);
      if (account === undefined) return;
      const [path, pack] = [canonicalPath(entry), packKey(entry)];
      await clients.copyClient(account.pack, pack, account.scope);
      await files.put(await withDistinctLabel(moved({ ...account, entry: path, pack })));
    });
  let renamed: Promise<unknown> | undefined;
  /**
   * Lists all accounts. The first call moves accounts under a former key, from another spelling of the entry's path, to the canonical key.
   */
  const listAll = async (): Promise<readonly Account[]> => {
    renamed ??= files.list().then(async (all) => {
      const former = await inSlices(all, (account) => (isUnderFormerKey(account) ? account : []));
      for (const { id, entry } of former.flat()) await moveTo(id, entry).catch(() => {});
    });
    await renamed;
    return files.list();
  };
  return {
    ...clients,
    folder,
    list: async (pack) => (await listAll()).filter((account) => isHere(account) && (pack === undefined || account.pack === pack)),
    async strays() {
      const all = await listAll();
      const isThere = await inSlices(all, ({ entry }) => existsSync(entry));
      return all.filter((_, index) => !isThere[index]);
    },
    get: files.get,
    secret: secretOf,
    credential: async (id) => (await secretOf(id))?.credential,
    async stateOf(account, surroundings = {}) {
      const isLost = (await secretOf(account.id)) === undefined;
      const sealed = isLost ? ((await host.secrets.sealed?.(secretKey(account.id)).catch(() => undefined)) ?? CREDENTIALS_LOST) : undefined;
      return accountState(account, { ...surroundings, sealed, now: host.now() });
    },
    save: (account, credential, client) =>
      changeNamed(account.id, account.pack, "The account could not be saved.", async () => {
        const distinct = await withDistinctLabel(account);
        await write(distinct, {
          credential,
          generation: ((await secretOf(account.id))?.generation ?? 0) + 1,
          signIn: randomUUID(),
          ...defined({ client }),
        });
        return distinct;
      }),
    async update(id, changes) {
      const failure = "The account could not be changed.";
      const applyChanges = (account: Account): Account => withWorkspace({ ...account, ...changes }, host.workspace);
      if (changes.label === undefined) return rewrite(id, failure, applyChanges);
      const pack = (await files.get(id))?.pack;
      if (pack === undefined) return;
      await changeNamed(id, pack, failure, async () => {
        const account = await files.get(id);
        if (account !== undefined) await files.put(await withDistinctLabel(applyChanges(account)));
      });
    },
    renew: (id, { credential, generation, rotates, change: applyChange }) =>
      changeOne(id, "The renewed token could not be saved.", async () => {
        const account = await files.get(id);
        if (account === undefined) return "removed";
        const now = await secretOf(id);
        if (now !== undefined && now.generation !== generation) return "superseded";
        await write(applyChange(account), {
          credential,
          generation: generation + 1,
          ...defined({ signIn: now?.signIn, client: now?.client, rotates }),
        });
        return "stored";
      }),
    adopt: (id, entry) => moveTo(id, entry, (account) => withWorkspace(account, host.workspace)),
    async remove(id) {
      const removed = await files.get(id);
      await changeOne(id, "The account could not be removed.", async () => {
        await host.secrets.delete(secretKey(id));
        await files.remove(id);
      });
      const isOfSame = ({ pack, scope, sandboxOrigin }: Account): boolean =>
        pack === removed?.pack && scope === removed.scope && sandboxOrigin === undefined;
      // No account uses the registration any more. A failure to delete it does no harm.
      if (removed !== undefined && !(await files.list()).some(isOfSame))
        await clients.forgetRegistration(removed.pack, removed.scope).catch(() => {});
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    changedElsewhere: notifyListeners,
  };
}

/** Returns whether the account's key is a hash of its entry as written, and not of the entry's canonical path. */
const isUnderFormerKey = ({ pack, entry }: Account): boolean => pack === keyOf(entry) && packKey(entry) !== pack && existsSync(entry);

/** Assigns an account that is not shared to the workspace that made it so. */
function withWorkspace({ workspace: _former, ...account }: Account, workspace: string | undefined): Account {
  return account.shared || workspace === undefined ? account : { ...account, workspace };
}

/** Returns the cause of a failure, if known, and what to do about it. */
function remedyOf(cause: unknown): string {
  if (cause instanceof PackAuthError) return [cause.message, cause.hint].join(" ").trim();
  if (isBusy(cause)) return OPEN_ELSEWHERE;
  return "Check that the system's keyring is unlocked and the disk has free space, and try again.";
}

function queue(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => {});
    return result;
  };
}

const isSecretRecord = (value: unknown): value is SecretRecord =>
  isRecord(value) && isRecord(value.credential) && typeof value.credential.kind === "string";
