// What the agents' tools need from the program that offers them: the command line's MCP server, or the editor.
import type { CheckedSources, OutlinedPack, RulePage } from "../../protocol/agents.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { PlatformHost, Prompter } from "../host.ts";
import type { Pack } from "../process/pack.ts";
import type { Sandbox } from "../sandbox/launch.ts";
import type { ConsentQuestion } from "./consent-question.ts";

export interface AgentHost {
  /** The folder that the agent works in, with its links resolved. Every path that an agent names is inside. */
  readonly folder: string;
  /** The version of the product. */
  readonly version: string;
  /** Returns undefined if the person trusts the folder's code, else how to trust it. */
  howToTrust(): string | undefined;
  readonly sources: SourceReader;
  /** Opens a pack with its current files. The caller disposes it. Throws the errors of openPack. */
  openPack(entry: string): Promise<Pack>;
  /** Starts a sandbox, or uses the running one. `stop` ends only what was started. Throws sandbox-failed. */
  openSandbox(): Promise<Pick<Sandbox, "register" | "stop">>;
  /** Opens the stored accounts. Throws storage-failed. */
  openAccounts(): Promise<AgentAccounts>;
  readonly person: Person;
}

export interface AgentAccounts {
  readonly accounts: Accounts;
  readonly platform: PlatformHost;
  /** Whether a proxy resolves host names; see RunWorld. */
  readonly behindProxy: boolean;
}

/** The person at this machine. Invariant: an agent can neither answer for the person nor read what the person is shown. */
export interface Person {
  /** Returns whether the person agreed. A closed question, a time-out and an abort are refusals. Throws person-unreachable. */
  agrees(question: ConsentQuestion, signal: AbortSignal): Promise<boolean>;
  /**
   * Calls `work` with prompts in front of the person, which show `notice` first and throughout. Throws person-unreachable.
   */
  withPrompts<T>(notice: ConsentQuestion, work: (prompts: Prompts) => Promise<T>): Promise<T>;
}

/** The parts of the platform's host that reach a person. */
export interface Prompts {
  readonly prompter: Prompter;
  openBrowser(url: string): Promise<boolean>;
}

/** Reads the sources in an agent's folder. Paths are absolute. */
export interface SourceReader {
  /** Checks files and folders. Throws PackAuthError if a path cannot be read or a settings file is invalid. */
  check(paths: readonly string[], signal: AbortSignal): Promise<CheckedSources>;
  outline(entry: string, signal: AbortSignal): Promise<OutlinedPack | undefined>;
  rules(): Promise<readonly RulePage[]>;
}
