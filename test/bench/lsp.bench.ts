// Keystroke → diagnostics over stdio: our language server against tsserver's geterr, the same edits in the same files.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createProtocolConnection, type ProtocolConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver/node";
import { printRows, quantile, type Row } from "./statistics.ts";
import { makeWorkplace, packsBySize, root } from "./workplace.ts";

const EDITS = 120;
const WARM_UP = 20;

/** An editor of one file: applies an edit and resolves when its diagnostics are there. */
interface Contender {
  edit(text: string, insertAt: number, insert: boolean): Promise<void>;
  stop(): void;
}

function position(text: string, offset: number): { line: number; character: number } {
  const before = text.slice(0, offset);
  const line = before.split("\n").length - 1;
  return { line, character: offset - (before.lastIndexOf("\n") + 1) };
}

async function languageServer(path: string, text: string): Promise<Contender> {
  const child = spawn(process.execPath, [join(root, "dist/server.cjs"), "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection: ProtocolConnection = createProtocolConnection(
    new StreamMessageReader(child.stdout as NonNullable<ChildProcess["stdout"]>),
    new StreamMessageWriter(child.stdin as NonNullable<ChildProcess["stdin"]>),
  );
  connection.listen();
  const uri = pathToFileURL(path).href;
  const folder = pathToFileURL(join(path, "..")).href;
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: folder,
    workspaceFolders: [{ uri: folder, name: "bench" }],
    capabilities: { textDocument: { diagnostic: { dynamicRegistration: false } } },
  });
  await connection.sendNotification("initialized", {});
  await connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "typescript", version: 1, text } });
  const pull = () => connection.sendRequest("textDocument/diagnostic", { textDocument: { uri } });
  await pull();
  let version = 1;
  return {
    async edit(current, insertAt, insert) {
      const start = position(current, insertAt);
      const end = insert ? start : { line: start.line, character: start.character + 1 };
      version++;
      void connection.sendNotification("textDocument/didChange", {
        textDocument: { uri, version },
        contentChanges: [{ range: { start, end }, text: insert ? "x" : "" }],
      });
      await pull();
    },
    stop: () => {
      connection.dispose();
      child.kill();
    },
  };
}

async function tsserver(path: string, text: string): Promise<Contender> {
  const child = spawn(process.execPath, [join(root, "node_modules/typescript-6/lib/tsserver.js"), "--disableAutomaticTypingAcquisition"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let buffer = "";
  let completed: ((seq: number) => void) | undefined;
  child.stdout.on("data", (data: Buffer) => {
    buffer += data.toString();
    for (let end = buffer.indexOf("\n"); end >= 0; end = buffer.indexOf("\n")) {
      const line = buffer.slice(0, end).trim();
      buffer = buffer.slice(end + 1);
      if (!line.startsWith("{")) continue;
      const message = JSON.parse(line) as { event?: string; body?: { request_seq?: number } };
      if (message.event === "requestCompleted") completed?.(message.body?.request_seq ?? -1);
    }
  });
  let seq = 0;
  const send = (command: string, args: unknown): number => {
    seq++;
    child.stdin.write(`${JSON.stringify({ seq, type: "request", command, arguments: args })}\n`);
    return seq;
  };
  const geterr = () =>
    new Promise<void>((resolve) => {
      const request = send("geterr", { files: [path], delay: 0 });
      completed = (done) => {
        if (done === request) resolve();
      };
    });
  send("open", { file: path, fileContent: text });
  await geterr();
  return {
    async edit(current, insertAt, insert) {
      const start = position(current, insertAt);
      send("change", {
        file: path,
        line: start.line + 1,
        offset: start.character + 1,
        endLine: start.line + 1,
        endOffset: start.character + (insert ? 1 : 2),
        insertString: insert ? "x" : "",
      });
      await geterr();
    },
    stop: () => void child.kill(),
  };
}

export async function benchLanguageServer(): Promise<void> {
  const workplace = makeWorkplace();
  const rows: Row[] = [];
  try {
    for (const [index, pack] of packsBySize().entries()) {
      const path = workplace.write(`pack${index}/pack.ts`, pack.text);
      // Inside the config's type, where an edit changes what the diagnostics are.
      const at = pack.text.indexOf("AuthenticationType.") + "AuthenticationType.".length;
      const ours = await languageServer(path, pack.text);
      const theirs = await tsserver(path, pack.text);
      const samples: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
      for (let edit = 0; edit < EDITS; edit++) {
        for (const name of ["ours", "theirs"] as const) {
          const contender = name === "ours" ? ours : theirs;
          const start = performance.now();
          await contender.edit(pack.text, at, edit % 2 === 0);
          if (edit >= WARM_UP) samples[name].push(performance.now() - start);
        }
      }
      ours.stop();
      theirs.stop();
      for (const p of [0.5, 0.95]) {
        rows.push({
          what: `${pack.name}, p${p * 100}`,
          ours: quantile(samples.ours, p),
          peer: "tsserver geterr",
          theirs: quantile(samples.theirs, p),
        });
      }
    }
  } finally {
    workplace.remove();
  }
  printRows(`Keystroke → diagnostics over stdio (${EDITS - WARM_UP} edits each, in turns)`, rows);
}
