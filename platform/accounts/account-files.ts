// What is known of each account, one small file for each: windows that write at the same moment cannot undo each other's changes, as
// they would in one shared list. Invariant: no secret in here.

import { readFileSync, rmSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../base/is-record.ts";
import { isTooDeepForFile } from "../../base/json-depth.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import { isBusy, OPEN_ELSEWHERE, retryWhileBusy } from "../files/retry-while-busy.ts";
import { writeWhole } from "../files/write-file.ts";
import { CLIENT_METHODS, type ClientMethod } from "../secrets/credential.ts";
import { inSlices, startSlices } from "../slices.ts";
import type { ConfigurationSnapshot } from "./configuration-snapshot.ts";

/** By the provider, or by us: a refresh token that was sent, and whose answer was lost, is not sent twice. */
export type RefusedRenewal = "refused" | "interrupted";

/** Bytes. */
const LARGEST_FILE = 1024 * 1024;

/** What is remembered of an account. */
export interface Account {
  readonly id: string;
  /** packKey of the pack that it belongs to. */
  readonly pack: string;
  /** The pack's entry file when the account was made, to find it again after a move. */
  readonly entry: string;
  readonly scope: AuthScope;
  /** The authentication type that it was made for. */
  readonly type: string;
  readonly label: string;
  /** True where the person gave the label: then no later sign-in replaces it. */
  readonly renamed?: boolean;
  /** True where nothing named it at the sign-in: the label is the default one. */
  readonly unnamed?: boolean;
  /** What getConnectionName called it at the last sign-in: who it is, whatever the label says. */
  readonly connectionName?: string;
  /** Whether the API answered its credential with 401 at its last use: the sign-in, or a run. */
  readonly refused?: boolean;
  readonly endpoint?: string;
  /** True: for every workspace; false: for {@link Account.workspace} alone. */
  readonly shared: boolean;
  /** The workspace that it was made in (PlatformHost.workspace). */
  readonly workspace?: string;
  /** The sandbox's origin, where the account is the sandbox's. */
  readonly sandboxOrigin?: string;
  readonly scopesRequested?: readonly string[];
  readonly scopesGranted?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** True where it ends with its token, as the provider gave no refresh token; or why its token cannot be renewed. */
  readonly unrenewable?: true | RefusedRenewal;
  readonly createdAt: number;
  /** What it was made for. */
  readonly configuration: ConfigurationSnapshot;
  readonly clientMethod?: ClientMethod;
  /** What the provider told of itself at the sign-in. */
  readonly server?: AccountServer;
  /** PKCE was asked for although the configuration does not use it. */
  readonly forcePkce?: boolean;
}

/** The provider's own addresses, from discovery (RFC 8414): absent where the configuration has them, or the provider tells none. */
export interface AccountServer {
  readonly issuer?: string;
  readonly tokenUrl?: string;
  readonly revocationUrl?: string;
  /** The API that the token is for, where the configuration does not say (RFC 8707). */
  readonly resource?: string;
}

interface AccountFiles {
  /** As they are on disk now, the oldest first; what cannot be read is left out, and `onDamaged` gets its path. */
  list(onDamaged?: (path: string) => void): Promise<readonly Account[]>;
  /** Throws storage-failed where the file is there and cannot be read: it is not gone. */
  get(id: string): Promise<Account | undefined>;
  /** The file that a lock on the account is named after. */
  path(id: string): string;
  put(account: Account): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Accounts as `<folder>/<id>.json`. */
export function accountFiles(folder: string): AccountFiles {
  const path = (id: string): string => {
    if (!/^[\w-]{1,64}$/.test(id)) throw new Error(`${id} is not the ID of an account`);
    return join(folder, `${id}.json`);
  };
  return {
    async list(onDamaged = () => {}) {
      // Where nothing was ever stored there is no folder.
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json"));
      const accounts = await inSlices(names, (name) => {
        const read = () => readAccount(join(folder, name)) ?? damaged();
        const damaged = (): readonly Account[] => {
          onDamaged(join(folder, name));
          return [];
        };
        // One that is gone by now was removed.
        const onReadError = (error: unknown) => ((error as NodeJS.ErrnoException).code === "ENOENT" ? [] : damaged());
        try {
          return read();
        } catch (error) {
          return isBusy(error) ? retryWhileBusy(read).catch(onReadError) : onReadError(error);
        }
      });
      const whole = await Promise.all(accounts);
      // To sort ten thousand takes as long as a slice.
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

/** Undefined where it is none, or one that was cut short. Throws what reading it throws. */
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
/** Members that are not named here belong to another version of the product. */
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
};

const isAccount = (value: unknown): value is Account => hasMembers(ACCOUNT)(value);
