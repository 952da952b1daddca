// Whole configurations as ghost text in an empty setter call: Tab accepts one, and Enter stays a new line.
import type { InlineCompletionItem } from "vscode-languageserver/node";
import { withoutStops } from "../analysis/features/completions/snippet.ts";
import { type Completion, completionsAt } from "../analysis/features/completions.ts";
import { indentOf } from "../analysis/text/edit.ts";
import type { Positions } from "../positions.ts";
import type { Session } from "../session.ts";
import { inLines } from "./completion.ts";

export function handleInlineCompletion(session: Session): void {
  session.connection.languages.inlineCompletion.on(({ textDocument, position }) =>
    session.about("inline completion", textDocument.uri, [], (path, positions) => {
      const offset = positions.offset(path, position);
      // Most keystrokes are not after a brace.
      if (!/\{\s*$/.test(positions.text(path).slice(Math.max(0, offset - MOST_BLANKS), offset))) return [];
      return (
        completionsAt(session.analysis.packsOf(path), path, offset)
          // Ghost text cannot add an import or a declared domain elsewhere.
          .filter(({ kind, also }) => kind === "configuration" && also === undefined)
          .map((completion) => toItem(session, completion, path, positions))
      );
    }),
  );
}

/** Maximum number of characters between the brace and the cursor. */
const MOST_BLANKS = 200;

function toItem({ client }: Session, { snippet, span }: Completion, path: string, positions: Positions): InlineCompletionItem {
  const text = positions.text(path);
  const indent = indentOf(text, span.start);
  const startsLine = text.slice(0, span.start).endsWith(`\n${indent}`) && indent !== "";
  // If the range begins at the start of its line, clients do not indent the snippet's lines again.
  const range = positions.range(path, startsLine ? { start: span.start - indent.length, end: span.end } : span);
  const formatLines = (lines: string): string => (startsLine ? indent : "") + inLines(lines, text, span.start, false);
  const hasStops = client.snippets && (indent === "" || startsLine);
  return { range, insertText: hasStops ? { kind: "snippet", value: formatLines(snippet) } : formatLines(withoutStops(snippet)) };
}
