// Accounts: the metadata of each in a file, and its credential in one record of the secret store.
// Invariants: the secret is written first and the metadata after it, so that no account is half-saved. A lost secret means "sign in
// again" and is never an exception. A failure never destroys stored data. One change of an account runs at a time, across windows.

import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import type { AccountState } from "../../protocol/account-state.ts";
import { hintIn, type PackAuthError } from "../errors.ts";
import { canonicalPath } from "../files/file-names.ts";
import type { PlatformHost } from "../host.ts";
import type { ClientCredentials, Credential } from "../secrets/credential.ts";
import { inSlices } from "../slices.ts";
import { AccountChanges } from "./account-changes.ts";
import { type Account, accountFiles } from "./account-files.ts";
import { distinctName } from "./account-name.ts";
import { type AccountSurroundings, accountState, CREDENTIALS_LOST } from "./account-state.ts";
import { ClientStore, readSecret } from "./client-store.ts";

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

/** Returns the key of a pack's accounts: a hash of its entry file's canonical path, so that no path is in a secret store's key. */
export const packKey = (entry: string): string => keyOf(canonicalPath(entry));

const keyOf = (path: string): string => createHash("sha256").update(path).digest("hex").slice(0, 16);

export const newAccountId = (): string => randomUUID();

const secretKey = (id: string): string => `packAuth.account.${id}`;

type AccountsHost = Pick<PlatformHost, "words" | "secrets" | "globalState" | "storageFolder" | "workspace" | "now">;

export const openAccounts = (host: AccountsHost): Accounts => new Accounts(host);

export class Accounts extends ClientStore {
  /** The folder whose files change with the accounts. */
  readonly folder: string;
  readonly #host: AccountsHost;
  readonly #files: ReturnType<typeof accountFiles>;
  readonly #changes: AccountChanges;
  #renamed: Promise<void> | undefined;

  constructor(host: AccountsHost) {
    const changes = new AccountChanges();
    super(host, changes);
    this.folder = join(host.storageFolder, "accounts");
    this.#host = host;
    this.#files = accountFiles(this.folder);
    this.#changes = changes;
  }

  /** Returns the accounts that this workspace may use, the oldest first, of one pack or of all. */
  async list(pack?: string): Promise<readonly Account[]> {
    const all = await this.#listAll();
    return all.filter((account) => this.#isHere(account) && (pack === undefined || account.pack === pack));
  }

  /** Returns the accounts of every workspace whose pack was moved, renamed or deleted. */
  async strays(): Promise<readonly Account[]> {
    const all = await this.#listAll();
    const isThere = await inSlices(all, ({ entry }) => existsSync(entry));
    return all.filter((_, index) => !isThere[index]);
  }

  /** Returns the account, or undefined if it does not exist. Throws storage-failed if its file cannot be read. */
  get(id: string): Promise<Account | undefined> {
    return this.#files.get(id);
  }

  /** Returns the secret record, or undefined if the secret store lost it. Throws storage-failed if the store cannot be reached. */
  async secret(id: string): Promise<SecretRecord | undefined> {
    const record = await readSecret(this.#host.secrets, secretKey(id));
    return isSecretRecord(record) ? record : undefined;
  }

  async credential(id: string): Promise<Credential | undefined> {
    return (await this.secret(id))?.credential;
  }

  /** Returns whether the account can be used, and if not, what to do. */
  async stateOf(account: Account, surroundings: AccountSurroundings = {}): Promise<AccountState> {
    const { secrets, words } = this.#host;
    const obstacle = await this.secret(account.id).then(
      async (record) =>
        record === undefined ? ((await secrets.sealed?.(secretKey(account.id)).catch(() => undefined)) ?? CREDENTIALS_LOST) : undefined,
      ({ message, hint, nextStep }: PackAuthError) => ({ reason: message.replace(/^The /, "the ").replace(/\.$/, ""), hint, nextStep }),
    );
    const sealed = obstacle && { reason: obstacle.reason, hint: hintIn(obstacle, words) ?? "Try again." };
    return accountState(account, { ...surroundings, sealed, now: this.#host.now() });
  }

  /**
   * Writes secret and metadata, and returns the account with a label that is unique in its pack. `client` is present if it was registered
   * for this sign-in.
   * Throws storage-failed; the stored data is unchanged then.
   */
  save(account: Account, credential: Credential, client?: ClientCredentials): Promise<Account> {
    return this.#changeNamed(account.id, account.pack, "The account could not be saved.", async () => {
      const distinct = await this.#withDistinctLabel(account);
      const generation = ((await this.secret(account.id))?.generation ?? 0) + 1;
      await this.#write(distinct, { credential, generation, signIn: randomUUID(), ...defined({ client }) });
      return distinct;
    });
  }

  /** Changes the account. A label that another account of the pack has is made unique. */
  async update(id: string, change: AccountChange): Promise<void> {
    const failure = "The account could not be changed.";
    const pack = change.label === undefined ? undefined : (await this.#files.get(id))?.pack;
    if (change.label !== undefined && pack === undefined) return;
    const rewrite = async (): Promise<void> => {
      const account = await this.#files.get(id);
      if (account === undefined) return;
      const changed = withWorkspace({ ...account, ...change }, this.#host.workspace);
      await this.#files.put(pack === undefined ? changed : await this.#withDistinctLabel(changed));
    };
    await (pack === undefined ? this.#changeOne(id, failure, rewrite) : this.#changeNamed(id, pack, failure, rewrite));
  }

  /**
   * Replaces a credential with its renewal. Writes nothing if the account was removed or signed in again in the meantime.
   * Throws storage-failed; the stored data is unchanged then.
   */
  renew(id: string, { credential, generation, rotates, change }: Renewal): Promise<"stored" | "removed" | "superseded"> {
    return this.#changeOne(id, "The renewed token could not be saved.", async () => {
      const account = await this.#files.get(id);
      if (account === undefined) return "removed";
      const now = await this.secret(id);
      if (now !== undefined && now.generation !== generation) return "superseded";
      await this.#write(change(account), {
        credential,
        generation: generation + 1,
        ...defined({ signIn: now?.signIn, client: now?.client, rotates }),
      });
      return "stored";
    });
  }

  /** Moves a stray account and its client credentials to an existing pack. */
  adopt(id: string, entry: string): Promise<void> {
    return this.#move(id, entry, (account) => withWorkspace(account, this.#host.workspace));
  }

  /** Deletes the secret and the metadata. Throws storage-failed; the account still exists then. */
  async remove(id: string): Promise<void> {
    const removed = await this.#files.get(id);
    await this.#changeOne(id, "The account could not be removed.", async () => {
      await this.#host.secrets.delete(secretKey(id));
      await this.#files.remove(id);
    });
    const isOfSame = ({ pack, scope, sandboxOrigin }: Account): boolean =>
      pack === removed?.pack && scope === removed.scope && sandboxOrigin === undefined;
    // No account uses the registration any more. A failure to delete it does no harm.
    if (removed !== undefined && !(await this.#files.list()).some(isOfSame))
      await this.forgetRegistration(removed.pack, removed.scope).catch(() => {});
  }

  onDidChange(listener: () => void): () => void {
    return this.#changes.onDidChange(listener);
  }

  /** Notifies the listeners of a change in another window. */
  changedElsewhere(): void {
    this.#changes.notify();
  }

  #isHere({ shared, workspace }: Account): boolean {
    return shared || workspace === this.#host.workspace;
  }

  /** Runs a change of one account under its lock. */
  async #changeOne<T>(id: string, failure: string, write: () => Promise<T>): Promise<T> {
    return this.#changes.runLocked([this.#files.path(id)], failure, write);
  }

  /** Runs a change of a label, also under the pack's lock. Otherwise two accounts could get the same label at the same time. */
  async #changeNamed<T>(id: string, pack: string, failure: string, write: () => Promise<T>): Promise<T> {
    return this.#changes.runLocked([join(this.folder, `labels-${pack}`), this.#files.path(id)], failure, write);
  }

  async #withDistinctLabel(account: Account): Promise<Account> {
    const otherAccounts = (await this.#files.list()).filter(({ id, pack }) => id !== account.id && pack === account.pack);
    const labels = otherAccounts.filter((other) => this.#isHere(other)).map(({ label }) => label);
    return { ...account, label: distinctName(account.label, account.endpoint, labels) };
  }

  /** Writes secret and metadata; the caller must have the account's lock. */
  async #write(account: Account, record: SecretRecord): Promise<void> {
    const { secrets } = this.#host;
    const key = secretKey(account.id);
    const before = await Promise.all([secrets.get(key), secrets.sealed?.(key)]).then(
      ([text, sealed]) => (sealed === undefined ? { text } : undefined),
      () => undefined,
    );
    const isNew = (await this.#files.get(account.id)) === undefined;
    try {
      await secrets.set(key, JSON.stringify(record));
      await this.#files.put(account);
    } catch (error) {
      // A secret that could not be read cannot be restored; the new secret is then better than none.
      if (before?.text !== undefined) await secrets.set(key, before.text).catch(() => {});
      else if (before !== undefined || isNew) await secrets.delete(key).catch(() => {});
      throw error;
    }
  }

  #move(id: string, entry: string, moved: (account: Account) => Account = (account) => account): Promise<void> {
    const [path, pack] = [canonicalPath(entry), packKey(entry)];
    return this.#changeNamed(id, pack, "The account could not be moved.", async () => {
      const account = await this.#files.get(id);
      if (account === undefined) return;
      await this.copyClient(account.pack, pack, account.scope);
      await this.#files.put(await this.#withDistinctLabel(moved({ ...account, entry: path, pack })));
    });
  }

  /**
   * Lists all accounts. The first call moves accounts under a former key, from another spelling of the entry's path, to the canonical key.
   */
  async #listAll(): Promise<readonly Account[]> {
    this.#renamed ??= this.#files.list().then(async (all) => {
      const former = await inSlices(all, (account) => (isUnderFormerKey(account) ? account : []));
      for (const { id, entry } of former.flat()) await this.#move(id, entry).catch(() => {});
    });
    await this.#renamed;
    return this.#files.list();
  }
}

/** Returns whether the account's key is a hash of its entry as written, and not of the entry's canonical path. */
const isUnderFormerKey = ({ pack, entry }: Account): boolean => pack === keyOf(entry) && packKey(entry) !== pack && existsSync(entry);

/** Assigns an account that is not shared to the workspace that made it so. */
function withWorkspace({ workspace: _former, ...account }: Account, workspace: string | undefined): Account {
  return account.shared || workspace === undefined ? account : { ...account, workspace };
}

const isSecretRecord = (value: unknown): value is SecretRecord =>
  isRecord(value) && isRecord(value.credential) && typeof value.credential.kind === "string";
