// The language server: its capabilities, its start, and the registration of all handlers.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  WatchKind,
} from "vscode-languageserver/node";
import { defined } from "../base/defined.ts";
import { PRODUCT_VERSION } from "../base/product-version.ts";
import { readAbilities } from "./client-abilities.ts";
import { connect } from "./connection.ts";
import { handleAgentRequests } from "./handlers/agent-requests.ts";
import { codeActionOptions, handleCodeActions } from "./handlers/code-actions.ts";
import { commandOptions, handleCommands } from "./handlers/commands.ts";
import { completionOptions, handleCompletion } from "./handlers/completion.ts";
import { diagnosticsChanged, handleDiagnostics } from "./handlers/diagnostics.ts";
import { documentSync, handleDocuments } from "./handlers/documents.ts";
import { handleEvidence } from "./handlers/evidence.ts";
import { handleHover } from "./handlers/hover.ts";
import { handleInlineCompletion } from "./handlers/inline-completion.ts";
import { handleOutline, semanticTokensOptions } from "./handlers/outline.ts";
import { handlePackRequests, outlineChanged } from "./handlers/pack-requests.ts";
import { handleParams, renameOptions } from "./handlers/params.ts";
import { handleSetup } from "./handlers/setup.ts";
import { readSettings } from "./read-settings.ts";
import { createSession, type Session } from "./session.ts";
import { applySettings, renewSettings } from "./settings.ts";
import { findPackFiles } from "./workspace.ts";

const USAGE = `pack-auth-language-server: the Pack Auth language server

  --stdio     speak LSP over standard input and output
  --help      this text
  --version   the version

Start it from your editor with --stdio; it does nothing by itself.
`;

/** The address of the rules' pages, which are shipped beside dist/. */
const PAGES = pathToFileURL(join(__dirname, "../docs/rules/")).href;

function initialize(session: Session, params: InitializeParams): InitializeResult {
  session.client = readAbilities(params);
  applySettings(session, readSettings(params.initializationOptions));
  session.folders = rootsOf(params).flatMap((uri) => session.path(uri) ?? []);
  return {
    serverInfo: { name: "pack-auth", version: PRODUCT_VERSION },
    capabilities: {
      positionEncoding: session.client.encoding,
      textDocumentSync: documentSync,
      diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false, identifier: "pack-auth" },
      codeActionProvider: codeActionOptions,
      executeCommandProvider: commandOptions,
      completionProvider: completionOptions,
      inlineCompletionProvider: true,
      hoverProvider: true,
      renameProvider: session.client.preparesRename ? renameOptions : true,
      referencesProvider: true,
      definitionProvider: true,
      documentHighlightProvider: true,
      documentSymbolProvider: { label: "Pack Auth" },
      documentLinkProvider: {},
      inlayHintProvider: true,
      ...defined({
        semanticTokensProvider: session.client.colours ? semanticTokensOptions : undefined,
        workspace: session.client.changesFolders ? { workspaceFolders: { supported: true, changeNotifications: true } } : undefined,
      }),
    },
  };
}

/** Returns the workspace folders, or the single root of older clients; empty if a lone file is open. */
function rootsOf({ workspaceFolders, rootUri, rootPath }: InitializeParams): readonly string[] {
  if (workspaceFolders) return workspaceFolders.map((folder) => folder.uri);
  return rootUri ? [rootUri] : rootPath ? [pathToFileURL(rootPath).href] : [];
}

async function scan(session: Session, folders: readonly string[]): Promise<void> {
  session.analysis.addCandidates(await findPackFiles(folders));
  diagnosticsChanged(session);
  outlineChanged(session);
}

/** Registers for notifications, as far as the client supports this at run time. */
function register({ client, connection }: Session, folders: (added: readonly string[], removed: readonly string[]) => void): void {
  if (client.registersConfiguration) void connection.client.register(DidChangeConfigurationNotification.type, { section: "packAuth" });
  if (client.watchesFiles)
    void connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: [
        { globPattern: "**/*.{ts,tsx,js,jsx,mts,cts,mjs,cjs,json}" },
        // Clients report a deleted folder once, without its files.
        { globPattern: "**/*", kind: WatchKind.Delete },
      ],
    });
  if (client.changesFolders)
    connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) =>
      folders(
        added.map((folder) => folder.uri),
        removed.map((folder) => folder.uri),
      ),
    );
}

function start(): void {
  const connection = connect({ isStdio: args.includes("--stdio") });
  const session = createSession(connection, PAGES);
  connection.onInitialize((params) => initialize(session, params));
  connection.onInitialized(async () => {
    register(session, async (added, removed) => {
      const removedFolders = removed.flatMap((uri) => session.path(uri) ?? []);
      const come = added.flatMap((uri) => session.path(uri) ?? []);
      session.folders = [...session.folders.filter((folder) => !removedFolders.includes(folder)), ...come];
      for (const folder of removedFolders) session.analysis.dropCandidates(folder, session.folders);
      if (session.client.readsConfiguration) await renewSettings(session);
      await scan(session, come);
    });
    await renewSettings(session);
    await scan(session, session.folders);
  });
  connection.onDidChangeConfiguration(async ({ settings }) => {
    await renewSettings(session, settings);
    diagnosticsChanged(session);
    if (session.client.refreshesInlayHints) void connection.languages.inlayHint.refresh();
  });
  handleDocuments(session);
  handleDiagnostics(session);
  handleCodeActions(session);
  handleCommands(session);
  handleCompletion(session);
  handleInlineCompletion(session);
  handleHover(session);
  handleParams(session);
  handleOutline(session);
  handlePackRequests(session);
  handleEvidence(session);
  handleAgentRequests(session);
  handleSetup(session);
  connection.listen();
}

const args = process.argv.slice(2);
if (args.includes("--version")) console.log(PRODUCT_VERSION);
else if (args.includes("--help")) console.log(USAGE);
else if (args.some((arg) => /^--(stdio|node-ipc|pipe|socket)/.test(arg))) start();
else {
  console.error(USAGE);
  process.exitCode = 2;
}
