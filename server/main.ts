// The language server's connection: over VS Code's transport, or `--stdio` for any other editor.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  createConnection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  ProposedFeatures,
} from "vscode-languageserver/node";
import type { ServerSettings } from "../protocol/editor.ts";
import { DEFAULT_SETTINGS } from "./analysis/analysis.ts";
import type { Encoding } from "./convert.ts";
import { codeActionOptions, handleCodeActions } from "./handlers/code-actions.ts";
import { completionOptions, handleCompletion } from "./handlers/completion.ts";
import { diagnosticsChanged, handleDiagnostics } from "./handlers/diagnostics.ts";
import { documentSync, handleDocuments } from "./handlers/documents.ts";
import { handleHover } from "./handlers/hover.ts";
import { handlePackRequests, outlineChanged } from "./handlers/pack-requests.ts";
import { createSession, type Session } from "./session.ts";
import { findPackFiles } from "./workspace.ts";

const USAGE = `pack-auth-language-server: the Pack Auth language server

  --stdio     speak LSP over standard input and output
  --help      this text
  --version   the version

Start it from your editor with --stdio; it does nothing by itself.
`;

/** Of the package that this bundle lies in. */
function version(): string {
  return (JSON.parse(readFileSync(join(__dirname, "../package.json"), "utf8")) as { version: string }).version;
}

/** The rule's page that comes with the product; shipped beside dist/. */
function docs(rule: string): string {
  return pathToFileURL(join(__dirname, "../docs/rules", `${rule}.md`)).href;
}

function initialize(session: Session, { capabilities, workspaceFolders, rootUri }: InitializeParams): InitializeResult {
  const offered = capabilities.general?.positionEncodings ?? ["utf-16"];
  // UTF-16 is what the analysis counts in; another is only used where the client has nothing else.
  const encoding: Encoding = offered.includes("utf-16") || !offered.includes("utf-8") ? "utf-16" : "utf-8";
  session.encoding = encoding;
  session.pulls = capabilities.textDocument?.diagnostic !== undefined;
  session.refreshes = capabilities.workspace?.diagnostics?.refreshSupport === true;
  session.snippets = capabilities.textDocument?.completion?.completionItem?.snippetSupport === true;
  session.readsConfiguration = capabilities.workspace?.configuration === true;
  session.watchesFiles = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
  const roots = workspaceFolders?.map((folder) => folder.uri) ?? (rootUri ? [rootUri] : []);
  session.folders = roots.flatMap((uri) => session.path(uri) ?? []);
  return {
    serverInfo: { name: "pack-auth", version: version() },
    capabilities: {
      positionEncoding: encoding,
      textDocumentSync: documentSync,
      diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false, identifier: "pack-auth" },
      codeActionProvider: codeActionOptions,
      completionProvider: completionOptions,
      hoverProvider: true,
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    },
  };
}

async function readSettings(session: Session): Promise<void> {
  if (!session.readsConfiguration) return;
  try {
    const settings = ((await session.connection.workspace.getConfiguration("packAuth")) ?? {}) as Partial<ServerSettings>;
    session.analysis.configure({
      toolkitModules:
        Array.isArray(settings.toolkitModules) && settings.toolkitModules.length > 0
          ? settings.toolkitModules
          : DEFAULT_SETTINGS.toolkitModules,
      rules: settings.rules !== null && typeof settings.rules === "object" ? settings.rules : {},
    });
  } catch (error) {
    session.connection.console.warn(`The settings could not be read: ${String(error)}`);
  }
}

async function scan(session: Session, folders: readonly string[]): Promise<void> {
  session.analysis.addCandidates(await findPackFiles(folders));
  diagnosticsChanged(session);
  outlineChanged(session);
}

function start(): void {
  const connection = createConnection(ProposedFeatures.all);
  const session = createSession(connection, docs);
  connection.onInitialize((params) => initialize(session, params));
  connection.onInitialized(async () => {
    if (session.readsConfiguration) void connection.client.register(DidChangeConfigurationNotification.type, { section: "packAuth" });
    if (session.watchesFiles)
      void connection.client.register(DidChangeWatchedFilesNotification.type, {
        watchers: [{ globPattern: "**/*.{ts,tsx,js,jsx,mts,cts,mjs,cjs,json}" }],
      });
    connection.workspace.onDidChangeWorkspaceFolders(
      ({ added }) =>
        void scan(
          session,
          added.flatMap((folder) => session.path(folder.uri) ?? []),
        ),
    );
    await readSettings(session);
    await scan(session, session.folders);
  });
  connection.onDidChangeConfiguration(async () => {
    await readSettings(session);
    diagnosticsChanged(session);
  });
  handleDocuments(session);
  handleDiagnostics(session);
  handleCodeActions(session);
  handleCompletion(session);
  handleHover(session);
  handlePackRequests(session);
  connection.listen();
}

const args = process.argv.slice(2);
if (args.includes("--version")) console.log(version());
else if (args.includes("--help")) console.log(USAGE);
else if (args.some((arg) => /^--(stdio|node-ipc|pipe|socket)/.test(arg))) start();
else {
  console.error(USAGE);
  process.exitCode = 2;
}
