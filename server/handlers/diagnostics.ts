// Diagnostics, pulled if the client can and pushed otherwise. They always name the version that they apply to.
import {
  type Diagnostic,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  type FullDocumentDiagnosticReport,
} from "vscode-languageserver/node";
import { isSettingsFile } from "../analysis/settings/settings.ts";
import { toDiagnostic } from "../convert.ts";
import type { Session } from "../session.ts";
import { reportSettings } from "./settings-problems.ts";

export function handleDiagnostics(session: Session): void {
  session.connection.languages.diagnostics.on(({ textDocument: { uri }, previousResultId }): DocumentDiagnosticReport => {
    const items = diagnosticsOf(session, uri);
    const relatedDocuments = session.client.relates ? relatedDiagnostics(session, uri) : undefined;
    const related = relatedDocuments === undefined ? {} : { relatedDocuments };
    // The client need not receive and draw unchanged diagnostics again.
    const resultId = resultOf(session, uri, items);
    if (previousResultId === resultId) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId, ...related };
    return { kind: DocumentDiagnosticReportKind.Full, resultId, items, ...related };
  });
}

/** Result ids are unique to this process, since a client may still send an id of a previous process. */
const idPrefix = `${process.pid}-${Date.now().toString(36)}`;
let results = 0;

/** Returns the id of a file's diagnostics, which stays the same as long as they do. */
function resultOf({ reported }: Session, uri: string, items: readonly Diagnostic[]): string {
  const content = JSON.stringify(items);
  const last = reported.get(uri);
  if (last?.content === content) return last.id;
  results++;
  const id = `${idPrefix}-${results}`;
  reported.set(uri, { id, content });
  return id;
}

function diagnosticsOf(session: Session, uri: string): Diagnostic[] {
  return session.about("diagnostics", uri, [], (path, positions) => {
    const diagnostics = session.analysis.diagnostics(path);
    reportSettings(session);
    return diagnostics.map((diagnostic) => toDiagnostic(diagnostic, positions, session.docs));
  });
}

/** Returns the diagnostics of the other open files of the same packs, since one file may affect another. */
function relatedDiagnostics(session: Session, uri: string) {
  const related = openFilesBeside(session, uri).map((other) => [
    other,
    { kind: DocumentDiagnosticReportKind.Full, items: diagnosticsOf(session, other) },
  ]);
  return related.length === 0 ? undefined : (Object.fromEntries(related) as Record<string, FullDocumentDiagnosticReport>);
}

/** Updates diagnostics after a change or a close: a pulling client is asked to pull again, and for others all open files are pushed. */
export function diagnosticsChanged(session: Session, changedUri?: string, options: { readonly isClosed?: boolean } = {}): void {
  if (session.client.pulls) {
    if (!session.client.refreshes) return;
    // The client requests the changed file anyway. Only files that share its pack are affected, and some clients receive these with it.
    const isUpToDate =
      changedUri !== undefined && ((session.client.relates && !options.isClosed) || openFilesBeside(session, changedUri).length === 0);
    if (!isUpToDate) session.connection.languages.diagnostics.refresh();
    return;
  }
  for (const [uri, { version }] of session.documents) {
    const diagnostics = diagnosticsOf(session, uri);
    // The problems of such a file are pushed with its settings.
    if (!isSettingsFile(session.path(uri) ?? "")) void session.connection.sendDiagnostics({ uri, version, diagnostics });
  }
}

/** Returns the other open files of the packs that a file belongs to. Includes those of the last call, since an edit may separate them. */
function openFilesBeside(session: Session, uri: string): readonly string[] {
  return session.about("packs", uri, [], (path) => {
    const files = new Set(session.analysis.packsOf(path).flatMap((pack) => pack.files));
    const before = session.beside.get(uri) ?? [];
    const now = [...session.documents.keys()].filter((other) => other !== uri && files.has(session.path(other) ?? ""));
    session.beside.set(uri, now);
    return [...new Set([...now, ...before.filter((other) => session.documents.has(other))])];
  });
}
