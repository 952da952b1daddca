// What a run with a real account takes from its host: the network, the account's sources, and the person's yes.
import type { Account } from "../../platform/accounts/account-files.ts";
import type { RunAccount } from "../../platform/accounts/run-account.ts";
import type { PackAuthError } from "../../platform/errors.ts";
import type { Fetch } from "../../platform/host.ts";
import type { LookUp } from "../../platform/network/look-up.ts";
import type { Pack } from "../../platform/process/pack.ts";
import type { Permit } from "../../platform/requests/permit.ts";
import type { TeamAccount } from "../../platform/team/team-account.ts";
import type { PackDefinition } from "../../protocol/definition.ts";

/** How the requests of real runs reach their servers; see RunWorld. */
export interface Network {
  readonly fetch: Fetch;
  readonly lookup: LookUp | undefined;
  readonly behindProxy: boolean;
  readonly allowLoopback: boolean;
}

export interface EnvironmentAccount {
  readonly account?: RunAccount;
  /** The variables that contain the credential. */
  readonly variables: readonly string[];
  /** The variables that a complete account lacks. */
  readonly missingVariables: readonly string[];
}

/** What a choice found in place of an account. */
export interface MissingAccount extends Pick<EnvironmentAccount, "missingVariables"> {
  readonly entry: string;
  /** The label or ID of the account; undefined if none was named. */
  readonly name: string | undefined;
  /** The accounts that could have been named. */
  readonly accounts: readonly Account[];
  /** Why the account file cannot be used. */
  readonly problem: PackAuthError | undefined;
}

/** A run with a real account that an agent started. */
export interface AccountRun {
  readonly pack: Pick<Pack, "entry" | "definition">;
  readonly account: Pick<Account, "id" | "label" | "connectionName" | "sandboxOrigin" | "inFile" | "scope">;
  /** Returns the ID of the sign-in whose credential the run uses now: another person may sign in to the account. */
  signIn(): string;
  /** The formula, table or tool, as the agent named it. */
  readonly target: string;
  /** The names of the account's values that are too short to be masked. */
  readonly unmasked: readonly string[];
}

/** The permissions of one run. */
export interface RunPermissions {
  readonly permit: Permit;
  /** Resolves if the account's token may be refreshed before or during the run. Throws consent-refused. */
  permitRefresh(): Promise<void>;
  /** Returns why a request of the run was not sent, as consent-refused; undefined if the person agreed to all of them. */
  refusal(): PackAuthError | undefined;
}

export interface RunGround {
  /** Asks the person before each use of a real account; undefined where the person starts the runs. */
  readonly guard: ((run: AccountRun, signal: AbortSignal) => RunPermissions) | undefined;
  /** Whether runs in the sandbox use the one that the person started. */
  readonly hasRunningSandbox: boolean;
  /** Needs no account. Throws storage-failed. */
  openNetwork(): Promise<Network>;
  /** Returns the stored accounts of the pack. Reads no secret. Throws storage-failed. */
  storedAccounts(entry: string, onDamaged: (file: string) => void): Promise<readonly Account[]>;
  /** Returns the account of environment variables. Throws account-required, endpoint-invalid, credentials-missing and request-refused. */
  environmentAccount(definition: PackDefinition, name: string | undefined): EnvironmentAccount;
  /** Resolves the references of an account of the account file. Throws reference-unapproved, reference-unresolved and request-refused. */
  useFileAccount(pack: Pack, account: TeamAccount, signal: AbortSignal): Promise<RunAccount>;
  /** Returns the error that says how to get an account here. */
  noAccount(missing: MissingAccount): PackAuthError;
}
