// Open, change, close, and files that change on disk.
import {
  DidChangeTextDocumentNotification,
  type DidChangeTextDocumentParams,
  TextDocumentSyncKind,
  type TextDocumentSyncOptions,
} from "vscode-languageserver/node";
import { toEdit } from "../convert.ts";
import { linesChanged } from "../lines.ts";
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
  const { connection, analysis, versions } = session;
  connection.onDidOpenTextDocument(({ textDocument: { uri, version, text } }) => {
    const path = session.path(uri);
    if (path === undefined) return;
    versions.set(uri, version);
    session.safely("open", undefined, () => analysis.open(path, text));
    diagnosticsChanged(session, uri);
    outlineChanged(session);
  });
  const changed = ({ textDocument: { uri, version }, contentChanges }: DidChangeTextDocumentParams): void => {
    const path = session.path(uri);
    if (path === undefined || !versions.has(uri)) return;
    versions.set(uri, version);
    session.safely("change", undefined, () => {
      // Each is about the text that the one before it left.
      for (const change of contentChanges) {
        const before = session.text(path);
        const edit = toEdit(before, change, session.client.encoding);
        analysis.change(path, [edit]);
        linesChanged(before, edit, session.text(path));
      }
    });
    diagnosticsChanged(session, uri);
    outlineChanged(session);
  };
  connection.onDidChangeTextDocument(changed);
  session.atOnce?.notification(DidChangeTextDocumentNotification.method, changed);
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    const path = session.path(uri);
    versions.delete(uri);
    if (path === undefined) return;
    session.safely("close", undefined, () => analysis.close(path));
    if (!session.client.pulls) void connection.sendDiagnostics({ uri, diagnostics: [] });
    diagnosticsChanged(session, uri, { closed: true });
    session.beside.delete(uri);
    session.reported.delete(uri);
  });
  const changedOnDisk = (paths: readonly string[]): void => {
    if (paths.length === 0) return;
    session.safely("files", undefined, () => {
      analysis.filesChanged(paths);
      analysis.addCandidates(notIgnored(paths, session.folders));
      reportSettings(session, paths);
    });
    diagnosticsChanged(session);
    outlineChanged(session);
  };
  connection.onDidChangeWatchedFiles(({ changes }) => changedOnDisk(changes.flatMap((change) => session.path(change.uri) ?? [])));
  // A client that watches nothing saves now and then: a good moment to look at what else changed.
  connection.onDidSaveTextDocument(() => {
    if (!session.client.watchesFiles) changedOnDisk(session.safely("disk", [], session.changedOnDisk));
  });
}
