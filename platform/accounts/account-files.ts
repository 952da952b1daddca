// The metadata of accounts, one small file for each. Windows that write at the same time cannot undo each other's changes, as they could in
// a shared list. Invariant: the files contain no secret.

import { readFileSync, rmSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../base/is-record.ts";
import { isTooDeepForFile } from "../../base/json-depth.ts";
import type { AuthScope } from "../../protocol/run.ts";
import type { FileAccount } from "../../spec/account-file.ts";
import { PackAuthError } from "../errors.ts";
import { isBusy, OPEN_ELSEWHERE, retryWhileBusy } from "../files/retry-while-busy.ts";
import { writeWhole } from "../files/write-file.ts";
import { CLIENT_METHODS, type ClientMethod } from "../secrets/credential.ts";
import { inSlices, startSlices } from "../slices.ts";
import type { ConfigurationSnapshot } from "./configuration-snapshot.ts";

/**
 * Why a token cannot be renewed: the provider refused it, or its response was lost. A refresh token whose response was lost is not sent
 * again.
 */
export type RefusedRenewal = "refused" | "interrupted";

/** Bytes of the largest file that is read. */
const LARGEST_FILE = 1024 * 1024;

/** The stored metadata of an account. */
export interface Account extends Partial<SignInTerms> {
  readonly id: string;
  /** The packKey of the account's pack. */
  readonly pack: string;
  /** The pack's entry file when the account was created, to find the account after a move. */
  readonly entry: string;
  readonly scope: AuthScope;
  /** The authentication type when the account was created. */
  readonly type: string;
  readonly label: string;
  /** True if the person gave the label, so that no later sign-in replaces it. */
  readonly renamed?: boolean;
  /** True if the label is the default one, because the sign-in found no name. */
  readonly unnamed?: boolean;
  /** The name from getConnectionName at the last sign-in: it identifies the user, whatever the label is. */
  readonly connectionName?: string;
  /** True if the API refused the credential with 401 at its last use, in a sign-in or a run. */
  readonly refused?: boolean;
  /** True if every workspace may use the account, false for {@link Account.workspace} alone. */
  readonly shared: boolean;
  /** The workspace that created the account (PlatformHost.workspace). */
  readonly workspace?: string;
  /** The sandbox's origin, if this is an account of the sandbox. */
  readonly sandboxOrigin?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** True if there is no refresh token, so the account ends with its token; else why the token cannot be renewed. */
  readonly unrenewable?: true | RefusedRenewal;
  readonly createdAt: number;
  /** The configuration when the account was created. */
  readonly configuration: ConfigurationSnapshot;
  /** Present if the account is of an account file, which is read each time. Such an account is never stored. */
  readonly inFile?: FileAccount;
}

/** What a sign-in settled. The account keeps it. */
export interface SignInTerms {
  /** The endpoint from the token response, by endpointKey, or the one that the person chose. */
  readonly endpoint: string;
  readonly scopesRequested: readonly string[];
  readonly scopesGranted: readonly string[];
  readonly clientMethod: ClientMethod;
  readonly server: AccountServer;
  /** True if the sign-in used PKCE although the configuration does not. */
  readonly forcePkce: boolean;
}

/** The provider's own addresses from discovery (RFC 8414). Absent if the configuration has them, or the provider publishes none. */
export interface AccountServer {
  readonly issuer?: string;
  readonly tokenUrl?: string;
  readonly revocationUrl?: string;
  /** The API that the token is for (RFC 8707), if the configuration does not say. */
  readonly resource?: string;
}

interface AccountFiles {
  /** Returns the accounts on disk, the oldest first. Unreadable files are left out, and `onDamaged` receives their paths. */
  list(onDamaged?: (path: string) => void): Promise<readonly Account[]>;
  /** Returns the account, or undefined if it does not exist. Throws storage-failed if its file exists but cannot be read. */
  get(id: string): Promise<Account | undefined>;
  /** Returns the path of the account's file, which also names its lock. */
  path(id: string): string;
  put(account: Account): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Returns the accounts that are stored as `<folder>/<id>.json`. */
export function accountFiles(folder: string): AccountFiles {
  const path = (id: string): string => {
    if (!/^[\w-]{1,64}$/.test(id)) throw new Error(`${id} is not the ID of an account`);
    return join(folder, `${id}.json`);
  };
  return {
    async list(onDamaged = () => {}) {
      // The folder does not exist until the first account is stored.
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json"));
      const accounts = await inSlices(names, (name) => {
        const read = () => readAccount(join(folder, name)) ?? damaged();
        const damaged = (): readonly Account[] => {
          onDamaged(join(folder, name));
          return [];
        };
        // The account was removed in the meantime.
        const onReadError = (error: unknown) => ((error as NodeJS.ErrnoException).code === "ENOENT" ? [] : damaged());
        try {
          return read();
        } catch (error) {
          return isBusy(error) ? retryWhileBusy(read).catch(onReadError) : onReadError(error);
        }
      });
      const whole = await Promise.all(accounts);
      // Sorting ten thousand accounts takes a whole slice.
      await startSlices().next();
      return whole.flat().sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    },
    async get(id) {
      try {
        return await retryWhileBusy(() => readAccount(path(id)));
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw new PackAuthError("storage-failed", `The file ${path(id)} of an account cannot be read.`, {
          hint: isBusy(cause) ? OPEN_ELSEWHERE : "Check the folder's permissions, and try again.",
          cause,
        });
      }
    },
    path,
    put: async (account) => void (await writeWhole(path(account.id), JSON.stringify(account))),
    remove: (id) => retryWhileBusy(() => rmSync(path(id), { force: true })),
  };
}

/** Returns undefined if the file is no account, or was cut short. Throws the error of reading it. */
function readAccount(path: string): Account | undefined {
  const stats = statSync(path);
  return stats.isFile() && stats.size <= LARGEST_FILE ? accountIn(readFileSync(path, "utf8")) : undefined;
}

function accountIn(text: string): Account | undefined {
  if (isTooDeepForFile(text)) return undefined;
  try {
    const account: unknown = JSON.parse(text);
    return isAccount(account) ? account : undefined;
  } catch {
    return undefined;
  }
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const isRecordOf =
  (check: Check): Check =>
  (value) =>
    isRecord(value) && Object.values(value).every(check);
const hasMembers =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && Object.entries(members).every(([name, check]) => check(value[name]));

const SERVER: Readonly<Record<keyof AccountServer, Check>> = {
  issuer: optional(isText),
  tokenUrl: optional(isText),
  revocationUrl: optional(isText),
  resource: optional(isText),
};
/** Members that are not listed here belong to another version of the product. */
const ACCOUNT: Readonly<Record<keyof Account, Check>> = {
  id: isText,
  pack: isText,
  entry: isText,
  scope: (value) => value === "user" || value === "system",
  type: isText,
  label: isText,
  renamed: optional(isFlag),
  unnamed: optional(isFlag),
  connectionName: optional(isText),
  refused: optional(isFlag),
  endpoint: optional(isText),
  shared: isFlag,
  workspace: optional(isText),
  sandboxOrigin: optional(isText),
  scopesRequested: optional(isTexts),
  scopesGranted: optional(isTexts),
  expiresAt: optional(Number.isFinite),
  unrenewable: optional((value) => value === true || value === "refused" || value === "interrupted"),
  createdAt: Number.isFinite,
  configuration: isRecordOf((value) => isText(value) || isTexts(value)),
  clientMethod: optional((value) => CLIENT_METHODS.some((method) => method === value)),
  server: optional(hasMembers(SERVER)),
  forcePkce: optional(isFlag),
  inFile: (value) => value === undefined,
};

const isAccount = (value: unknown): value is Account => hasMembers(ACCOUNT)(value);
