// Edits of the analysis → a workspace edit: by document and version where the client takes that, so that none is applied to a text that
// has changed since.

import type { TextEdit as LspTextEdit, WorkspaceEdit } from "vscode-languageserver/node";
import { getOrInsert } from "../protocol/get-or-insert.ts";
import type { TextEdit } from "./analysis/model/findings.ts";
import { openUri, type Session } from "./session.ts";

export function toWorkspaceEdit(session: Session, edits: readonly TextEdit[]): WorkspaceEdit {
  const { client, documents } = session;
  const positions = session.positions();
  const byUri = new Map<string, LspTextEdit[]>();
  const seen = new Set<string>();
  for (const edit of edits) {
    // Two fixes may want the same edit, such as the same domain declared.
    const key = `${edit.file}:${edit.start}:${edit.end}:${edit.text}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const uri = openUri(session, edit.file);
    getOrInsert(byUri, uri, () => []).push({ range: positions.range(edit.file, edit), newText: edit.text });
  }
  if (!client.documentChanges) return { changes: Object.fromEntries(byUri) };
  return {
    documentChanges: [...byUri].map(([uri, list]) => ({
      textDocument: { uri, version: documents.get(uri)?.version ?? null },
      edits: list,
    })),
  };
}
