// The host of the agents' tools for tests: real packs, sandboxes and sources, stores in memory, and a scripted person.
import { realpathSync } from "node:fs";
import type { AgentHost } from "../../agents/agent-host.ts";
import { AgentSession } from "../../agents/agent-session.ts";
import { callTool, type ToolResult } from "../../agents/call-tool.ts";
import { findFiles } from "../../cli/sources/files.ts";
import type { ConsentQuestion } from "../../operations/consent-question.ts";
import type { Consent, Person } from "../../operations/person.ts";
import type { SourceReader } from "../../operations/source-reader.ts";
import type { Store } from "../../operations/world.ts";
import { type Accounts, openAccounts } from "../../platform/accounts/accounts.ts";
import { openPack } from "../../platform/process/pack.ts";
import { TEST_ENDING } from "../../platform/recordings/saved-test.ts";
import { launchSandbox, runner } from "./open-packs.ts";
import { makeHost, type TestHost, type TestHostOptions } from "./platform-host.ts";

export interface AgentTrial {
  readonly session: AgentSession;
  readonly platform: TestHost;
  readonly accounts: Accounts;
  /** What the person was asked, in order. */
  readonly questions: ConsentQuestion[];
  /** The person's answers to the next questions; the last one repeats. Without one the person agrees. */
  answers: Consent[];
  call(tool: string, input?: unknown, signal?: AbortSignal): Promise<ToolResult>;
}

interface AgentTrialOptions extends TestHostOptions {
  readonly isTrusted?: boolean;
  /** Reads sources for the tools that need it. */
  readonly sources?: Partial<SourceReader>;
  /** Where references of account files are resolved. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly settings?: Partial<Pick<Store, "allowLoopback" | "redirect">>;
}

const NO_SOURCES: SourceReader = {
  check: async () => ({ fileCount: 0, findings: [], safeEdits: [] }),
  outline: async () => undefined,
  declareDomain: async () => [],
  writeSetup: async () => ({ problem: "The source cannot be read." }),
  responseReads: async () => undefined,
  metadataPlaces: async () => [],
  rules: async () => [],
};

/** Returns a session of an agent in the folder. */
export function agentIn(
  folder: string,
  { isTrusted = true, sources, settings, environment, ...options }: AgentTrialOptions = {},
): AgentTrial {
  const platform = makeHost(options);
  const accounts = openAccounts(platform);
  const questions: ConsentQuestion[] = [];
  const person: Person = {
    async ask(question) {
      questions.push(question);
      return (trial.answers.length > 1 ? trial.answers.shift() : trial.answers[0]) ?? "agreed";
    },
    withPrompts: (_notice, work) => work({ prompter: platform.prompter, openBrowser: platform.openBrowser }),
  };
  const howToTrust = (): string | undefined => (isTrusted ? undefined : "Trust the folder.");
  const host: AgentHost = {
    folder: realpathSync(folder),
    storageFolder: platform.storageFolder,
    version: "0.0.0",
    howToTrust,
    sources: { ...NO_SOURCES, ...sources },
    openPack: (entry) => openPack(entry, { process: { runner, node: process.execPath }, boundary: realpathSync(folder) }),
    openSandbox: launchSandbox,
    findTests: async (paths) =>
      findFiles(
        paths,
        folder,
        (name) => name.endsWith(TEST_ENDING),
        () => {},
      ),
    openAccounts: async () => ({
      accounts,
      platform,
      team: {
        state: platform.globalState,
        sources: { environment: environment ?? {}, program: undefined, programSetting: "PACK_AUTH_OP" },
        howToTrust,
        howToAccept: ({ id }) => `Run ${id} and accept.`,
      },
      behindProxy: false,
      allowLoopback: false,
      redirect: undefined,
      uploadsFolder: platform.storageFolder,
      ...settings,
    }),
    person,
    patience: undefined,
  };
  const session = new AgentSession(host);
  const trial: AgentTrial = {
    session,
    platform,
    accounts,
    questions,
    answers: [],
    call: (tool, input, signal = new AbortController().signal) => callTool(tool, input, { session, signal, progress: () => {} }),
  };
  return trial;
}

/** Returns the text of an answer whose parts from outside are marked. They stand between quotation marks, as people see them. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((part) => (typeof part === "string" ? part : `“${textOf(part)}”`)).join("");
  return typeof value === "string" ? value : ((value as { readonly text: string } | undefined)?.text ?? "");
}

/** Returns the texts of an answer that an agent may take for Pack Auth's own words: names of members, and what no mark surrounds. */
export function unmarkedTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || "fromOutside" in value) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...unmarkedTexts(member)]);
}

/** Returns the output of a successful call. Throws the failure's message otherwise. */
export function outputOf(result: ToolResult): Record<string, unknown> {
  if ("failure" in result) throw new Error(`${result.failure.code}: ${textOf(result.failure.message)} ${textOf(result.failure.hint)}`);
  return result.output;
}
