// Reads a pack's sources after a run: the places of fields and metadata, and what the code reads of a response. A bundle of its own,
// loaded only if a run failed or the sandbox echoed a request.
import type { ResponseReads, SourceLocation } from "../../protocol/run.ts";
import type { MetadataPath } from "../../protocol/validation.ts";
import { createAnalysis } from "../../server/analysis/analysis.ts";
import { locateMetadata } from "../../server/analysis/features/locate-metadata.ts";
import { locate } from "../../server/analysis/features/outline.ts";
import type { PackModel } from "../../server/analysis/model/pack.ts";
import type { FileSpan } from "../../server/analysis/model/values.ts";
import { findResponseReads } from "../../server/analysis/responses/response-reads.ts";
import { positionAt } from "../../server/analysis/text/lines.ts";
import { slashes } from "../terminal/short-path.ts";
import { createDisk, realPath } from "./disk.ts";

/**
 * Returns the place of a configuration field. Returns undefined if the source does not show the place. `entry` is absolute; `configPath` is
 * a path such as `userAuthentication.tokenUrl`.
 */
export const configurationPlace = (entry: string, configPath: string): SourceLocation | undefined =>
  placesIn(entry, (packs, path) => [locate(packs, path, configPath)])[0];

/** Returns, for each path in the metadata of the pack, the location of what it means; undefined if the source does not show it. */
export const metadataPlaces = (entry: string, paths: readonly MetadataPath[]): readonly (SourceLocation | undefined)[] =>
  placesIn(entry, (packs, path) => {
    const pack = packs.find((each) => each.entry === path);
    return paths.map((metadataPath) => pack && locateMetadata(pack, metadataPath));
  });

function placesIn(
  entry: string,
  find: (packs: readonly PackModel[], path: string) => readonly (FileSpan | undefined)[],
): readonly (SourceLocation | undefined)[] {
  const path = slashes(entry);
  const analysis = createAnalysis({ readFile: createDisk().read, realPath });
  analysis.addCandidates([path]);
  return find(analysis.packsOf(path), path).map((place) => {
    const text = place === undefined ? undefined : analysis.text(place.file);
    return place === undefined || text === undefined ? undefined : { path: place.file, ...positionAt(text, place.start) };
  });
}

/** Returns what the code reads of a response, starting at the calls that sent the request; undefined if the source does not show it. */
export const readsOf = (calls: readonly SourceLocation[]): ResponseReads | undefined =>
  findResponseReads(
    createDisk().read,
    calls.map((call) => ({ ...call, path: slashes(call.path) })),
  );
