// Starts the language server and speaks the requests of protocol/editor.ts with it.
import { join } from "node:path";
import type { ExtensionContext } from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import {
  LOCATE_REQUEST,
  type LocateParams,
  OUTLINE_CHANGED,
  OUTLINE_REQUEST,
  PACKS_REQUEST,
  type PackOutline,
  type PackSummary,
  type Range,
} from "../protocol/editor.ts";

export interface LanguageServer {
  outline(uri: string): Promise<PackOutline | undefined>;
  packs(): Promise<readonly PackSummary[]>;
  locate(params: LocateParams): Promise<{ readonly uri: string; readonly range: Range } | undefined>;
  onOutlineChanged(listener: () => void): void;
  stop(): Promise<void>;
}

export async function startLanguageServer(context: ExtensionContext): Promise<LanguageServer> {
  const module = join(context.extensionPath, "dist/server.cjs");
  const client = new LanguageClient(
    "packAuth",
    "Pack Auth Language Server",
    { run: { module, transport: TransportKind.ipc }, debug: { module, transport: TransportKind.ipc, options: { execArgv: ["--nolazy"] } } },
    {
      documentSelector: ["typescript", "javascript", "typescriptreact", "javascriptreact"].map((language) => ({
        scheme: "file",
        language,
      })),
    },
  );
  // The client keeps one handler for each notification: all listeners stand behind it.
  const listeners = new Set<() => void>();
  client.onNotification(OUTLINE_CHANGED, () => {
    for (const listener of listeners) listener();
  });
  await client.start();
  const ask = async <T>(method: string, params?: unknown): Promise<T | undefined> =>
    client.isRunning() ? ((await client.sendRequest<T | null>(method, params)) ?? undefined) : undefined;
  return {
    outline: (uri) => ask(OUTLINE_REQUEST, { uri }),
    packs: async () => (await ask<readonly PackSummary[]>(PACKS_REQUEST)) ?? [],
    locate: (params) => ask(LOCATE_REQUEST, params),
    onOutlineChanged: (listener) => void listeners.add(listener),
    stop: () => client.stop(),
  };
}
