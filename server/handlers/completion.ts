import { CompletionItemKind, InsertTextFormat } from "vscode-languageserver/node";
import { completionsAt } from "../analysis/completions.ts";
import { toOffset, toRange } from "../convert.ts";
import type { Session } from "../session.ts";

export const completionOptions = { triggerCharacters: ["{", '"', "'", "`", ".", ":", " ", ","] };

const KINDS = { field: CompletionItemKind.Field, enumMember: CompletionItemKind.EnumMember, value: CompletionItemKind.Value } as const;

export function handleCompletion(session: Session): void {
  session.connection.onCompletion(({ textDocument, position }) => {
    const path = session.path(textDocument.uri);
    if (path === undefined) return [];
    return session.safely("completion", [], () => {
      const text = session.text(path);
      return completionsAt(session.analysis.packsOf(path), path, toOffset(text, position, session.client.encoding)).map((completion) => ({
        label: completion.label,
        kind: KINDS[completion.kind],
        sortText: completion.sort,
        documentation: { kind: "markdown" as const, value: completion.docs },
        insertTextFormat: completion.snippet && session.client.snippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
        textEdit: {
          range: toRange(text, completion.span, session.client.encoding),
          newText: completion.snippet && !session.client.snippets ? withoutStops(completion.text) : completion.text,
        },
        ...(completion.detail === undefined ? {} : { detail: completion.detail }),
      }));
    });
  });
}

function withoutStops(snippet: string): string {
  return snippet
    .replace(/\$\{\d+:((?:\\.|[^}\\])*)\}/g, "$1")
    .replace(/\$\d+/g, "")
    .replace(/\\([$}\\])/g, "$1");
}
