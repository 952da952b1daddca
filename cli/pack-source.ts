// Reads a pack's sources after a run: the place of a configuration field, and what the code reads of a response. A bundle of its own,
// loaded only if a run failed or the sandbox echoed a request.
import type { ResponseReads, SourceLocation } from "../protocol/run.ts";
import { createAnalysis } from "../server/analysis/analysis.ts";
import { locate } from "../server/analysis/features/outline.ts";
import { findResponseReads } from "../server/analysis/responses/response-reads.ts";
import { positionAt } from "../server/analysis/text/lines.ts";
import { createDisk, realPath } from "./check/disk.ts";
import { slashes } from "./check/files.ts";

/**
 * Returns undefined if the source does not show the place. `entry` is absolute; `configPath` is a path such as
 * `userAuthentication.tokenUrl`.
 */
export function configurationPlace(entry: string, configPath: string): SourceLocation | undefined {
  const path = slashes(entry);
  const analysis = createAnalysis({ readFile: createDisk().read, realPath });
  analysis.addCandidates([path]);
  const place = locate(analysis.packsOf(path), path, configPath);
  const text = place === undefined ? undefined : analysis.text(place.file);
  return place === undefined || text === undefined ? undefined : { path: place.file, ...positionAt(text, place.start) };
}

/** Returns what the code reads of a response, starting at the calls that sent the request; undefined if the source does not show it. */
export const readsOf = (calls: readonly SourceLocation[]): ResponseReads | undefined =>
  findResponseReads(
    createDisk().read,
    calls.map((call) => ({ ...call, path: slashes(call.path) })),
  );
