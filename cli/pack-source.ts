// Reads a pack's sources after a run: the place of a configuration field, and what the code reads of a response. A bundle of its own,
// loaded only if a run failed or the sandbox echoed a request.
import type { ResponseReads, SourceLocation } from "../protocol/run.ts";
import type { MetadataPath } from "../protocol/validation.ts";
import { type Analysis, createAnalysis } from "../server/analysis/analysis.ts";
import { locateMetadata } from "../server/analysis/features/locate-metadata.ts";
import { locate } from "../server/analysis/features/outline.ts";
import type { FileSpan } from "../server/analysis/model/values.ts";
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
  const analysis = analysisOf(path);
  return locationOf(analysis, locate(analysis.packsOf(path), path, configPath));
}

/** Returns, for each path in the metadata of the pack, the location of what it means; undefined if the source does not show it. */
export function metadataPlaces(entry: string, paths: readonly MetadataPath[]): readonly (SourceLocation | undefined)[] {
  const path = slashes(entry);
  const analysis = analysisOf(path);
  const pack = analysis.packsOf(path).find((each) => each.entry === path);
  return paths.map((metadataPath) => locationOf(analysis, pack && locateMetadata(pack, metadataPath)));
}

function analysisOf(path: string): Analysis {
  const analysis = createAnalysis({ readFile: createDisk().read, realPath });
  analysis.addCandidates([path]);
  return analysis;
}

function locationOf(analysis: Analysis, place: FileSpan | undefined): SourceLocation | undefined {
  const text = place === undefined ? undefined : analysis.text(place.file);
  return place === undefined || text === undefined ? undefined : { path: place.file, ...positionAt(text, place.start) };
}

/** Returns what the code reads of a response, starting at the calls that sent the request; undefined if the source does not show it. */
export const readsOf = (calls: readonly SourceLocation[]): ResponseReads | undefined =>
  findResponseReads(
    createDisk().read,
    calls.map((call) => ({ ...call, path: slashes(call.path) })),
  );
