// What the handlers share: the analysis, the open documents' versions, the client's abilities, and where things are reported.
import { readFileSync, statSync } from "node:fs";
import type { CancellationToken, Connection } from "vscode-languageserver/node";
import { type Analysis, createAnalysis } from "./analysis/analysis.ts";
import { type Encoding, toPath } from "./convert.ts";

export interface Session {
  readonly connection: Connection;
  readonly analysis: Analysis;
  /** URI → version of the open documents. */
  readonly versions: Map<string, number>;
  encoding: Encoding;
  /** The client asks for diagnostics itself. */
  pulls: boolean;
  refreshes: boolean;
  snippets: boolean;
  readsConfiguration: boolean;
  watchesFiles: boolean;
  folders: readonly string[];
  /** The address of a rule's docs page. */
  docs(rule: string): string;
  path(uri: string): string | undefined;
  text(path: string): string;
  /** Runs a handler's work; a fault is logged and answered with `otherwise`. */
  safely<T>(what: string, otherwise: T, work: () => T): T;
}

export function createSession(connection: Connection, docs: (rule: string) => string): Session {
  const analysis = createAnalysis({ readFile });
  return {
    connection,
    analysis,
    versions: new Map(),
    encoding: "utf-16",
    pulls: false,
    refreshes: false,
    snippets: false,
    readsConfiguration: false,
    watchesFiles: false,
    folders: [],
    docs,
    path: toPath,
    text: (path) => analysis.text(path) ?? "",
    safely(what, otherwise, work) {
      try {
        return work();
      } catch (error) {
        connection.console.error(`${what} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        return otherwise;
      }
    },
  };
}

/** Larger files are generated, not written. */
const LARGEST_FILE = 4 * 1024 * 1024;

function readFile(path: string): string | undefined {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= LARGEST_FILE ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** The token of a request as a signal. */
export function signalOf(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
