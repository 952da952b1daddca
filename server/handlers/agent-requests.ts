// Handles the requests of protocol/editor.ts that agents' tools in the editor need.
import { setImmediate } from "node:timers/promises";
import { type CancellationToken, LSPErrorCodes, ResponseError } from "vscode-languageserver/node";
import type { CheckedSources, OutlinedPack, SourceAnswer } from "../../protocol/agents.ts";
import {
  CHECK_SOURCES_REQUEST,
  type CheckSourcesParams,
  OUTLINE_SOURCES_REQUEST,
  type OutlineSourcesParams,
  RULE_PAGES_REQUEST,
} from "../../protocol/editor.ts";
import { readFindings, readOutline } from "../agent-sources.ts";
import { rulePages } from "../analysis/features/source-report.ts";
import type { Session } from "../session.ts";

export function handleAgentRequests(session: Session): void {
  const { connection } = session;
  connection.onRequest<SourceAnswer<CheckedSources>, void>(
    CHECK_SOURCES_REQUEST,
    ({ folder, uris }: CheckSourcesParams, token: CancellationToken) =>
      readFindings(
        session,
        pathOf(session, folder),
        uris.map((uri) => pathOf(session, uri)),
        async () => {
          // Other messages, such as the cancellation, are handled between two files.
          await setImmediate();
          if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, "The check was cancelled.");
        },
      ),
  );
  connection.onRequest<SourceAnswer<OutlinedPack | null>, void>(OUTLINE_SOURCES_REQUEST, ({ folder, entry }: OutlineSourcesParams) =>
    readOutline(session, pathOf(session, folder), pathOf(session, entry)),
  );
  connection.onRequest(RULE_PAGES_REQUEST, rulePages);
}

function pathOf({ path }: Session, uri: string): string {
  const file = path(uri);
  if (file === undefined) throw new ResponseError(LSPErrorCodes.RequestFailed, `${uri} is not a file.`);
  return file;
}
