// Starts the language server and speaks the requests of protocol/editor.ts with it. Nothing waits for its start: what is asked
// before is answered after, and where it does not start, lenses and lists are empty and everything else still works.

import type { ChildProcess } from "node:child_process";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type DidChangeWatchedFilesParams, FileChangeType, LanguageClient, State, type StaticFeature } from "vscode-languageclient/node";
import {
  ANSWER_READS_REQUEST,
  type AnswerReadsParams,
  DECLARE_DOMAIN_REQUEST,
  type DeclareDomainParams,
  type ExperimentalCapabilities,
  FIX_ALL_REQUEST,
  type FixedAll,
  type FoundDifference,
  LOCATE_REQUEST,
  type LocateParams,
  OUTLINE_CHANGED,
  OUTLINE_REQUEST,
  PACKS_REQUEST,
  type PackOutline,
  type PackSummary,
  type Range,
  SCHEMA_DIFFERENCES_REQUEST,
  type SchemaDifferencesParams,
} from "../protocol/editor.ts";
import { EVIDENCE_NOTIFICATION, type EvidenceParams, type Fact } from "../protocol/evidence.ts";
import type { AnswerReads, SourceLocation } from "../protocol/run.ts";
import { PACK_FILES } from "./packs/pack-languages.ts";
import { openRulePage, RULE_PAGES } from "./shown/rule-pages.ts";

export interface LanguageServer {
  outline(uri: string): Promise<PackOutline | undefined>;
  packs(): Promise<readonly PackSummary[]>;
  locate(params: LocateParams): Promise<{ readonly uri: string; readonly range: Range } | undefined>;
  /** What sign-ins and runs showed; a server that starts anew is told again. */
  tellEvidence(facts: readonly Fact[]): void;
  /** These may be others than they were: for what no editor watches. */
  filesChanged(paths: readonly string[]): void;
  /** The edit; undefined where it is declared, or cannot be told where. */
  declareDomain(params: DeclareDomainParams): Promise<vscode.WorkspaceEdit | undefined>;
  /** Undefined where the source does not tell the schema. */
  schemaDifferences(params: SchemaDifferencesParams): Promise<readonly FoundDifference<vscode.WorkspaceEdit>[] | undefined>;
  /** All that can be fixed unasked in the file; undefined where it is no pack's. */
  fixAll(uri: string): Promise<FixedAll<vscode.WorkspaceEdit> | undefined>;
  /** The edit of an LSP CodeAction that came without it; undefined where it has none. */
  editOf(action: unknown): Promise<vscode.WorkspaceEdit | undefined>;
  /** What the pack's source reads of an answer, from the calls that asked for it; undefined where it does not tell. */
  answerReads(calls: readonly SourceLocation[]): Promise<AnswerReads | undefined>;
  readonly onOutlineChanged: vscode.Event<void>;
  /** Starts it anew, or for the first time where it did not start. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** As the server writes it. */
type WrittenEdit = Parameters<LanguageClient["protocol2CodeConverter"]["asWorkspaceEdit"]>[0];

const EXPERIMENTAL: ExperimentalCapabilities = {
  packAuth: { outlineChanged: true, installToolkit: true, changeType: true, rulePages: RULE_PAGES },
};

/** Says to the server what else the client takes. */
const beyondLsp: StaticFeature = {
  fillClientCapabilities(capabilities) {
    capabilities.experimental = { ...capabilities.experimental, ...EXPERIMENTAL };
  },
  initialize() {},
  getState: () => ({ kind: "static" }),
  clear() {},
};

/** `first` was started before; `another` starts one after a crash. `failed` hears why it did not start. */
export function startLanguageServer(first: ChildProcess, another: () => ChildProcess, failed: (error: unknown) => void): LanguageServer {
  let child: ChildProcess | undefined;
  const client = new LanguageClient(
    "packAuth",
    t`Pack Auth Language Server`,
    async () => {
      // One that hangs does not stay beside the next.
      child?.kill();
      child = child === undefined ? first : another();
      return child;
    },
    {
      documentSelector: PACK_FILES,
      // Hovers hold words of the pack: no command link of theirs works, and no tag.
      markdown: { isTrusted: false, supportHtml: false },
      // Placeholders are coloured by syntaxes/: an editor takes the semantic tokens of one server alone, and those are TypeScript's.
      initializationOptions: { semanticTokens: false },
      // A rule's page is shown as the editor shows such pages, and not as text.
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
  // The client keeps one handler for each notification: all listeners stand behind it.
  const outlineChanged = new vscode.EventEmitter<void>();
  const changed = (): void => outlineChanged.fire();
  client.onNotification(OUTLINE_CHANGED, changed);
  let evidence: readonly Fact[] = [];
  const sendEvidence = (): void => {
    const params: EvidenceParams = { facts: evidence };
    if (client.isRunning()) void client.sendNotification(EVIDENCE_NOTIFICATION, params);
  };
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Running && evidence.length > 0) sendEvidence();
  });
  const started = client.start().then(changed, failed);
  const ask = async <T>(method: string, params?: unknown): Promise<T | undefined> => {
    await started;
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
      const found = await ask<readonly FoundDifference<WrittenEdit>[]>(SCHEMA_DIFFERENCES_REQUEST, params);
      const converted = async (edit: WrittenEdit): Promise<vscode.WorkspaceEdit> =>
        (await client.protocol2CodeConverter.asWorkspaceEdit(edit)) ?? new vscode.WorkspaceEdit();
      return found && Promise.all(found.map(async (each) => ({ ...each, edit: await converted(each.edit) })));
    },
    async fixAll(uri) {
      const made = await ask<FixedAll<WrittenEdit>>(FIX_ALL_REQUEST, { uri });
      return made === undefined ? undefined : { ...made, edit: (await client.protocol2CodeConverter.asWorkspaceEdit(made.edit)) ?? null };
    },
    async editOf(action) {
      const resolved = await ask<{ readonly edit?: WrittenEdit }>("codeAction/resolve", action);
      return client.protocol2CodeConverter.asWorkspaceEdit(resolved?.edit);
    },
    answerReads(calls) {
      const params: AnswerReadsParams = {
        calls: calls.map(({ path, ...position }) => ({ uri: vscode.Uri.file(path).toString(), position })),
      };
      return ask(ANSWER_READS_REQUEST, params);
    },
    tellEvidence(facts) {
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
      await started;
      await (client.isRunning() ? client.restart() : client.start());
      changed();
    },
    async stop() {
      await started;
      if (client.needsStop()) await client.stop().finally(() => child?.kill());
    },
  };
}
