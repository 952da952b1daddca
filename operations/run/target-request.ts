// What a caller says about a run before the pack's definition is known, and what it becomes.

import type { RunInput } from "../../platform/runs/run-input.ts";
import type { McpTarget } from "../../protocol/mcp.ts";
import type { RunTarget } from "../../protocol/run.ts";

export interface TargetRequest {
  /** A formula or table, optionally followed by colons and one of its functions; `Auth:…` or `mcp:…`. */
  readonly target: string;
  /** Parameters as typed text, in their order; after a function the typed text. */
  readonly words: readonly string[];
  /** All parameters: a list in their order, or an object by their names. */
  readonly parameters?: object | undefined;
  readonly dynamicUrl?: string | undefined;
  /** Edited rows. */
  readonly updates?: unknown;
  /** A row, for the options of a property. */
  readonly row?: unknown;
  /** The completion of an earlier run of the table. */
  readonly completion?: unknown;
}

export interface TargetInput extends RunInput<RunTarget | McpTarget> {
  /** The table is read twice: the second run reads only what is new since the first. */
  readonly isTwice: boolean;
}

/** The part of the input that the target's words describe. */
export type TargetParts = Pick<TargetInput, "target" | "parameters"> & Partial<Pick<TargetInput, "isTwice">>;

/** A request with the time zone of its dates, an IANA name. */
export interface ZonedRequest extends TargetRequest {
  readonly timezone: string;
}
