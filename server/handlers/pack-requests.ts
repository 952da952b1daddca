// Handles the requests of protocol/editor.ts, which the VS Code client needs for code lenses and for links to the configuration.

import type { WorkspaceEdit } from "vscode-languageserver/node";
import { defined } from "../../base/defined.ts";
import {
  DECLARE_DOMAIN_REQUEST,
  type DeclareDomainParams,
  type EditableDifference,
  FIX_ALL_REQUEST,
  type FixAllParams,
  type FixedAll,
  LOCATE_REQUEST,
  type LocateParams,
  OUTLINE_CHANGED,
  OUTLINE_REQUEST,
  type OutlineParams,
  PACKS_REQUEST,
  type PackOutline,
  type PackSummary,
  RESPONSE_READS_REQUEST,
  type ResponseReadsParams,
  SCHEMA_DIFFERENCES_REQUEST,
  type SchemaDifferencesParams,
} from "../../protocol/editor.ts";
import type { ResponseReads } from "../../protocol/run.ts";
import { LOCATE_METADATA_REQUEST, type LocateMetadataParams } from "../../protocol/validation.ts";
import { declareHost } from "../analysis/configuration/declare-domain.ts";
import { createDraft } from "../analysis/draft.ts";
import { fixedText, unasked } from "../analysis/features/fixes/fix-all.ts";
import { fixInRounds } from "../analysis/features/fixes/fix-rounds.ts";
import { locateMetadata } from "../analysis/features/locate-metadata.ts";
import { locate, outlineOf } from "../analysis/features/outline.ts";
import { schemaDifferences } from "../analysis/features/schema-differences.ts";
import { isHostName } from "../analysis/features/source-report.ts";
import type { Place } from "../analysis/model/values.ts";
import { findResponseReads } from "../analysis/responses/response-reads.ts";
import { toUri } from "../convert.ts";
import type { Positions } from "../positions.ts";
import type { Session } from "../session.ts";
import { openUri } from "../session.ts";
import { configureAnalysis } from "../settings.ts";
import { toWorkspaceEdit } from "../workspace-edit.ts";

export function handlePackRequests(session: Session): void {
  const { connection, analysis } = session;
  const placed = (place: Place, positions: Positions) => ({ uri: openUri(session, place.file), range: positions.range(place.file, place) });
  connection.onRequest(OUTLINE_REQUEST, ({ uri }: OutlineParams) =>
    session.about("outline", uri, null, (path, positions): PackOutline | null => {
      const [pack] = analysis.packsOf(path);
      if (pack === undefined) return null;
      const { authentications, runnables, mcpServers, packCalls, hasNoAuthentication } = outlineOf(pack);
      return {
        entry: toUri(pack.entry),
        toolkit: { ...defined({ version: pack.toolkit?.version, install: pack.missingToolkit?.install }) },
        authentications: authentications.map(({ place, ...rest }) => ({ ...rest, ...placed(place, positions) })),
        runnables: runnables.map(({ place, ...rest }) => ({ ...rest, ...placed(place, positions) })),
        mcpServers: mcpServers.map(({ place, name }) => ({ name, ...placed(place, positions) })),
        packCalls: packCalls.map((place) => placed(place, positions)),
        hasNoAuthentication,
      };
    }),
  );
  connection.onRequest(PACKS_REQUEST, (): readonly PackSummary[] =>
    session.safely("packs", [], () =>
      analysis.packs().map((entry) => {
        const packModel = analysis.packsOf(entry).find((pack) => pack.entry === entry);
        return { entry: toUri(entry), lacksToolkit: packModel?.missingToolkit !== undefined };
      }),
    ),
  );
  connection.onRequest(LOCATE_REQUEST, ({ entry, configPath }: LocateParams) =>
    session.about("locate", entry, null, (path, positions) => {
      const place = locate(analysis.packsOf(path), path, configPath);
      return place === undefined ? null : placed(place, positions);
    }),
  );
  connection.onRequest(LOCATE_METADATA_REQUEST, ({ entry, paths }: LocateMetadataParams) =>
    session.about("locateMetadata", entry, paths.map(noPlace), (path, positions) => {
      const pack = analysis.packsOf(path).find((each) => each.entry === path);
      return paths.map((metadataPath) => {
        const place = pack && locateMetadata(pack, metadataPath);
        return place === undefined ? null : placed(place, positions);
      });
    }),
  );
  connection.onRequest(DECLARE_DOMAIN_REQUEST, ({ entry, host }: DeclareDomainParams) =>
    session.about("declareDomain", entry, null, (path): WorkspaceEdit | null => {
      const pack = analysis.packsOf(path).find((each) => each.entry === path);
      const [fix] = pack === undefined || !isHostName(host) ? [] : declareHost(pack, host);
      return fix === undefined ? null : toWorkspaceEdit(session, fix.edits);
    }),
  );
  connection.onRequest(SCHEMA_DIFFERENCES_REQUEST, ({ entry, name, fields }: SchemaDifferencesParams) =>
    session.about("schemaDifferences", entry, null, (path): readonly EditableDifference<WorkspaceEdit>[] | null => {
      const pack = analysis.packsOf(path).find((each) => each.entry === path);
      const differences = pack === undefined ? undefined : schemaDifferences(pack, name, fields);
      return differences?.map(({ edits, ...difference }) => ({ ...difference, edit: toWorkspaceEdit(session, edits) })) ?? null;
    }),
  );
  connection.onRequest(FIX_ALL_REQUEST, ({ uri }: FixAllParams) =>
    session.about("fixAll", uri, null, (path): FixedAll<WorkspaceEdit> | null => {
      if (analysis.packsOf(path).length === 0) return null;
      const draft = createDraft(analysis, path, (other) => configureAnalysis(session, other));
      const { edits, fixed, left } = fixInRounds(draft, path, unasked);
      return {
        edit: edits.length === 0 ? null : toWorkspaceEdit(session, edits),
        summary: fixed === 0 && left === 0 ? "There is nothing to fix." : fixedText(fixed, left),
      };
    }),
  );
  connection.onRequest(RESPONSE_READS_REQUEST, ({ calls }: ResponseReadsParams): ResponseReads | null =>
    session.safely("answerReads", null, () => {
      const places = calls.flatMap(({ uri, position }) => {
        const path = session.path(uri);
        return path === undefined ? [] : [{ path, ...position }];
      });
      return findResponseReads((path) => analysis.text(path), places) ?? null;
    }),
  );
}

const noPlace = (): null => null;

let pending: NodeJS.Timeout | undefined;

/** Notifies the client a moment after typing stops, which is soon enough for code lenses. */
export function outlineChanged(session: Session): void {
  if (!session.client.hearsOfOutline) return;
  pending ??= setTimeout(() => void session.connection.sendNotification(OUTLINE_CHANGED), 300).unref();
  pending.refresh();
}
