// Everything that an editor asks about a file, asked of the real server and timed: each answer is one turn, in which the editor waits.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type LspClient, startServer } from "../support/lsp-client.ts";
import { quietRules } from "../support/quiet-rules.ts";

export interface Turn {
  readonly method: string;
  readonly milliseconds: number;
}

/** With all that can be asked for. */
export const startForAll = (folder?: string): Promise<LspClient> =>
  startServer({
    ...(folder === undefined ? {} : { folder: pathToFileURL(folder).href }),
    capabilities: {
      textDocument: {
        diagnostic: {},
        completion: { completionItem: { snippetSupport: true } },
        rename: { prepareSupport: true },
        semanticTokens: { requests: { full: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] },
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      },
    },
    params: { initializationOptions: { rules: quietRules(), inlayHints: { enabled: true } } },
  });

/** Where in a text the cursor is put. */
const PLACES = [0.02, 0.5, 0.98, 1];

/** Gives the slowest turn, or the one that took longer than the guard: the server is then killed. */
export async function slowestTurn(server: LspClient, uri: string, text: string, guard: number): Promise<Turn> {
  let slowest: Turn = { method: "none", milliseconds: 0 };
  const { connection } = server;
  const ask = async (method: string, params?: object): Promise<void> => {
    const startTime = performance.now();
    const computed = computingTime(server);
    // Where others have the processor the clock goes on, and where several threads clean up the computing time does.
    const elapsed = (): number => Math.min(performance.now() - startTime, computingTime(server) - computed);
    let hangs = false;
    let timer: NodeJS.Timeout | undefined;
    const hung = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        // A server that waits for something computes nothing.
        hangs = elapsed() >= guard || performance.now() - startTime >= 5 * guard;
        if (hangs) reject(new Error("hangs"));
      }, 500);
    });
    try {
      // What it refuses (a method of no one, a rename where there is nothing) it has answered.
      await Promise.race([connection.sendRequest(method, params).catch(() => undefined), hung]);
    } finally {
      clearInterval(timer);
      const milliseconds = hangs ? Math.max(guard, elapsed()) : elapsed();
      if (milliseconds > slowest.milliseconds) slowest = { method, milliseconds };
    }
  };
  try {
    await askEverything(server, uri, text, ask);
  } catch {
    server.child.kill("SIGKILL");
    connection.dispose();
  }
  return slowest;
}

/** Milliseconds that the server's process has had a processor, in steps of ten; on systems that do not say, the clock. */
function computingTime({ child }: LspClient): number {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    // proc(5): user and system time in hundredths of a second, fields 14 and 15 of which the first two were cut.
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return performance.now();
  }
}

async function askEverything(
  server: LspClient,
  uri: string,
  text: string,
  ask: (method: string, params?: object) => Promise<void>,
): Promise<void> {
  const position = (offset: number) => {
    const lines = text.slice(0, offset).split("\n");
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  };
  const textDocument = { uri };
  const whole = { start: { line: 0, character: 0 }, end: position(text.length) };
  server.open(uri, text);
  // Nothing has this name: it is answered when what came before it is done.
  await ask("$/opened");
  await ask("textDocument/diagnostic", { textDocument });
  let version = 1;
  for (const offset of [text.length, text.length >> 1, 0]) {
    const start = position(offset);
    server.change(uri, ++version, [{ range: { start, end: start }, text: " " }]);
    await ask("textDocument/diagnostic", { textDocument });
    server.change(uri, ++version, [{ range: { start, end: { line: start.line, character: start.character + 1 } }, text: "" }]);
    await ask("textDocument/diagnostic", { textDocument });
  }
  for (const method of ["documentSymbol", "documentLink", "semanticTokens/full"]) await ask(`textDocument/${method}`, { textDocument });
  await ask("packAuth/outline", { uri });
  await ask("packAuth/locateMetadata", {
    entry: uri,
    paths: [["formulas", { index: 0 }, "parameters", { index: 0 }, "name"], ["version"]],
  });
  await ask("packAuth/locate", { entry: uri, configPath: "userAuthentication.tokenUrl" });
  await ask("textDocument/inlayHint", { textDocument, range: whole });
  const context = { diagnostics: [] };
  for (const part of PLACES) {
    const at = position(Math.floor(text.length * part));
    for (const method of ["completion", "hover", "definition", "documentHighlight", "prepareRename"])
      await ask(`textDocument/${method}`, { textDocument, position: at });
    await ask("textDocument/references", { textDocument, position: at, context: { includeDeclaration: true } });
    await ask("textDocument/rename", { textDocument, position: at, newName: "other" });
    // To fix all is the same at each place, and part of what the whole is asked about.
    await ask("textDocument/codeAction", {
      textDocument,
      range: { start: at, end: at },
      context: { ...context, only: ["quickfix", "refactor"] },
    });
  }
  await ask("textDocument/codeAction", { textDocument, range: whole, context });
  await server.connection.sendNotification("textDocument/didClose", { textDocument });
  await ask("$/closed");
}
