// A plain LSP client over real stdio, which starts the built server as an editor does.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import {
  type ConfigurationParams,
  createProtocolConnection,
  type Diagnostic,
  ErrorCodes,
  type ProtocolConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { root } from "./packs.ts";
import { quietRules } from "./quiet-rules.ts";

export interface LspClient {
  readonly connection: ProtocolConnection;
  readonly child: ChildProcessWithoutNullStreams;
  readonly initialized: { readonly capabilities: Record<string, unknown> };
  /** The methods of the requests that the server sent. */
  readonly requestMethods: readonly string[];
  /** The methods of the notifications that the server sent, except diagnostics. */
  readonly notificationMethods: readonly string[];
  open(uri: string, text: string): void;
  change(uri: string, version: number, changes: readonly unknown[]): void;
  pull(uri: string): Promise<readonly Diagnostic[]>;
  /** Resolves with the next pushed diagnostics of a file. */
  pushed(uri: string): Promise<{ readonly version?: number; readonly diagnostics: readonly Diagnostic[] }>;
  stop(): Promise<void>;
}

export async function startServer(
  options: {
    readonly folder?: string;
    readonly capabilities?: object;
    readonly node?: string;
    /** Additional environment variables. */
    readonly env?: Readonly<Record<string, string>>;
    /** The server's program; the built one by default. */
    readonly program?: string;
    /** Overrides for the parameters of `initialize`. */
    readonly params?: object;
    /** Returns the response to `workspace/configuration` for a scope. */
    readonly configuration?: (scopeUri?: string) => unknown;
  } = {},
): Promise<LspClient> {
  const child = spawn(options.node ?? process.execPath, [options.program ?? join(root, "dist/server.cjs"), "--stdio"], {
    env: { ...process.env, ...options.env },
  });
  const connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  const waiting: { uri: string; resolve: (params: { version?: number; diagnostics: Diagnostic[] }) => void }[] = [];
  connection.onNotification("textDocument/publishDiagnostics", (params: { uri: string; version?: number; diagnostics: Diagnostic[] }) => {
    const index = waiting.findIndex((entry) => entry.uri === params.uri);
    if (index >= 0) waiting.splice(index, 1)[0]?.resolve(params);
  });
  const requestMethods: string[] = [];
  // The type lacks the overload for handlers of all methods, which exists.
  const all = connection as unknown as Record<
    "onRequest" | "onNotification",
    (every: (method: string, params: unknown) => unknown) => void
  >;
  all.onRequest((method, params) => {
    requestMethods.push(method);
    const { configuration } = options;
    if (method === "workspace/configuration" && configuration !== undefined)
      return (params as ConfigurationParams).items.map(({ scopeUri }) => configuration(scopeUri));
    return method.startsWith("client/") || method.endsWith("/refresh") ? null : new ResponseError(ErrorCodes.MethodNotFound, method);
  });
  const notificationMethods: string[] = [];
  all.onNotification((method) => void notificationMethods.push(method));
  connection.listen();
  const folder = options.folder;
  const initialized = (await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: folder ?? null,
    workspaceFolders: folder === undefined ? null : [{ uri: folder, name: "test" }],
    capabilities: options.capabilities ?? { textDocument: { diagnostic: {}, completion: { completionItem: { snippetSupport: true } } } },
    initializationOptions: { rules: quietRules() },
    ...options.params,
  })) as LspClient["initialized"];
  await connection.sendNotification("initialized", {});
  return {
    connection,
    child,
    initialized,
    requestMethods,
    notificationMethods,
    open: (uri, text) =>
      void connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "typescript", version: 1, text } }),
    change: (uri, version, contentChanges) =>
      void connection.sendNotification("textDocument/didChange", { textDocument: { uri, version }, contentChanges }),
    async pull(uri) {
      const report = (await connection.sendRequest("textDocument/diagnostic", { textDocument: { uri } })) as { items: Diagnostic[] };
      return report.items;
    },
    pushed: (uri) => new Promise((resolve) => waiting.push({ uri, resolve })),
    async stop() {
      const whenExited = new Promise((resolve) => child.once("exit", resolve));
      await connection.sendRequest("shutdown").catch(() => {});
      await connection.sendNotification("exit").catch(() => {});
      await whenExited;
      connection.dispose();
    },
  };
}
