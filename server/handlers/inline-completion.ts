// Whole configurations as ghost text, where a setter has nothing yet: Tab takes one, and Enter stays a new line.
import type { InlineCompletionItem } from "vscode-languageserver/node";
import { withoutStops } from "../analysis/completions/snippet.ts";
import { type Completion, completionsAt } from "../analysis/completions.ts";
import { indentOf } from "../analysis/edit.ts";
import { toOffset, toRange } from "../convert.ts";
import type { Session } from "../session.ts";
import { inLines } from "./completion.ts";

export function handleInlineCompletion(session: Session): void {
  session.connection.languages.inlineCompletion.on(({ textDocument, position }) => {
    const path = session.path(textDocument.uri);
    if (path === undefined) return [];
    return session.safely("inline completion", [], () => {
      const text = session.text(path);
      const offset = toOffset(text, position, session.client.encoding);
      // Most keys are not behind a brace.
      if (!/\{\s*$/.test(text.slice(Math.max(0, offset - MOST_BLANKS), offset))) return [];
      return (
        completionsAt(session.analysis.packsOf(path), path, offset)
          // Ghost text has no import, and no declared domain, beside it.
          .filter(({ kind, also }) => kind === "configuration" && also === undefined)
          .map((completion) => toItem(session, completion, text))
      );
    });
  });
}

/** Between the brace and the cursor. */
const MOST_BLANKS = 200;

function toItem({ client }: Session, { snippet, span }: Completion, text: string): InlineCompletionItem {
  const indent = indentOf(text, span.start);
  const startsLine = text.slice(0, span.start).endsWith(`\n${indent}`) && indent !== "";
  // From the start of its line on, nobody sets the lines of a snippet in once more.
  const range = toRange(text, startsLine ? { start: span.start - indent.length, end: span.end } : span, client.encoding);
  const written = (lines: string): string => (startsLine ? indent : "") + inLines(lines, text, span.start, false);
  const hasStops = client.snippets && (indent === "" || startsLine);
  return { range, insertText: hasStops ? { kind: "snippet", value: written(snippet) } : written(withoutStops(snippet)) };
}
