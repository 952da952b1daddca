// Converts edits of the analysis to a workspace edit. If the client supports it, the edit names document versions, so that it is not
// applied to a changed text.

import type { TextEdit as LspTextEdit, WorkspaceEdit } from "vscode-languageserver/node";
import { getOrInsert } from "../base/get-or-insert.ts";
import { distinct } from "./analysis/features/fixes/fix-all.ts";
import type { TextEdit } from "./analysis/model/findings.ts";
import { openUri, type Session } from "./session.ts";

export function toWorkspaceEdit(session: Session, edits: readonly TextEdit[]): WorkspaceEdit {
  const { client, documents } = session;
  const positions = session.positions();
  const byUri = new Map<string, LspTextEdit[]>();
  for (const edit of distinct(edits)) {
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
