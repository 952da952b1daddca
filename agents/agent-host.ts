// What the agents' tools need from the program that offers them: the command line's MCP server, or the editor.
import type { Person } from "../operations/person.ts";
import type { SourceReader } from "../operations/source-reader.ts";
import type { Store } from "../operations/world.ts";
import type { Pack } from "../platform/process/pack.ts";
import type { Sandbox } from "../platform/sandbox/launch.ts";

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
  openAccounts(): Promise<Store>;
  readonly person: Person;
  /** Milliseconds after which a call answers that it is still under way, because clients give up; undefined if they wait. */
  readonly patience: number | undefined;
}
