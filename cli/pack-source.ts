// What the command line asks of a pack's sources when a run has ended: where a field of the configuration stands, and what the code reads
// of an answer. A bundle of its own, loaded where something failed or was echoed.
import type { ResponseReads, SourceLocation } from "../protocol/run.ts";
import { createAnalysis } from "../server/analysis/analysis.ts";
import { findResponseReads } from "../server/analysis/answers/answer-reads.ts";
import { locate } from "../server/analysis/features/outline.ts";
import { createDisk, realPath } from "./check/disk.ts";
import { slashes } from "./check/files.ts";
import { positionAt } from "./check/lines.ts";

/** Undefined where the source does not tell. `entry` is absolute; `configPath` such as `userAuthentication.tokenUrl`. */
export function configurationPlace(entry: string, configPath: string): SourceLocation | undefined {
  const path = slashes(entry);
  const analysis = createAnalysis({ readFile: createDisk().read, realPath });
  analysis.addCandidates([path]);
  const place = locate(analysis.packsOf(path), path, configPath);
  const text = place === undefined ? undefined : analysis.text(place.file);
  return place === undefined || text === undefined ? undefined : { path: place.file, ...positionAt(text, place.start) };
}

/** What is read of the answer to a request, from the calls that asked for it; undefined where the source does not tell. */
export const readsOf = (calls: readonly SourceLocation[]): ResponseReads | undefined =>
  findResponseReads(
    createDisk().read,
    calls.map((call) => ({ ...call, path: slashes(call.path) })),
  );
