// A language server over stdio as the bench sees it: one open file, edited, with diagnostics pulled or pushed after each edit.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
} from "vscode-languageserver/node";

/** An editor of one file: applies an edit and resolves when its diagnostics are there. */
export interface Contender {
  edit(text: string, insertAt: number, insert: boolean): Promise<void>;
  stop(): Promise<void> | void;
}

/** What a server says about a file. */
export interface Finding {
  readonly code?: string | number;
  readonly message: string;
}

export interface LanguageServerContender extends Contender {
  readonly pid: number;
  /** Puts `typed` into the text as it was opened, or takes it out again: the diagnostics of the text after that. */
  type(text: string, at: number, typed: string, insert: boolean): Promise<readonly Finding[]>;
  /** Opens one more file and waits for its diagnostics. */
  open(path: string, text: string): Promise<void>;
  stop(): Promise<void>;
}

export function position(text: string, offset: number): { line: number; character: number } {
  const before = text.slice(0, offset);
  const line = before.split("\n").length - 1;
  return { line, character: offset - (before.lastIndexOf("\n") + 1) };
}

interface Start {
  readonly environment?: Readonly<Record<string, string>>;
  /** What the editor answers where the server asks for its settings; nothing where it has none. */
  readonly settings?: unknown;
}

/** Starts `node <args>` or the program, opens the file, and resolves when its first diagnostics are there. */
export async function languageServer(
  command: readonly string[],
  path: string,
  text: string,
  { environment = {}, settings = null }: Start = {},
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
  let pushed: ((findings: readonly Finding[]) => void) | undefined;
  connection.onNotification("textDocument/publishDiagnostics", ({ diagnostics }: { diagnostics: readonly Finding[] }) =>
    pushed?.(diagnostics),
  );
  connection.onRequest("client/registerCapability", () => null);
  connection.onRequest("workspace/configuration", ({ items }: { items: readonly unknown[] }) => items.map(() => settings));
  connection.onRequest("workspace/diagnostic/refresh", () => null);
  connection.listen();
  const folder = pathToFileURL(join(path, "..")).href;
  const initialized = (await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: folder,
    workspaceFolders: [{ uri: folder, name: "bench" }],
    capabilities: { textDocument: { diagnostic: { dynamicRegistration: false }, publishDiagnostics: { versionSupport: true } } },
  })) as { capabilities: { diagnosticProvider?: unknown; textDocumentSync?: number | { change?: number } } };
  const pulls = initialized.capabilities.diagnosticProvider !== undefined;
  const sync = initialized.capabilities.textDocumentSync;
  /** A server that takes whole texts only understands a change as one. */
  const isIncremental = (typeof sync === "object" ? sync.change : sync) === TextDocumentSyncKind.Incremental;
  await connection.sendNotification("initialized", {});
  const uri = pathToFileURL(path).href;
  const results = new Map<string, { readonly resultId?: string; readonly items: readonly Finding[] }>();
  /** As an editor does: it says which result it has, and keeps that where nothing has changed. */
  const pull = async (of: string): Promise<readonly Finding[]> => {
    const previous = results.get(of);
    const report = (await connection.sendRequest("textDocument/diagnostic", {
      textDocument: { uri: of },
      ...(previous?.resultId === undefined ? {} : { previousResultId: previous.resultId }),
    })) as { kind: "full" | "unchanged"; resultId?: string; items: readonly Finding[] };
    if (report.kind === "unchanged") return previous?.items ?? [];
    results.set(of, report);
    return report.items;
  };
  /** Sends, and waits for the diagnostics that come of it. */
  const after = async (of: string, send: () => Promise<void>): Promise<readonly Finding[]> => {
    if (pulls) {
      void send();
      return pull(of);
    }
    return new Promise((resolve) => {
      pushed = resolve;
      void send();
    });
  };
  const open = async (file: string, content: string): Promise<void> => {
    const textDocument = { uri: pathToFileURL(file).href, languageId: "typescript", version: 1, text: content };
    await after(textDocument.uri, () => connection.sendNotification("textDocument/didOpen", { textDocument }));
  };
  await open(path, text);
  let version = 1;
  const type: LanguageServerContender["type"] = (current, at, typed, insert) => {
    const start = position(current, at);
    const end = insert ? start : { line: start.line, character: start.character + typed.length };
    version++;
    const change = isIncremental
      ? { range: { start, end }, text: insert ? typed : "" }
      : { text: insert ? current.slice(0, at) + typed + current.slice(at) : current };
    return after(uri, () =>
      connection.sendNotification("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [change] }),
    );
  };
  return {
    pid: child.pid ?? 0,
    open,
    type,
    async edit(current, insertAt, insert) {
      await type(current, insertAt, "x", insert);
    },
    async stop() {
      stopping = true;
      const exitEvent = new Promise((resolve) => child.once("exit", resolve));
      await Promise.race([connection.sendRequest("shutdown"), exitEvent]).catch(() => {});
      await connection.sendNotification("exit").catch(() => {});
      const timer = setTimeout(() => child.kill(), 2_000);
      await exitEvent;
      clearTimeout(timer);
      connection.dispose();
    },
  };
}
