// Where a log entry leads in the pack's sources: the line that threw, else the formula. It never guesses a line of another version.
import type { SourceLocation } from "../../protocol/run.ts";
import type { LogEntry } from "../public-api/public-api.ts";

export interface EntryPlace {
  /** Absent if the sources do not show a place. */
  readonly location?: SourceLocation;
  /** Why there is no place, or why it is not exactly the one of the entry. Whole sentences. */
  readonly remark?: string;
}

/** A line of the uploaded sources, and whether the file has the text that was uploaded. */
export interface StackPlace {
  readonly location: SourceLocation;
  readonly isSameSource: boolean;
}

export interface PackSources {
  /** Returns "no-map" if no source map of the version is stored, and undefined if no frame is of the pack's own sources. */
  locateStack(packVersion: string, stack: string): Promise<StackPlace | "no-map" | undefined>;
  /** Returns the place of a formula or sync table by its name. */
  locateFormula(name: string): Promise<SourceLocation | undefined>;
}

export async function placeOfEntry(entry: LogEntry, sources: PackSources): Promise<EntryPlace> {
  const { packVersion, formulaName } = entry;
  const stack = stackOf(entry);
  const frame = stack === undefined ? undefined : await sources.locateStack(packVersion, stack);
  if (frame !== undefined && frame !== "no-map")
    return frame.isSameSource
      ? { location: frame.location }
      : {
          location: frame.location,
          remark: `This line may be another one. The source differs from version ${packVersion}, which logged the entry.`,
        };
  const location = formulaName === "" ? undefined : await sources.locateFormula(formulaName);
  if (location === undefined)
    return {
      remark:
        formulaName === ""
          ? "The entry names neither a formula nor a line."
          : `The source has no ${formulaName}. Version ${packVersion} of the pack, which logged the entry, had it.`,
    };
  if (frame === "no-map")
    return {
      location,
      remark: `This is the formula, and not the line of the error. Pack Auth uploaded no version ${packVersion} from here, so it has no source map of it.`,
    };
  return { location };
}

function stackOf(entry: LogEntry): string | undefined {
  switch (entry.type) {
    case "auth":
      return entry.errorStack;
    case "invocation":
    case "mcp":
      return entry.error?.stack;
    default:
      return undefined;
  }
}
