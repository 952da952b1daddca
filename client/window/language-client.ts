// Starts the language server and sends the requests of protocol/editor.ts. Nothing waits for the start: earlier requests are answered
// afterwards. If the server does not start, lenses and lists are empty, and everything else still works.

import type { ChildProcess } from "node:child_process";
import * as vscode from "vscode";
import { type DidChangeWatchedFilesParams, FileChangeType, LanguageClient, State, type StaticFeature } from "vscode-languageclient/node";
import type { CheckedSources, OutlinedPack, RulePage, SourceAnswer } from "../../protocol/agents.ts";
import {
  CHECK_SOURCES_REQUEST,
  type CheckSourcesParams,
  DECLARE_DOMAIN_REQUEST,
  type DeclareDomainParams,
  type EditableDifference,
  type ExperimentalCapabilities,
  FIX_ALL_REQUEST,
  type FixedAll,
  LOCATE_REQUEST,
  type LocateParams,
  OUTLINE_CHANGED,
  OUTLINE_REQUEST,
  OUTLINE_SOURCES_REQUEST,
  type OutlineSourcesParams,
  PACKS_REQUEST,
  type PackOutline,
  type PackSummary,
  type Range,
  RESPONSE_READS_REQUEST,
  type ResponseReadsParams,
  RULE_PAGES_REQUEST,
  SCHEMA_DIFFERENCES_REQUEST,
  type SchemaDifferencesParams,
  WRITE_SETUP_REQUEST,
  type WriteSetupParams,
} from "../../protocol/editor.ts";
import { EVIDENCE_NOTIFICATION, type EvidenceParams, type Fact } from "../../protocol/evidence.ts";
import type { ResponseReads, SourceLocation } from "../../protocol/run.ts";
import { LOCATE_METADATA_REQUEST, type LocateMetadataParams } from "../../protocol/validation.ts";
import type { SetupAnswer } from "../../protocol/written-setup.ts";
import { ACCOUNT_FILE } from "../../spec/account-file.ts";
import { openRulePage, RULE_PAGES } from "../shown/rule-pages.ts";
import { PACK_FILES } from "./pack-languages.ts";

/** The edit in the form that the server sends. */
type WrittenEdit = Parameters<LanguageClient["protocol2CodeConverter"]["asWorkspaceEdit"]>[0];

const EXPERIMENTAL: ExperimentalCapabilities = {
  packAuth: { outlineChanged: true, installToolkit: true, changeType: true, rulePages: RULE_PAGES },
};

/** Reports the client's own capabilities to the server. */
const beyondLsp: StaticFeature = {
  fillClientCapabilities(capabilities) {
    capabilities.experimental = { ...capabilities.experimental, ...EXPERIMENTAL };
  },
  initialize() {},
  getState: () => ({ kind: "static" }),
  clear() {},
};

export class LanguageServer {
  readonly #client: LanguageClient;
  readonly #startup: Promise<void>;
  // The client keeps only one handler for each notification, so an emitter serves all listeners.
  readonly #outlineChanged = new vscode.EventEmitter<void>();
  readonly onOutlineChanged = this.#outlineChanged.event;
  #process: ChildProcess | undefined;
  #evidence: readonly Fact[] = [];

  /** `first` is already running; `another` starts a new process after a crash. `onFailure` receives the reason if the first start fails. */
  constructor(first: ChildProcess, another: () => ChildProcess, onFailure: (error: unknown) => void) {
    const fireOutlineChange = (): void => this.#outlineChanged.fire();
    this.#client = createClient(async () => {
      // Ends a process that hangs before the next one starts.
      this.#process?.kill();
      this.#process = this.#process === undefined ? first : another();
      return this.#process;
    });
    this.#client.onNotification(OUTLINE_CHANGED, fireOutlineChange);
    this.#client.onDidChangeState(({ newState }) => {
      if (newState === State.Running && this.#evidence.length > 0) this.#sendEvidence();
    });
    this.#startup = this.#client.start().then(fireOutlineChange, onFailure);
  }

  outline(uri: string): Promise<PackOutline | undefined> {
    return this.#ask(OUTLINE_REQUEST, { uri });
  }

  async packs(): Promise<readonly PackSummary[]> {
    return (await this.#ask<readonly PackSummary[]>(PACKS_REQUEST)) ?? [];
  }

  locate(params: LocateParams): Promise<{ readonly uri: string; readonly range: Range } | undefined> {
    return this.#ask(LOCATE_REQUEST, params);
  }

  /** Returns, for each path, the place of what it means in the source; undefined if the server is not running. */
  locateMetadata(params: LocateMetadataParams): Promise<readonly ({ readonly uri: string; readonly range: Range } | null)[] | undefined> {
    return this.#ask(LOCATE_METADATA_REQUEST, params);
  }

  /** Returns the edit; undefined if the domain is already declared or no place for it is found. */
  async declareDomain(params: DeclareDomainParams): Promise<vscode.WorkspaceEdit | undefined> {
    return this.#editOf(await this.#ask<WrittenEdit>(DECLARE_DOMAIN_REQUEST, params));
  }

  /** Writes a proposal into a pack's sources, and changes nothing. */
  async writeSetup(params: WriteSetupParams): Promise<SetupAnswer> {
    const problem = "The language server is not running. Reload the window, and set it up again.";
    return (await this.#ask<SetupAnswer>(WRITE_SETUP_REQUEST, params)) ?? { problem };
  }

  /** Returns undefined if the source does not show the schema. */
  async schemaDifferences(params: SchemaDifferencesParams): Promise<readonly EditableDifference<vscode.WorkspaceEdit>[] | undefined> {
    const differences = await this.#ask<readonly EditableDifference<WrittenEdit>[]>(SCHEMA_DIFFERENCES_REQUEST, params);
    const convert = async (each: EditableDifference<WrittenEdit>): Promise<EditableDifference<vscode.WorkspaceEdit>> => ({
      ...each,
      edit: (await this.#editOf(each.edit)) ?? new vscode.WorkspaceEdit(),
    });
    return differences && Promise.all(differences.map(convert));
  }

  /** Returns all safe fixes in the file; undefined if the file belongs to no pack. */
  async fixAll(uri: string): Promise<FixedAll<vscode.WorkspaceEdit> | undefined> {
    const fixedAll = await this.#ask<FixedAll<WrittenEdit>>(FIX_ALL_REQUEST, { uri });
    return fixedAll && { ...fixedAll, edit: (await this.#editOf(fixedAll.edit)) ?? null };
  }

  /** Resolves the edit of an LSP CodeAction; undefined if it has none. */
  async editOf(action: unknown): Promise<vscode.WorkspaceEdit | undefined> {
    return this.#editOf((await this.#ask<{ readonly edit?: WrittenEdit }>("codeAction/resolve", action))?.edit);
  }

  /**
   * Returns what the pack's source reads of a response, starting at the calls that sent the request; undefined if the source does not show
   * it.
   */
  findResponseReads(calls: readonly SourceLocation[]): Promise<ResponseReads | undefined> {
    const params: ResponseReadsParams = {
      calls: calls.map(({ path, ...position }) => ({ uri: vscode.Uri.file(path).toString(), position })),
    };
    return this.#ask(RESPONSE_READS_REQUEST, params);
  }

  /** Checks sources for an agent; undefined if the server is not running. Throws if the signal aborts. */
  checkSources(params: CheckSourcesParams, signal: AbortSignal): Promise<SourceAnswer<CheckedSources> | undefined> {
    return this.#ask(CHECK_SOURCES_REQUEST, params, signal);
  }

  /** As with {@link checkSources}. */
  outlineSources(params: OutlineSourcesParams, signal: AbortSignal): Promise<SourceAnswer<OutlinedPack | null> | undefined> {
    return this.#ask(OUTLINE_SOURCES_REQUEST, params, signal);
  }

  /** Returns the page of every rule; undefined if the server is not running. */
  rulePages(): Promise<readonly RulePage[] | undefined> {
    return this.#ask(RULE_PAGES_REQUEST);
  }

  /** Sets the facts that sign-ins and runs showed. They are sent again when the server restarts. */
  setEvidence(facts: readonly Fact[]): void {
    this.#evidence = facts;
    this.#sendEvidence();
  }

  /** Reports files that may have changed and that no editor watches. */
  filesChanged(paths: readonly string[]): void {
    const params: DidChangeWatchedFilesParams = {
      changes: paths.map((path) => ({ uri: vscode.Uri.file(path).toString(), type: FileChangeType.Changed })),
    };
    this.#notify("workspace/didChangeWatchedFiles", params);
  }

  /** Restarts the server, or starts it if the first start failed. */
  async restart(): Promise<void> {
    await this.#startup;
    await (this.#client.isRunning() ? this.#client.restart() : this.#client.start());
    this.#outlineChanged.fire();
  }

  async stop(): Promise<void> {
    await this.#startup;
    if (this.#client.needsStop()) await this.#client.stop().finally(() => this.#process?.kill());
  }

  async #ask<T>(method: string, params?: unknown, signal?: AbortSignal): Promise<T | undefined> {
    await this.#startup;
    signal?.throwIfAborted();
    if (!this.#client.isRunning()) return undefined;
    const cancellation = new vscode.CancellationTokenSource();
    const cancel = (): void => cancellation.cancel();
    signal?.addEventListener("abort", cancel);
    try {
      return (await this.#client.sendRequest<T | null>(method, params, cancellation.token)) ?? undefined;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", cancel);
      cancellation.dispose();
    }
  }

  #notify(method: string, params: unknown): void {
    if (this.#client.isRunning()) void this.#client.sendNotification(method, params);
  }

  #sendEvidence(): void {
    const params: EvidenceParams = { facts: this.#evidence };
    this.#notify(EVIDENCE_NOTIFICATION, params);
  }

  #editOf(edit: WrittenEdit): Promise<vscode.WorkspaceEdit | undefined> {
    return this.#client.protocol2CodeConverter.asWorkspaceEdit(edit);
  }
}

/** Creates a client that is not started. `serverProcess` is called at each start. */
function createClient(serverProcess: () => Promise<ChildProcess>): LanguageClient {
  const client = new LanguageClient("packAuth", "Pack Auth Language Server", serverProcess, {
    documentSelector: [...PACK_FILES, { scheme: "file", pattern: `**/${ACCOUNT_FILE}` }],
    // Hovers contain text from the pack, so command links and HTML are disabled.
    markdown: { isTrusted: false, supportHtml: false },
    // The grammars in syntaxes/ colour placeholders: an editor uses the semantic tokens of only one server, which is TypeScript's.
    initializationOptions: { semanticTokens: false },
    // Shows the page of a rule as rendered Markdown, and not as text.
    middleware: {
      window: {
        async showDocument(params, token, next) {
          return (await openRulePage(params.uri)) ? { success: true } : next(params, token);
        },
      },
    },
  });
  client.registerFeature(beyondLsp);
  return client;
}
