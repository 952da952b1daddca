// Symbols, links, hints and colours of a file: what stands where, for the editor's outline and decorations.
import {
  type DocumentSymbol,
  InlayHintKind,
  MarkupKind,
  SemanticTokensBuilder,
  type SemanticTokensOptions,
  type SymbolInformation,
  SymbolKind,
} from "vscode-languageserver/node";
import { defaultsIn } from "../analysis/defaults.ts";
import { linksIn } from "../analysis/links.ts";
import type { PackModel, Span } from "../analysis/model.ts";
import { namesIn } from "../analysis/param-occurrences.ts";
import { type PackSymbol, symbolsIn } from "../analysis/symbols.ts";
import { toOffset, toPosition, toRange } from "../convert.ts";
import type { Session } from "../session.ts";
import { settingsOf } from "../settings.ts";

export const semanticTokensOptions: SemanticTokensOptions = {
  full: true,
  legend: { tokenTypes: ["parameter"], tokenModifiers: ["declaration"] },
};

const KINDS: Readonly<Record<PackSymbol["kind"], SymbolKind>> = {
  authentication: SymbolKind.Key,
  param: SymbolKind.Property,
  formula: SymbolKind.Function,
  syncTable: SymbolKind.Struct,
};

export function handleOutline(session: Session): void {
  const { connection, analysis } = session;
  /** What is made of the file's packs; `otherwise` for a file that is none of ours. */
  const within = <T>(uri: string, otherwise: T, make: (packs: readonly PackModel[], path: string, text: string) => T): T => {
    const path = session.path(uri);
    return path === undefined
      ? otherwise
      : session.safely("outline", otherwise, () => make(analysis.packsOf(path), path, session.text(path)));
  };
  const rangeIn = (text: string) => (span: Span) => toRange(text, span, session.client.encoding);

  connection.onDocumentSymbol(({ textDocument: { uri } }) =>
    within<DocumentSymbol[] | SymbolInformation[]>(uri, [], (packs, path, text) => {
      const range = rangeIn(text);
      const nested = ({ name, detail, kind, span, nameSpan, children }: PackSymbol): DocumentSymbol => ({
        name,
        detail,
        kind: KINDS[kind],
        range: range(span),
        selectionRange: range(nameSpan),
        children: children.map(nested),
      });
      const flat = ({ name, kind, span, children }: PackSymbol, containerName?: string): SymbolInformation[] => [
        { name, kind: KINDS[kind], location: { uri, range: range(span) }, ...(containerName === undefined ? {} : { containerName }) },
        ...children.flatMap((child) => flat(child, name)),
      ];
      const symbols = symbolsIn(packs, path);
      return session.client.hierarchicalSymbols ? symbols.map(nested) : symbols.flatMap((symbol) => flat(symbol));
    }),
  );

  connection.onDocumentLinks(({ textDocument: { uri } }) =>
    within(uri, [], (packs, path, text) =>
      linksIn(packs, path).map(({ span, target, tooltip }) => ({ range: rangeIn(text)(span), target, tooltip })),
    ),
  );

  connection.languages.inlayHint.on(({ textDocument: { uri }, range }) =>
    within(uri, [], (packs, path, text) => {
      if (!settingsOf(session, path).inlayHints.enabled) return [];
      const { encoding } = session.client;
      const [start, end] = [toOffset(text, range.start, encoding), toOffset(text, range.end, encoding)];
      return defaultsIn(packs, path)
        .filter(({ offset }) => offset >= start && offset <= end)
        .map(({ offset, label, docs }) => ({
          position: toPosition(text, offset, encoding),
          label,
          kind: InlayHintKind.Parameter,
          tooltip: { kind: MarkupKind.Markdown, value: docs },
          paddingLeft: true,
        }));
    }),
  );

  connection.languages.semanticTokens.on(({ textDocument: { uri } }) =>
    within(uri, { data: [] }, (packs, path, text) => {
      const builder = new SemanticTokensBuilder();
      const range = rangeIn(text);
      for (const { start, end, kind } of namesIn(packs, path)) {
        const at = range({ start, end });
        builder.push(at.start.line, at.start.character, at.end.character - at.start.character, 0, kind === "placeholder" ? 0 : 1);
      }
      return builder.build();
    }),
  );
}
