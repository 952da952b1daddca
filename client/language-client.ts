// Starts the language server and sends the requests of protocol/editor.ts. Nothing waits for the start: earlier requests are answered
// afterwards. If the server does not start, lenses and lists are empty, and everything else still works.

import type { ChildProcess } from "node:child_process";
import * as vscode from "vscode";
import { type DidChangeWatchedFilesParams, FileChangeType, LanguageClient, State, type StaticFeature } from "vscode-languageclient/node";
import {
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
  PACKS_REQUEST,
  type PackOutline,
  type PackSummary,
  type Range,
  RESPONSE_READS_REQUEST,
  type ResponseReadsParams,
  SCHEMA_DIFFERENCES_REQUEST,
  type SchemaDifferencesParams,
} from "../protocol/editor.ts";
import { EVIDENCE_NOTIFICATION, type EvidenceParams, type Fact } from "../protocol/evidence.ts";
import type { ResponseReads, SourceLocation } from "../protocol/run.ts";
import { PACK_FILES } from "./packs/pack-languages.ts";
import { openRulePage, RULE_PAGES } from "./shown/rule-pages.ts";

export interface LanguageServer {
  outline(uri: string): Promise<PackOutline | undefined>;
  packs(): Promise<readonly PackSummary[]>;
  locate(params: LocateParams): Promise<{ readonly uri: string; readonly range: Range } | undefined>;
  /** Sets the facts that sign-ins and runs showed. They are sent again when the server restarts. */
  setEvidence(facts: readonly Fact[]): void;
  /** Reports files that may have changed and that no editor watches. */
  filesChanged(paths: readonly string[]): void;
  /** Returns the edit; undefined if the domain is already declared or no place for it is found. */
  declareDomain(params: DeclareDomainParams): Promise<vscode.WorkspaceEdit | undefined>;
  /** Returns undefined if the source does not show the schema. */
  schemaDifferences(params: SchemaDifferencesParams): Promise<readonly EditableDifference<vscode.WorkspaceEdit>[] | undefined>;
  /** Returns all safe fixes in the file; undefined if the file belongs to no pack. */
  fixAll(uri: string): Promise<FixedAll<vscode.WorkspaceEdit> | undefined>;
  /** Resolves the edit of an LSP CodeAction; undefined if it has none. */
  editOf(action: unknown): Promise<vscode.WorkspaceEdit | undefined>;
  /**
   * Returns what the pack's source reads of a response, starting at the calls that sent the request; undefined if the source does not show
   * it.
   */
  findResponseReads(calls: readonly SourceLocation[]): Promise<ResponseReads | undefined>;
  readonly onOutlineChanged: vscode.Event<void>;
  /** Restarts the server, or starts it if the first start failed. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

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

/** `first` is already running; `another` starts a new process after a crash. `onFailure` receives the reason if the first start fails. */
export function startLanguageServer(first: ChildProcess, another: () => ChildProcess, onFailure: (error: unknown) => void): LanguageServer {
  let child: ChildProcess | undefined;
  const client = new LanguageClient(
    "packAuth",
    "Pack Auth Language Server",
    async () => {
      // Ends a process that hangs before the next one starts.
      child?.kill();
      child = child === undefined ? first : another();
      return child;
    },
    {
      documentSelector: PACK_FILES,
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
    },
  );
  client.registerFeature(beyondLsp);
  // The client keeps only one handler for each notification, so an emitter serves all listeners.
  const outlineChanged = new vscode.EventEmitter<void>();
  const fireOutlineChange = (): void => outlineChanged.fire();
  client.onNotification(OUTLINE_CHANGED, fireOutlineChange);
  let evidence: readonly Fact[] = [];
  const sendEvidence = (): void => {
    const params: EvidenceParams = { facts: evidence };
    if (client.isRunning()) void client.sendNotification(EVIDENCE_NOTIFICATION, params);
  };
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Running && evidence.length > 0) sendEvidence();
  });
  const startup = client.start().then(fireOutlineChange, onFailure);
  const ask = async <T>(method: string, params?: unknown): Promise<T | undefined> => {
    await startup;
    return client.isRunning() ? ((await client.sendRequest<T | null>(method, params)) ?? undefined) : undefined;
  };
  return {
    outline: (uri) => ask(OUTLINE_REQUEST, { uri }),
    packs: async () => (await ask<readonly PackSummary[]>(PACKS_REQUEST)) ?? [],
    locate: (params) => ask(LOCATE_REQUEST, params),
    async declareDomain(params) {
      return client.protocol2CodeConverter.asWorkspaceEdit(await ask<WrittenEdit>(DECLARE_DOMAIN_REQUEST, params));
    },
    async schemaDifferences(params) {
      const differences = await ask<readonly EditableDifference<WrittenEdit>[]>(SCHEMA_DIFFERENCES_REQUEST, params);
      const converted = async (edit: WrittenEdit): Promise<vscode.WorkspaceEdit> =>
        (await client.protocol2CodeConverter.asWorkspaceEdit(edit)) ?? new vscode.WorkspaceEdit();
      return differences && Promise.all(differences.map(async (each) => ({ ...each, edit: await converted(each.edit) })));
    },
    async fixAll(uri) {
      const fixedAll = await ask<FixedAll<WrittenEdit>>(FIX_ALL_REQUEST, { uri });
      return fixedAll === undefined
        ? undefined
        : { ...fixedAll, edit: (await client.protocol2CodeConverter.asWorkspaceEdit(fixedAll.edit)) ?? null };
    },
    async editOf(action) {
      const resolved = await ask<{ readonly edit?: WrittenEdit }>("codeAction/resolve", action);
      return client.protocol2CodeConverter.asWorkspaceEdit(resolved?.edit);
    },
    findResponseReads(calls) {
      const params: ResponseReadsParams = {
        calls: calls.map(({ path, ...position }) => ({ uri: vscode.Uri.file(path).toString(), position })),
      };
      return ask(RESPONSE_READS_REQUEST, params);
    },
    setEvidence(facts) {
      evidence = facts;
      sendEvidence();
    },
    filesChanged(paths) {
      const params: DidChangeWatchedFilesParams = {
        changes: paths.map((path) => ({ uri: vscode.Uri.file(path).toString(), type: FileChangeType.Changed })),
      };
      if (client.isRunning()) void client.sendNotification("workspace/didChangeWatchedFiles", params);
    },
    onOutlineChanged: outlineChanged.event,
    async restart() {
      await startup;
      await (client.isRunning() ? client.restart() : client.start());
      fireOutlineChange();
    },
    async stop() {
      await startup;
      if (client.needsStop()) await client.stop().finally(() => child?.kill());
    },
  };
}
