// One server with a full client and one with a plain client, on a folder with two files of a pack. Also the requests of the tests, and a
// function that applies edits to a text.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Position, Range, TextEdit, WorkspaceEdit } from "vscode-languageserver/node";
import { type LspClient, startServer } from "./lsp-client.ts";

/** The beginning of a pack. */
export const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
`;
/** The content of `requests.ts` on disk. */
export const REQUESTS = "export const url = (context) => `https://example.com/{{key-${context.invocationToken}}}`;\n";
/** The content of `pack.ts`, open in both clients. */
export const PACK = `import { url } from "./requests";
${HEAD}url;
pack.setUserAuthentication({
  type: coda.AuthenticationType.Custom,
  params: [{ name: "key", description: "Key" }],
  instructionsUrl: "https://example.com/help",
});
pack.addFormula({ name: "Hello", execute: async () => 1 });
`;

export const WHOLE = {
  general: { positionEncodings: ["utf-16"] },
  workspace: { workspaceEdit: { documentChanges: true }, configuration: true, inlayHint: { refreshSupport: true } },
  textDocument: {
    diagnostic: {},
    completion: { completionItem: { snippetSupport: true, insertTextModeSupport: { valueSet: [1, 2] } } },
    rename: { prepareSupport: true },
    codeAction: { dataSupport: true, resolveSupport: { properties: ["edit"] } },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    semanticTokens: { requests: { full: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] },
  },
};

export interface EditingSuite {
  readonly client: LspClient;
  readonly plain: LspClient;
  uri(name: string): string;
  /** Returns the position `within` characters behind the start of the first such part of a file's text. */
  at(
    name: string,
    text: string,
    part: string,
    within?: number,
  ): { readonly textDocument: { readonly uri: string }; readonly position: Position };
  /** Sends a request, from the full client by default. */
  ask<T>(method: string, params: unknown, from?: LspClient): Promise<T>;
}

/** Starts both servers before the tests of the calling suite, and stops them after the tests. */
export function editingSuite(configuration: () => unknown = () => ({})): EditingSuite {
  let clients: { readonly client: LspClient; readonly plain: LspClient } | undefined;
  let folder = "";
  const now = () => {
    if (clients === undefined) throw new Error("no test is running");
    return clients;
  };
  const uri = (name: string): string => pathToFileURL(join(folder, name)).href;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-editing-"));
    writeFileSync(join(folder, "requests.ts"), REQUESTS);
    const root = pathToFileURL(folder).href;
    const client = await startServer({ folder: root, capabilities: WHOLE, configuration });
    const plain = await startServer({ folder: root, capabilities: {} });
    clients = { client, plain };
    for (const each of [client, plain]) each.open(uri("pack.ts"), PACK);
  });
  after(async () => {
    await clients?.client.stop();
    await clients?.plain.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get client() {
      return now().client;
    },
    get plain() {
      return now().plain;
    },
    uri,
    at(name, text, part, within = 1) {
      const before = text.slice(0, text.indexOf(part) + within);
      return {
        textDocument: { uri: uri(name) },
        position: { line: before.split("\n").length - 1, character: before.length - before.lastIndexOf("\n") - 1 },
      };
    },
    ask: <T>(method: string, params: unknown, from = now().client) => from.connection.sendRequest(method, params) as Promise<T>,
  };
}

/** Returns the text after the edits. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  const lines = text.split("\n");
  const offset = ({ line, character }: Range["start"]): number =>
    lines.slice(0, line).reduce((sum, before) => sum + before.length + 1, 0) + character;
  return [...edits]
    .sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce((result, { range, newText }) => result.slice(0, offset(range.start)) + newText + result.slice(offset(range.end)), text);
}

/** Returns the edits of the single file of a workspace edit. */
export function editsOf(edit: WorkspaceEdit | undefined): readonly TextEdit[] {
  const [change] = edit?.documentChanges ?? [];
  return change && "textDocument" in change ? (change.edits as TextEdit[]) : (Object.values(edit?.changes ?? {})[0] ?? []);
}
