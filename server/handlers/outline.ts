// Symbols, links, inlay hints and semantic tokens of a file, for the editor's outline and decorations.

import {
  type DocumentSymbol,
  InlayHintKind,
  MarkupKind,
  SemanticTokensBuilder,
  type SemanticTokensOptions,
  type SymbolInformation,
  SymbolKind,
} from "vscode-languageserver/node";
import { defined } from "../../base/defined.ts";
import { namesIn } from "../analysis/configuration/param-occurrences.ts";
import { defaultsIn } from "../analysis/features/defaults.ts";
import { linksIn } from "../analysis/features/links.ts";
import { type PackSymbol, symbolsIn } from "../analysis/features/symbols.ts";
import type { PackModel } from "../analysis/model/pack.ts";
import type { Span } from "../analysis/model/values.ts";
import type { Positions } from "../positions.ts";
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
  /** Returns the result for the file's packs, or `otherwise` if the URI is not a file or the work fails. */
  const within = <T>(uri: string, otherwise: T, make: (packs: readonly PackModel[], path: string, positions: Positions) => T): T =>
    session.about("outline", uri, otherwise, (path, positions) => make(analysis.packsOf(path), path, positions));

  connection.onDocumentSymbol(({ textDocument: { uri } }) =>
    within<DocumentSymbol[] | SymbolInformation[]>(uri, [], (packs, path, positions) => {
      const range = (span: Span) => positions.range(path, span);
      const nested = ({ name, detail, kind, span, nameSpan, children }: PackSymbol): DocumentSymbol => ({
        name,
        detail,
        kind: KINDS[kind],
        range: range(span),
        selectionRange: range(nameSpan),
        children: children.map(nested),
      });
      const flat = ({ name, kind, span, children }: PackSymbol, containerName?: string): SymbolInformation[] => [
        { name, kind: KINDS[kind], location: { uri, range: range(span) }, ...defined({ containerName }) },
        ...children.flatMap((child) => flat(child, name)),
      ];
      const symbols = symbolsIn(packs, path);
      return session.client.hierarchicalSymbols ? symbols.map(nested) : symbols.flatMap((symbol) => flat(symbol));
    }),
  );

  connection.onDocumentLinks(({ textDocument: { uri } }) =>
    within(uri, [], (packs, path, positions) =>
      linksIn(packs, path).map(({ span, target, tooltip }) => ({ range: positions.range(path, span), target, tooltip })),
    ),
  );

  connection.languages.inlayHint.on(({ textDocument: { uri }, range }) =>
    within(uri, [], (packs, path, positions) => {
      if (!settingsOf(session, path).inlayHints.enabled) return [];
      const [start, end] = [positions.offset(path, range.start), positions.offset(path, range.end)];
      return defaultsIn(packs, path)
        .filter(({ offset }) => offset >= start && offset <= end)
        .map(({ offset, label, docs }) => ({
          position: positions.position(path, offset),
          label,
          kind: InlayHintKind.Parameter,
          tooltip: { kind: MarkupKind.Markdown, value: docs },
          paddingLeft: true,
        }));
    }),
  );

  connection.languages.semanticTokens.on(({ textDocument: { uri } }) =>
    within(uri, { data: [] }, (packs, path, positions) => {
      const builder = new SemanticTokensBuilder();
      for (const { start, end, kind } of namesIn(packs, path)) {
        const at = positions.range(path, { start, end });
        builder.push(at.start.line, at.start.character, at.end.character - at.start.character, 0, kind === "placeholder" ? 0 : 1);
      }
      return builder.build();
    }),
  );
}
