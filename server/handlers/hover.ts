import { hoverAt } from "../analysis/hover.ts";
import { toOffset, toRange } from "../convert.ts";
import type { Session } from "../session.ts";

export function handleHover(session: Session): void {
  session.connection.onHover(({ textDocument, position }) => {
    const path = session.path(textDocument.uri);
    if (path === undefined) return null;
    return session.safely("hover", null, () => {
      const text = session.text(path);
      const hover = hoverAt(session.analysis.packsOf(path), path, toOffset(text, position, session.client.encoding));
      return hover === undefined
        ? null
        : { contents: { kind: "markdown" as const, value: hover.text }, range: toRange(text, hover.span, session.client.encoding) };
    });
  });
}
