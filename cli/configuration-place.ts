// Where a field of the configuration stands in the pack's sources: what the editor opens, for the command line to name. A bundle of its
// own, loaded where something failed.
import type { SourceLocation } from "../protocol/run.ts";
import { createAnalysis } from "../server/analysis/analysis.ts";
import { locate } from "../server/analysis/outline.ts";
import { createDisk, realPath } from "./disk.ts";
import { slashes } from "./files.ts";
import { positionAt } from "./lines.ts";

/** Undefined where the source does not tell. `entry` is absolute; `configPath` such as `userAuthentication.tokenUrl`. */
export function configurationPlace(entry: string, configPath: string): SourceLocation | undefined {
  const path = slashes(entry);
  const analysis = createAnalysis({ readFile: createDisk().read, realPath });
  analysis.addCandidates([path]);
  const place = locate(analysis.packsOf(path), path, configPath);
  const text = place === undefined ? undefined : analysis.text(place.file);
  return place === undefined || text === undefined ? undefined : { path: place.file, ...positionAt(text, place.start) };
}
