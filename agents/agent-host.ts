// What the agents' tools need from the program that offers them: the command line's MCP server, or the editor.
import type { Person } from "../operations/person.ts";
import type { SourceReader } from "../operations/source-reader.ts";
import type { Accounts } from "../platform/accounts/accounts.ts";
import type { ConnectOptions } from "../platform/connect/connect.ts";
import type { PlatformHost } from "../platform/host.ts";
import type { Pack } from "../platform/process/pack.ts";
import type { Sandbox } from "../platform/sandbox/launch.ts";
import type { TeamHost } from "../platform/team/use-team-account.ts";

export interface AgentHost {
  /** The folder that the agent works in, with its links resolved. Every path that an agent names is inside. */
  readonly folder: string;
  /** The folder of evidence and accounts; undefined if the system has no place for it. */
  readonly storageFolder: string | undefined;
  /** The version of the product. */
  readonly version: string;
  /** Returns undefined if the person trusts the folder's code, else how to trust it. */
  howToTrust(): string | undefined;
  readonly sources: SourceReader;
  /** Opens a pack with its current files, confined to {@link folder} (see BundleOptions). The caller disposes it. Throws the errors of openPack. */
  openPack(entry: string): Promise<Pack>;
  /** Starts a sandbox. The caller stops it. Throws sandbox-failed. */
  openSandbox(): Promise<Sandbox>;
  /** Returns the absolute paths of the saved tests among files and folders. Throws PackAuthError if a path cannot be read. */
  findTests(paths: readonly string[]): Promise<readonly string[]>;
  /** Opens the stored accounts. Throws storage-failed. */
  openAccounts(): Promise<AgentAccounts>;
  readonly person: Person;
}

export interface AgentAccounts {
  readonly accounts: Accounts;
  readonly platform: PlatformHost;
  /** Whether a proxy resolves host names; see RunWorld. */
  readonly behindProxy: boolean;
  /** Whether the person allows requests to this machine; see RunWorld. */
  readonly allowLoopback?: boolean;
  /** Accounts of an account file: an agent uses those whose references the person has accepted. */
  readonly team: TeamHost;
  /** Where the person's sign-ins return to. Absent for the default. */
  readonly redirect?: NonNullable<ConnectOptions["redirect"]>;
}
