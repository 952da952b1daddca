// What an operation reads of the sources: by an analysis in this process, or by the language server.
import type { CheckedSources, OutlinedPack, ReportedEdit, RulePage } from "../protocol/agents.ts";
import type { ResponseReads, SourceLocation } from "../protocol/run.ts";
import type { Proposal } from "../protocol/setup.ts";
import type { MetadataPath } from "../protocol/validation.ts";
import type { SetupAnswer } from "../protocol/written-setup.ts";

/** Reads the sources in a host's folder. Paths are absolute. */
export interface SourceReader {
  /** Checks files and folders. Throws PackAuthError if a path cannot be read or a settings file is invalid. */
  check(paths: readonly string[], signal: AbortSignal): Promise<CheckedSources>;
  /** Returns the pack that the entry file builds, as its source shows it; undefined if it builds none. */
  outline(entry: string, signal: AbortSignal): Promise<OutlinedPack | undefined>;
  /** Returns the edits that declare a network domain; none if it is declared, or if the source does not show where. */
  declareDomain(entry: string, host: string): Promise<readonly ReportedEdit[]>;
  /**
   * Writes a proposal into the pack that the entry builds, and checks it. `text` replaces the entry's own, for a new pack. Nothing is
   * written to disk.
   */
  writeSetup(entry: string, proposal: Proposal, text?: string): Promise<SetupAnswer>;
  /** Returns what the source reads of a response, starting at the calls that sent the request; undefined if it does not show that. */
  responseReads(calls: readonly SourceLocation[]): Promise<ResponseReads | undefined>;
  /** Returns, for each path in the metadata of the pack, the place of what it means; undefined if the source does not show it. */
  metadataPlaces(entry: string, paths: readonly MetadataPath[]): Promise<readonly (SourceLocation | undefined)[]>;
  rules(): Promise<readonly RulePage[]>;
}
