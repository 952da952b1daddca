// Hovers.
import { MarkupKind } from "vscode-languageserver/node";
import { hoverAt } from "../analysis/features/hover.ts";
import type { Session } from "../session.ts";

export function handleHover(session: Session): void {
  session.connection.onHover(({ textDocument, position }) =>
    session.about("hover", textDocument.uri, null, (path, positions) => {
      const hover = hoverAt(session.analysis.packsOf(path), path, positions.offset(path, position));
      if (hover === undefined) return null;
      return { contents: { kind: MarkupKind.Markdown, value: hover.text }, range: positions.range(path, hover.span) };
    }),
  );
}
