// What the agents' tools need from the program that offers them: the command line's MCP server, or the editor.
import type { CheckedSources, OutlinedPack, ReportedEdit, RulePage } from "../../protocol/agents.ts";
import type { ResponseReads, SourceLocation } from "../../protocol/run.ts";
import type { Proposal } from "../../protocol/setup.ts";
import type { SetupAnswer } from "../../protocol/written-setup.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { ConnectOptions } from "../connect/connect.ts";
import type { PlatformHost, Prompter } from "../host.ts";
import type { Pack } from "../process/pack.ts";
import type { Sandbox } from "../sandbox/launch.ts";
import type { TeamHost } from "../team/use-team-account.ts";
import type { ConsentQuestion } from "./consent-question.ts";

export interface AgentHost {
  /** The folder that the agent works in, with its links resolved. Every path that an agent names is inside. */
  readonly folder: string;
  /** The version of the product. */
  readonly version: string;
  /** Returns undefined if the person trusts the folder's code, else how to trust it. */
  howToTrust(): string | undefined;
  readonly sources: SourceReader;
  /** Opens a pack with its current files, confined to {@link folder} (see BundleOptions). The caller disposes it. Throws the errors of openPack. */
  openPack(entry: string): Promise<Pack>;
  /** Starts a sandbox. The caller stops it. Throws sandbox-failed. */
  openSandbox(): Promise<Pick<Sandbox, "register" | "change" | "stop">>;
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

/** The person at this machine. Invariant: an agent can neither answer for the person nor read what the person is shown. */
export interface Person {
  /** Asks the person. Throws person-unreachable if no question can be shown. */
  ask(question: ConsentQuestion, signal: AbortSignal): Promise<Consent>;
  /**
   * Calls `work` with prompts in front of the person, which show `notice` first and throughout. Throws person-unreachable.
   */
  withPrompts<T>(notice: ConsentQuestion, work: (prompts: Prompts) => Promise<T>): Promise<T>;
}

/** A person's answer. After a time-out, an abort, or if the question was closed, it is unanswered. */
export type Consent = "agreed" | "refused" | "unanswered";

/** The parts of the platform's host that reach a person. */
export interface Prompts {
  readonly prompter: Prompter;
  openBrowser(url: string): Promise<boolean>;
}

/** Reads the sources in an agent's folder. Paths are absolute. */
export interface SourceReader {
  /** Checks files and folders. Throws PackAuthError if a path cannot be read or a settings file is invalid. */
  check(paths: readonly string[], signal: AbortSignal): Promise<CheckedSources>;
  /** Returns the pack that the entry file builds, as its source shows it; undefined if it builds none. */
  outline(entry: string, signal: AbortSignal): Promise<OutlinedPack | undefined>;
  /** Returns the edits that declare a network domain; none if it is declared, or if the source does not show where. */
  declareDomain(entry: string, host: string): Promise<readonly ReportedEdit[]>;
  /**
   * Writes a proposal into the pack that the entry builds, and checks it. `text` replaces the entry's own, for a new pack. Nothing is
   * written to disk.
   */
  writeSetup(entry: string, proposal: Proposal, text?: string): Promise<SetupAnswer>;
  /** Returns what the source reads of a response, starting at the calls that sent the request; undefined if it does not show that. */
  responseReads(calls: readonly SourceLocation[]): Promise<ResponseReads | undefined>;
  rules(): Promise<readonly RulePage[]>;
}
