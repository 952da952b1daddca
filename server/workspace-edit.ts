// Edits of the analysis → a workspace edit: by document and version where the client takes that, so that none is applied to a text that
// has changed since.
import type { TextEdit as LspTextEdit, WorkspaceEdit } from "vscode-languageserver/node";
import type { TextEdit } from "./analysis/model.ts";
import { toRange, toUri } from "./convert.ts";
import type { Session } from "./session.ts";

export function toWorkspaceEdit(session: Session, edits: readonly TextEdit[]): WorkspaceEdit {
  const { client, versions } = session;
  const byUri = new Map<string, LspTextEdit[]>();
  const seen = new Set<string>();
  for (const edit of edits) {
    // Two fixes may want the same edit, such as the same domain declared.
    const key = `${edit.file}:${edit.start}:${edit.end}:${edit.text}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const uri = openUri(session, edit.file);
    const list = byUri.get(uri) ?? [];
    byUri.set(uri, list);
    list.push({ range: toRange(session.text(edit.file), edit, client.encoding), newText: edit.text });
  }
  if (!client.documentChanges) return { changes: Object.fromEntries(byUri) };
  return { documentChanges: [...byUri].map(([uri, list]) => ({ textDocument: { uri, version: versions.get(uri) ?? null }, edits: list })) };
}

/** As the client spells it, where the file is open: `file:///c%3A/…` and `file:///C:/…` are one. */
export function openUri({ versions, path }: Session, file: string): string {
  const uri = toUri(file);
  if (versions.has(uri)) return uri;
  return [...versions.keys()].find((open) => path(open) === file) ?? uri;
}
