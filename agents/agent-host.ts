// What the agents' tools need from the program that offers them: the command line's MCP server, or the editor.
import type { Person } from "../operations/person.ts";
import type { SourceReader } from "../operations/source-reader.ts";
import type { Ground, Store } from "../operations/world.ts";
import type { Pack } from "../platform/process/pack.ts";

/** `folder` is the one that the agent works in, with its links resolved. Every path that an agent names is inside. */
export interface AgentHost extends Pick<Ground, "folder" | "storageFolder" | "openSandbox" | "findTests"> {
  /** The version of the product. */
  readonly version: string;
  /** Returns undefined if the person trusts the folder's code, else how to trust it. */
  howToTrust(): string | undefined;
  readonly sources: SourceReader;
  /** Opens a pack with its current files, confined to the folder (see BundleOptions). Throws the errors of openPack. */
  openPack(entry: string): Promise<Pack>;
  /** Opens the stored accounts. Throws storage-failed. */
  openAccounts(): Promise<Store>;
  readonly person: Person;
  /** Milliseconds after which a call answers that it is still under way, because clients give up; undefined if they wait. */
  readonly patience: number | undefined;
}
