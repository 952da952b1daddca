// Diagnostics: pulled where the client can, pushed where it cannot; always for the version that they were made of.
import {
  type Diagnostic,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  type FullDocumentDiagnosticReport,
} from "vscode-languageserver/node";
import { toDiagnostic } from "../convert.ts";
import type { Session } from "../session.ts";
import { reportSettings } from "./settings-problems.ts";

export function handleDiagnostics(session: Session): void {
  session.connection.languages.diagnostics.on(({ textDocument: { uri }, previousResultId }): DocumentDiagnosticReport => {
    const items = diagnosticsOf(session, uri);
    const relatedDocuments = session.client.relates ? relatedDiagnostics(session, uri) : undefined;
    const related = relatedDocuments === undefined ? {} : { relatedDocuments };
    // What the client has already need not be sent, nor drawn, again.
    const resultId = resultOf(session, uri, items);
    if (previousResultId === resultId) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId, ...related };
    return { kind: DocumentDiagnosticReportKind.Full, resultId, items, ...related };
  });
}

/** Ids of this process: a client may still name one of the process before. */
const idPrefix = `${process.pid}-${Date.now().toString(36)}`;
let results = 0;

/** The id of what is reported of a file: the one that it was last given as long as the same is reported. */
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

/** Those of the other open files of the same packs: what one file says may be right or wrong by another. */
function relatedDiagnostics(session: Session, uri: string) {
  const related = openFilesBeside(session, uri).map((other) => [
    other,
    { kind: DocumentDiagnosticReportKind.Full, items: diagnosticsOf(session, other) },
  ]);
  return related.length === 0 ? undefined : (Object.fromEntries(related) as Record<string, FullDocumentDiagnosticReport>);
}

/** After a change, or when a file is closed: a pulling client is told to ask again for the other files; for others the open files are pushed. */
export function diagnosticsChanged(session: Session, changedUri?: string, options: { readonly isClosed?: boolean } = {}): void {
  if (session.client.pulls) {
    if (!session.client.refreshes) return;
    // The changed file is asked for anyway; only files that share its pack need telling, and some clients take them along.
    const isUpToDate =
      changedUri !== undefined && ((session.client.relates && !options.isClosed) || openFilesBeside(session, changedUri).length === 0);
    if (!isUpToDate) session.connection.languages.diagnostics.refresh();
    return;
  }
  for (const [uri, { version }] of session.documents)
    void session.connection.sendDiagnostics({ uri, version, diagnostics: diagnosticsOf(session, uri) });
}

/** The other open files of the packs that a file belongs to, or belonged to when this was last asked: an edit may part them. */
function openFilesBeside(session: Session, uri: string): readonly string[] {
  return session.about("packs", uri, [], (path) => {
    const files = new Set(session.analysis.packsOf(path).flatMap((pack) => pack.files));
    const before = session.beside.get(uri) ?? [];
    const now = [...session.documents.keys()].filter((other) => other !== uri && files.has(session.path(other) ?? ""));
    session.beside.set(uri, now);
    return [...new Set([...now, ...before.filter((other) => session.documents.has(other))])];
  });
}
