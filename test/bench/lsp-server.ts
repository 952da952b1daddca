// A language server over stdio as the bench sees it: one open file, edited, with diagnostics pulled or pushed after each edit.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createProtocolConnection, type ProtocolConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver/node";

/** An editor of one file: applies an edit and resolves when its diagnostics are there. */
export interface Contender {
  edit(text: string, insertAt: number, insert: boolean): Promise<void>;
  stop(): Promise<void> | void;
}

export interface LanguageServerContender extends Contender {
  readonly pid: number;
  /** Opens one more file and waits for its diagnostics. */
  open(path: string, text: string): Promise<void>;
  stop(): Promise<void>;
}

export function position(text: string, offset: number): { line: number; character: number } {
  const before = text.slice(0, offset);
  const line = before.split("\n").length - 1;
  return { line, character: offset - (before.lastIndexOf("\n") + 1) };
}

/** Starts `node <args>` or the program, opens the file, and resolves when its first diagnostics are there. */
export async function languageServer(
  command: readonly string[],
  path: string,
  text: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<LanguageServerContender> {
  const isProgram = !/\.[cm]?js$/.test(command[0] ?? "");
  const [program, args] = isProgram ? [command[0] ?? "", command.slice(1)] : [process.execPath, command];
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"], env: { ...process.env, ...environment } });
  const connection: ProtocolConnection = createProtocolConnection(
    new StreamMessageReader(child.stdout as NonNullable<ChildProcess["stdout"]>),
    new StreamMessageWriter(child.stdin as NonNullable<ChildProcess["stdin"]>),
  );
  let stopping = false;
  // A server that is gone answers nothing: what waits for it fails.
  child.once("exit", () => {
    if (!stopping) connection.dispose();
  });
  let pushed: (() => void) | undefined;
  connection.onNotification("textDocument/publishDiagnostics", () => pushed?.());
  connection.onRequest("client/registerCapability", () => null);
  connection.onRequest("workspace/configuration", ({ items }: { items: readonly unknown[] }) => items.map(() => null));
  connection.onRequest("workspace/diagnostic/refresh", () => null);
  connection.listen();
  const folder = pathToFileURL(join(path, "..")).href;
  const initialized = (await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: folder,
    workspaceFolders: [{ uri: folder, name: "bench" }],
    capabilities: { textDocument: { diagnostic: { dynamicRegistration: false }, publishDiagnostics: { versionSupport: true } } },
  })) as { capabilities: { diagnosticProvider?: unknown } };
  const pulls = initialized.capabilities.diagnosticProvider !== undefined;
  await connection.sendNotification("initialized", {});
  const uri = pathToFileURL(path).href;
  const pull = (of: string): Promise<unknown> => connection.sendRequest("textDocument/diagnostic", { textDocument: { uri: of } });
  /** Sends, and waits for the diagnostics that come of it. */
  const after = async (of: string, send: () => Promise<void>): Promise<void> => {
    if (pulls) {
      void send();
      await pull(of);
      return;
    }
    await new Promise<void>((resolve) => {
      pushed = resolve;
      void send();
    });
  };
  const open = (file: string, content: string): Promise<void> => {
    const textDocument = { uri: pathToFileURL(file).href, languageId: "typescript", version: 1, text: content };
    return after(textDocument.uri, () => connection.sendNotification("textDocument/didOpen", { textDocument }));
  };
  await open(path, text);
  let version = 1;
  return {
    pid: child.pid ?? 0,
    open,
    edit(current, insertAt, insert) {
      const start = position(current, insertAt);
      const end = insert ? start : { line: start.line, character: start.character + 1 };
      version++;
      const contentChanges = [{ range: { start, end }, text: insert ? "x" : "" }];
      return after(uri, () => connection.sendNotification("textDocument/didChange", { textDocument: { uri, version }, contentChanges }));
    },
    async stop() {
      stopping = true;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      await Promise.race([connection.sendRequest("shutdown"), gone]).catch(() => {});
      await connection.sendNotification("exit").catch(() => {});
      const timer = setTimeout(() => child.kill(), 2_000);
      await gone;
      clearTimeout(timer);
      connection.dispose();
    },
  };
}
