// Open, change, close, and files that change on disk.
import { TextDocumentSyncKind, type TextDocumentSyncOptions } from "vscode-languageserver/node";
import { toEdits } from "../convert.ts";
import type { Session } from "../session.ts";
import { diagnosticsChanged } from "./diagnostics.ts";
import { outlineChanged } from "./pack-requests.ts";

export const documentSync: TextDocumentSyncOptions = { openClose: true, change: TextDocumentSyncKind.Incremental };

export function handleDocuments(session: Session): void {
  const { connection, analysis, versions } = session;
  connection.onDidOpenTextDocument(({ textDocument: { uri, version, text } }) => {
    const path = session.path(uri);
    if (path === undefined) return;
    versions.set(uri, version);
    session.safely("open", undefined, () => analysis.open(path, text));
    diagnosticsChanged(session, uri);
    outlineChanged(session);
  });
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
    const path = session.path(uri);
    if (path === undefined || !versions.has(uri)) return;
    versions.set(uri, version);
    session.safely("change", undefined, () => analysis.change(path, toEdits(session.text(path), contentChanges, session.encoding)));
    diagnosticsChanged(session, uri);
    outlineChanged(session);
  });
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    const path = session.path(uri);
    versions.delete(uri);
    if (path === undefined) return;
    session.safely("close", undefined, () => analysis.close(path));
    if (!session.pulls) void connection.sendDiagnostics({ uri, diagnostics: [] });
    diagnosticsChanged(session, uri);
  });
  connection.onDidChangeWatchedFiles(({ changes }) => {
    const paths = changes.flatMap((change) => session.path(change.uri) ?? []);
    session.safely("files", undefined, () => {
      analysis.filesChanged(paths);
      analysis.addCandidates(paths);
    });
    diagnosticsChanged(session);
    outlineChanged(session);
  });
}
