// Rename, references, definition and highlights of Custom params and their placeholders. Where none stands the answer is null, so that
// the editor asks the language's own server.
import { DocumentHighlightKind, ErrorCodes, type Location, LSPErrorCodes, ResponseError } from "vscode-languageserver/node";
import type { Place } from "../analysis/model.ts";
import { type ParamOccurrences, paramAt } from "../analysis/param-occurrences.ts";
import { nameProblem, renameEdits, renameObstacle } from "../analysis/rename-param.ts";
import { toOffset, toPosition, toRange } from "../convert.ts";
import type { Session } from "../session.ts";
import { openUri, toWorkspaceEdit } from "../workspace-edit.ts";

export const renameOptions = { prepareProvider: true };

interface At {
  readonly textDocument: { readonly uri: string };
  readonly position: { readonly line: number; readonly character: number };
}

export function handleParams(session: Session): void {
  const { connection, analysis } = session;
  const rangeOf = (place: Place) => toRange(session.text(place.file), place, session.client.encoding);
  const lineOf = ({ file, start }: { readonly file: string; readonly start: number }): number =>
    toPosition(session.text(file), start, session.client.encoding).line + 1;
  /** What is made of the param at the position; null where there is none. */
  const withParam = <T>({ textDocument, position }: At, make: (param: ParamOccurrences, path: string) => T): T | null => {
    const path = session.path(textDocument.uri);
    if (path === undefined) return null;
    return session.safely("params", null, () => {
      const param = paramAt(analysis.packsOf, path, toOffset(session.text(path), position, session.client.encoding));
      return param === undefined ? null : make(param, path);
    });
  };
  const refuse = (why: string) => new ResponseError<void>(LSPErrorCodes.RequestFailed, why);

  connection.onPrepareRename((params) =>
    withParam(params, (param, path) => {
      const obstacle = renameObstacle(param, lineOf);
      return obstacle === undefined ? { range: rangeOf({ file: path, ...param.here }), placeholder: param.name } : refuse(obstacle);
    }),
  );
  connection.onRenameRequest((params) =>
    withParam(params, (param) => {
      const packs = [...new Set(param.all.flatMap(({ file }) => analysis.packsOf(file)))];
      const problem = renameObstacle(param, lineOf) ?? nameProblem(packs, param, params.newName);
      if (problem !== undefined) return new ResponseError<void>(ErrorCodes.InvalidParams, problem);
      return toWorkspaceEdit(session, renameEdits(param, params.newName));
    }),
  );
  const locations = (places: readonly Place[]): Location[] =>
    places.map((place) => ({ uri: openUri(session, place.file), range: rangeOf(place) }));
  connection.onReferences((params) =>
    withParam(params, ({ all }) => locations(params.context.includeDeclaration ? all : all.filter(({ kind }) => kind === "placeholder"))),
  );
  connection.onDefinition((params) =>
    withParam(params, ({ all }) => {
      const declared = all.filter(({ kind }) => kind === "declaration");
      return locations(declared.length > 0 ? declared : all.filter(({ kind }) => kind === "constant"));
    }),
  );
  connection.onDocumentHighlight((params) =>
    withParam(params, ({ all }, path) =>
      all
        .filter(({ file }) => file === path)
        .map((place) => ({
          range: rangeOf(place),
          kind: place.kind === "placeholder" ? DocumentHighlightKind.Read : DocumentHighlightKind.Write,
        })),
    ),
  );
}
