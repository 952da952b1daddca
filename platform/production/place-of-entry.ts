// Where a log entry leads in the pack's sources: the line that threw, else the formula. It never guesses a line of another version.
import { getOrInsert } from "../../base/get-or-insert.ts";
import type { SourceLocation } from "../../protocol/run.ts";
import type { LogEntry } from "../public-api/public-api.ts";
import type { PublishedPack } from "../public-api/published-pack.ts";
import { type LocatedStack, type LocateOptions, locateStack } from "../upload/locate-stack.ts";
import { storedSourceMap, type UploadedMap } from "../upload/source-maps.ts";
import { errorOf } from "./logs.ts";

export interface EntryPlace {
  /** Absent if the sources do not show a place. */
  readonly location?: SourceLocation;
  /** Why there is no place, or why it is not exactly the one of the entry. Whole sentences. */
  readonly remark?: string;
}

export interface SourceLocator {
  /** Returns "no-map" if no source map of the version is stored, and undefined if no frame is of the pack's own sources. */
  locateStack(packVersion: string, stack: string): Promise<Pick<LocatedStack, "location" | "isSameSource"> | "no-map" | undefined>;
  /** Returns the place of a formula or sync table by its name. */
  locateFormula(name: string): Promise<SourceLocation | undefined>;
}

/** Returns how stacks are located with the source maps of the versions that were uploaded from here. Each map is read once. */
export function stackLocator(
  storageFolder: string,
  { origin, packId }: PublishedPack,
  options: LocateOptions,
): SourceLocator["locateStack"] {
  const maps = new Map<string, UploadedMap | undefined>();
  return async (version, stack) => {
    const map = getOrInsert(maps, version, () => storedSourceMap(storageFolder, { origin, packId, version }));
    return map === undefined ? "no-map" : locateStack(stack, map, options);
  };
}

/** Returns the line that threw, else the formula, and says why if it is neither or not exactly that. */
export async function placeOfEntry(entry: LogEntry, locator: SourceLocator): Promise<EntryPlace> {
  const { packVersion, formulaName } = entry;
  const stack = errorOf(entry)?.stack;
  const frame = stack === undefined ? undefined : await locator.locateStack(packVersion, stack);
  if (frame !== undefined && frame !== "no-map")
    return frame.isSameSource
      ? { location: frame.location }
      : {
          location: frame.location,
          remark: `This line may be another one. The source differs from version ${packVersion}, which logged the entry.`,
        };
  const location = formulaName === "" ? undefined : await locator.locateFormula(formulaName);
  if (location === undefined)
    return { remark: formulaName === "" ? "The entry names neither a formula nor a line." : formulaMissing(entry) };
  if (frame === "no-map")
    return {
      location,
      remark: `This is the formula, and not the line of the error. Pack Auth uploaded no version ${packVersion} from here, so it has no source map of it.`,
    };
  return { location };
}

/** Says that the source has no formula or sync table of the entry's name. */
export const formulaMissing = ({ formulaName, packVersion }: LogEntry): string =>
  `The source has no ${formulaName}. Version ${packVersion} of the pack, which logged the entry, had it.`;
