// Diagnostics: pulled where the client can, pushed where it cannot; always for the version that they were made of.
import { DocumentDiagnosticReportKind, LSPErrorCodes, ResponseError } from "vscode-languageserver/node";
import { toDiagnostic } from "../convert.ts";
import { type Session, signalOf } from "../session.ts";
import { reportSettings } from "./settings-problems.ts";

export function handleDiagnostics(session: Session): void {
  session.connection.languages.diagnostics.on((params, token) => {
    const signal = signalOf(token);
    const items = diagnosticsOf(session, params.textDocument.uri, signal);
    if (signal.aborted) return new ResponseError(LSPErrorCodes.RequestCancelled, "cancelled");
    return { kind: DocumentDiagnosticReportKind.Full, items };
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

/** After a change: a pulling client is told to ask again for the other files; for others the open files are pushed. */
export function diagnosticsChanged(session: Session, changed?: string): void {
  if (session.client.pulls) {
    // The changed file is asked for anyway; only files that share its pack need telling.
    if (session.client.refreshes && (changed === undefined || sharesPack(session, changed)))
      session.connection.languages.diagnostics.refresh();
    return;
  }
  for (const [uri, version] of session.versions)
    void session.connection.sendDiagnostics({ uri, version, diagnostics: diagnosticsOf(session, uri) });
}

function sharesPack(session: Session, uri: string): boolean {
  const path = session.path(uri);
  if (path === undefined || session.versions.size < 2) return false;
  const others = new Set([...session.versions.keys()].map((other) => session.path(other)));
  return session.safely("packs", false, () =>
    session.analysis.packsOf(path).some((pack) => pack.files.some((file) => file !== path && others.has(file))),
  );
}
