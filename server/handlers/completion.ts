// Completions, and their documentation on demand.

import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionParams,
  CompletionTriggerKind,
  InsertTextFormat,
  InsertTextMode,
  MarkupKind,
} from "vscode-languageserver/node";
import { defined } from "../../base/defined.ts";
import { withoutStops } from "../analysis/features/completions/snippet.ts";
import { type Completion, completionsAt } from "../analysis/features/completions.ts";
import { eolOf, indentOf, unitOf } from "../analysis/text/edit.ts";
import type { Positions } from "../positions.ts";
import type { Session } from "../session.ts";

export const completionOptions = { resolveProvider: true, triggerCharacters: ["{", '"', "'", "`", ".", ":", " "] };

/**
 * Whether the typed character requests completions. An open list would take the Enter for a new line, so an opening brace or a comma opens
 * none. There, the author requests it, or it comes with the first letter.
 */
function isRequested({ context }: CompletionParams, before: string): boolean {
  if (context?.triggerKind !== CompletionTriggerKind.TriggerCharacter) return true;
  if (context.triggerCharacter === "{") return before.endsWith("{{");
  return context.triggerCharacter !== " " || before.endsWith(": ");
}

const KINDS: Readonly<Record<Completion["kind"], CompletionItemKind>> = {
  field: CompletionItemKind.Field,
  enumMember: CompletionItemKind.EnumMember,
  value: CompletionItemKind.Value,
  function: CompletionItemKind.Function,
  configuration: CompletionItemKind.Snippet,
};

export function handleCompletion(session: Session): void {
  /** The last completions, whose documentation the client requests while it shows them. */
  let offered: readonly Completion[] = [];
  let list = 0;
  session.connection.onCompletion((params) =>
    session.about("completion", params.textDocument.uri, [], (path, positions) => {
      const offset = positions.offset(path, params.position);
      if (!isRequested(params, positions.text(path).slice(Math.max(0, offset - 2), offset))) return [];
      offered = completionsAt(session.analysis.packsOf(path), path, offset);
      list++;
      return offered.map((completion, index) => toItem(session, completion, path, positions, { list, index }));
    }),
  );
  session.connection.onCompletionResolve((item) => {
    const { list: of, index } = (item.data ?? {}) as { list?: number; index?: number };
    const completion = of === list && index !== undefined ? offered[index] : undefined;
    return completion === undefined
      ? item
      : { ...item, documentation: { kind: MarkupKind.Markdown, value: session.safely("notes", "", completion.docs) } };
  });
}

function toItem({ client }: Session, completion: Completion, path: string, positions: Positions, data: unknown): CompletionItem {
  const { label, kind, sort, span, also, filter, detail } = completion;
  const isSnippet = client.snippets && /(?<!\\)\$/.test(completion.snippet);
  return {
    label,
    kind: KINDS[kind],
    sortText: sort,
    insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    ...(client.indents ? { insertTextMode: InsertTextMode.adjustIndentation } : {}),
    textEdit: {
      range: positions.range(path, span),
      newText: inLines(isSnippet ? completion.snippet : withoutStops(completion.snippet), positions.text(path), span.start, client.indents),
    },
    ...(also === undefined
      ? {}
      : { additionalTextEdits: also.map((edit) => ({ range: positions.range(path, edit), newText: edit.text })) }),
    ...defined({ filterText: filter, detail }),
    data,
  };
}

/** Returns the inserted lines with the file's indentation and line ends. Indents them like the current line unless the client does so. */
export function inLines(inserted: string, text: string, offset: number, clientIndents: boolean): string {
  if (!inserted.includes("\n")) return inserted;
  const unit = unitOf(text);
  const before = clientIndents ? "" : indentOf(text, offset);
  const lines = inserted.split("\n").map((line, index) => {
    const [blanks = ""] = /^(?: {2})*/.exec(line) ?? [];
    return (index === 0 ? "" : before) + unit.repeat(blanks.length / 2) + line.slice(blanks.length);
  });
  return lines.join(eolOf(text));
}
