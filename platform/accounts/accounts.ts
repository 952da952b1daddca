// Accounts: what is known of each (a file, not secret) and its credential (one record of the secret store).
// Invariants: the secret is written first and the rest after it, so that nothing is ever half-saved; a lost secret reads "sign in
// again", never an exception; a failure never destroys what is stored; one change of an account at a time, across windows.

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

/** The secret record. */
export interface SecretRecord {
  readonly credential: Credential;
  /** Counts the writes, so that a renewal that comes late does not undo a newer sign-in. */
  readonly generation: number;
  /** Of the sign-in that it comes from: stays over renewals, and is another one after each sign-in. Absent in records of before. */
  readonly signIn?: string;
  /** The registration that it signed in with (RFC 7591): the pack's may be another one by now. Absent for a client that was typed. */
  readonly client?: ClientCredentials;
  /** Whether the provider replaced a refresh token: then none may ever be sent twice. Absent until one was used. */
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
  /** Of the record that it renews. */
  readonly generation: number;
  readonly rotates?: boolean;
  readonly change: (account: Account) => Account;
}

export interface Accounts extends ClientStore {
  /** Those that may be used in this workspace, the oldest first; of one pack, or of all. */
  list(pack?: string): Promise<readonly Account[]>;
  /** Those whose pack is no longer where it was: moved, renamed or deleted. Of every workspace. */
  strays(): Promise<readonly Account[]>;
  /** Throws storage-failed where it cannot be read. */
  get(id: string): Promise<Account | undefined>;
  /** Undefined where the secret store lost it. */
  secret(id: string): Promise<SecretRecord | undefined>;
  credential(id: string): Promise<Credential | undefined>;
  /** Whether the account can be used, and what to do where it cannot. */
  stateOf(account: Account, surroundings?: AccountSurroundings): Promise<AccountState>;
  /**
   * Writes secret and metadata, and gives what was written: under a label that no other account of the pack has. `client` where it was
   * registered for this sign-in. Throws storage-failed and leaves what was there.
   */
  save(account: Account, credential: Credential, client?: ClientCredentials): Promise<Account>;
  /** A label that another account of the pack has is made distinct. */
  update(id: string, change: AccountChange): Promise<void>;
  /**
   * Puts a renewed credential in place of the one that it renews. Writes nothing where the account was removed meanwhile, or
   * signed in anew. Throws storage-failed and leaves what was there.
   */
  renew(id: string, renewal: Renewal): Promise<"stored" | "removed" | "superseded">;
  /** Gives a stray and the client credentials beside it to a pack that is there. */
  adopt(id: string, entry: string): Promise<void>;
  /** Deletes the secret and the metadata. Throws storage-failed; then the account is still there. */
  remove(id: string): Promise<void>;
  onDidChange(listener: () => void): () => void;
  /** Another window changed something: the listeners are told. */
  changedElsewhere(): void;
  /** The folder whose files change with the accounts. */
  readonly folder: string;
}

/** The key of a pack's accounts: its entry file's canonical path, hashed so that no path stands in a secret store's key. */
export const packKey = (entry: string): string => keyOf(canonicalPath(entry));

const keyOf = (path: string): string => createHash("sha256").update(path).digest("hex").slice(0, 16);

export const newAccountId = (): string => randomUUID();

const secretKey = (id: string): string => `packAuth.account.${id}`;

/** Longer than any other window takes to write one account. */
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
  /** One change at a time, told to the listeners; every failure of a store is storage-failed. */
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
  /** The same of one account, under its lock. */
  const changeOne = <T>(id: string, failure: string, write: () => Promise<T>): Promise<T> =>
    change(failure, () => locked(files.path(id), write));
  /** The same where the account gets a label: under its pack's lock too, or two at one moment would get the same one. */
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
  /** Under the account's lock. */
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
      // A secret that could not be read cannot be put back; then the new one is better than none.
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
  /** Once: accounts of a pack that is where it was, under a key of another name of its file, get the key of its one name. */
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
      // Nobody uses the registration any more; what is left of it does no harm.
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

/** Its key is of its entry as that is written there, which is not the file's one name. */
const isUnderFormerKey = ({ pack, entry }: Account): boolean => pack === keyOf(entry) && packKey(entry) !== pack && existsSync(entry);

/** An account that is not shared belongs to the workspace in which that was said. */
function withWorkspace({ workspace: _former, ...account }: Account, workspace: string | undefined): Account {
  return account.shared || workspace === undefined ? account : { ...account, workspace };
}

/** What stood in the way, where it is known, and what to do about it. */
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
