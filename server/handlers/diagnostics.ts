// Diagnostics: pulled where the client can, pushed where it cannot; always for the version that they were made of.
import { createHash } from "node:crypto";
import { DocumentDiagnosticReportKind, type FullDocumentDiagnosticReport, LSPErrorCodes, ResponseError } from "vscode-languageserver/node";
import { toDiagnostic } from "../convert.ts";
import { type Session, signalOf } from "../session.ts";
import { reportSettings } from "./settings-problems.ts";

export function handleDiagnostics(session: Session): void {
  session.connection.languages.diagnostics.on((params, token) => {
    const signal = signalOf(token);
    const { uri } = params.textDocument;
    const items = diagnosticsOf(session, uri, signal);
    const relatedDocuments = session.client.relates ? relatedDiagnostics(session, uri, signal) : undefined;
    if (signal.aborted) return new ResponseError(LSPErrorCodes.RequestCancelled, "cancelled");
    const related = relatedDocuments === undefined ? {} : { relatedDocuments };
    // What the client has already need not be sent, nor drawn, again.
    const resultId = createHash("sha1").update(JSON.stringify(items)).digest("base64url");
    if (params.previousResultId === resultId) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId, ...related };
    return { kind: DocumentDiagnosticReportKind.Full, resultId, items, ...related };
  });
}

function diagnosticsOf(session: Session, uri: string, signal?: AbortSignal) {
  const path = session.path(uri);
  if (path === undefined) return [];
  return session.safely("diagnostics", [], () => {
    const found = session.analysis.diagnostics(path, signal);
    reportSettings(session);
    return found.map((diagnostic) => toDiagnostic(diagnostic, session.text(path), session.client.encoding, session.docs));
  });
}

/** Those of the other open files of the same packs: what one file says may be right or wrong by another. */
function relatedDiagnostics(session: Session, uri: string, signal: AbortSignal) {
  const related = openFilesBeside(session, uri).map((other) => [
    other,
    { kind: DocumentDiagnosticReportKind.Full, items: diagnosticsOf(session, other, signal) },
  ]);
  return related.length === 0 ? undefined : (Object.fromEntries(related) as Record<string, FullDocumentDiagnosticReport>);
}

/** After a change, or when a file is closed: a pulling client is told to ask again for the other files; for others the open files are pushed. */
export function diagnosticsChanged(session: Session, changed?: string, options: { readonly closed?: boolean } = {}): void {
  if (session.client.pulls) {
    // The changed file is asked for anyway; only files that share its pack need telling, and some clients take them along.
    const isTold = changed !== undefined && ((session.client.relates && !options.closed) || openFilesBeside(session, changed).length === 0);
    if (session.client.refreshes && !isTold) session.connection.languages.diagnostics.refresh();
    return;
  }
  for (const [uri, version] of session.versions)
    void session.connection.sendDiagnostics({ uri, version, diagnostics: diagnosticsOf(session, uri) });
}

/** The other open files of the packs that a file belongs to, or belonged to when this was last asked: an edit may part them. */
function openFilesBeside(session: Session, uri: string): readonly string[] {
  const path = session.path(uri);
  if (path === undefined) return [];
  return session.safely("packs", [], () => {
    const files = new Set(session.analysis.packsOf(path).flatMap((pack) => pack.files));
    const before = session.beside.get(uri) ?? [];
    const now = [...session.versions.keys()].filter((other) => other !== uri && files.has(session.path(other) ?? ""));
    session.beside.set(uri, now);
    return [...new Set([...now, ...before.filter((other) => session.versions.has(other))])];
  });
}
