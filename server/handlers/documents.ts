// Handles opened, changed and closed documents, and files that change on disk.
import { TextDocumentSyncKind, type TextDocumentSyncOptions } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { isSettingsFile } from "../analysis/settings/settings.ts";
import { applyChanges } from "../positions.ts";
import type { Session } from "../session.ts";
import { notIgnored } from "../workspace.ts";
import { diagnosticsChanged } from "./diagnostics.ts";
import { outlineChanged } from "./pack-requests.ts";
import { reportSettings } from "./settings-problems.ts";

export const documentSync: TextDocumentSyncOptions = {
  openClose: true,
  change: TextDocumentSyncKind.Incremental,
  save: { includeText: false },
};

export function handleDocuments(session: Session): void {
  const { connection, analysis, documents } = session;
  connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) => {
    const path = session.path(uri);
    if (path === undefined) return;
    documents.set(uri, TextDocument.create(uri, languageId, version, text));
    session.safely("open", undefined, () => analysis.open(path, text));
    diagnosticsChanged(session, uri);
    outlineChanged(session);
  });
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
    const path = session.path(uri);
    if (path === undefined || !documents.has(uri)) return;
    const document = session.document(path, uri);
    documents.set(uri, document);
    session.safely("change", undefined, () =>
      analysis.change(path, applyChanges(document, contentChanges, version, session.client.encoding)),
    );
    diagnosticsChanged(session, uri);
    outlineChanged(session);
  });
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    const path = session.path(uri);
    documents.delete(uri);
    if (path === undefined) return;
    session.safely("close", undefined, () => analysis.close(path));
    if (!session.client.pulls && !isSettingsFile(path)) void connection.sendDiagnostics({ uri, diagnostics: [] });
    diagnosticsChanged(session, uri, { isClosed: true });
    session.beside.delete(uri);
    session.reported.delete(uri);
  });
  const changedOnDisk = (paths: readonly string[]): void => {
    if (paths.length === 0) return;
    session.safely("files", undefined, () => {
      analysis.addCandidates(notIgnored(paths, session.folders));
      analysis.filesChanged(paths);
      reportSettings(session, paths);
    });
    diagnosticsChanged(session);
    outlineChanged(session);
  };
  connection.onDidChangeWatchedFiles(({ changes }) => changedOnDisk(changes.flatMap((change) => session.path(change.uri) ?? [])));
  // If the client watches no files, a save is a good moment to check for changes on disk.
  connection.onDidSaveTextDocument(() => {
    if (!session.client.watchesFiles) changedOnDisk(session.safely("disk", [], session.changedOnDisk));
  });
}
