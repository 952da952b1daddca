// Rename, references, definition and highlights of Custom params and their placeholders. If there is none at the position, the result is
// null, so that the editor asks the language's own server.
import {
  DocumentHighlightKind,
  ErrorCodes,
  type Location,
  LSPErrorCodes,
  ResponseError,
  type TextDocumentPositionParams,
} from "vscode-languageserver/node";
import { type ParamOccurrences, paramAt } from "../analysis/configuration/param-occurrences.ts";
import { nameProblem, renameEdits, renameObstacle } from "../analysis/features/rename-param.ts";
import type { Place } from "../analysis/model/values.ts";
import type { Positions } from "../positions.ts";
import type { Session } from "../session.ts";
import { openUri } from "../session.ts";
import { toWorkspaceEdit } from "../workspace-edit.ts";

export const renameOptions = { prepareProvider: true };

export function handleParams(session: Session): void {
  const { connection, analysis } = session;
  /** Returns the result for the param at the position, or null if there is none. */
  const withParam = <T>(
    { textDocument, position }: TextDocumentPositionParams,
    make: (param: ParamOccurrences, positions: Positions, path: string) => T,
  ): T | null =>
    session.about<T | null>("params", textDocument.uri, null, (path, positions) => {
      const param = paramAt(analysis.packsOf, path, positions.offset(path, position));
      return param === undefined ? null : make(param, positions, path);
    });
  const refuse = (why: string) => new ResponseError<void>(LSPErrorCodes.RequestFailed, why);
  const obstacleOf = (param: ParamOccurrences, positions: Positions) =>
    renameObstacle(param, ({ file, start }) => positions.position(file, start).line + 1);
  const locations = (places: readonly Place[], positions: Positions): Location[] =>
    places.map((place) => ({ uri: openUri(session, place.file), range: positions.range(place.file, place) }));

  connection.onPrepareRename((params) =>
    withParam(params, (param, positions, path) => {
      const obstacle = obstacleOf(param, positions);
      return obstacle === undefined ? { range: positions.range(path, param.here), placeholder: param.name } : refuse(obstacle);
    }),
  );
  connection.onRenameRequest((params) =>
    withParam(params, (param, positions) => {
      const packs = [...new Set(param.all.flatMap(({ file }) => analysis.packsOf(file)))];
      const problem = obstacleOf(param, positions) ?? nameProblem(packs, param, params.newName);
      if (problem !== undefined) return new ResponseError<void>(ErrorCodes.InvalidParams, problem);
      return toWorkspaceEdit(session, renameEdits(param, params.newName));
    }),
  );
  connection.onReferences((params) =>
    withParam(params, ({ all }, positions) =>
      locations(params.context.includeDeclaration ? all : all.filter(({ kind }) => kind === "placeholder"), positions),
    ),
  );
  connection.onDefinition((params) =>
    withParam(params, ({ all }, positions) => {
      const declared = all.filter(({ kind }) => kind === "declaration");
      return locations(declared.length > 0 ? declared : all.filter(({ kind }) => kind === "constant"), positions);
    }),
  );
  connection.onDocumentHighlight((params) =>
    withParam(params, ({ all }, positions, path) =>
      all
        .filter(({ file }) => file === path)
        .map((place) => ({
          range: positions.range(path, place),
          kind: place.kind === "placeholder" ? DocumentHighlightKind.Read : DocumentHighlightKind.Write,
        })),
    ),
  );
}
