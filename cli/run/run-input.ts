// Describes what a call of `pack-auth run` runs.
import type { RunInput } from "../../platform/runs/run-input.ts";
import type { McpTarget } from "../../protocol/mcp.ts";
import type { RunTarget } from "../../protocol/run.ts";

export interface CliInput extends RunInput<RunTarget | McpTarget> {
  /** The table is read twice: the second run reads only what is new since the first. */
  readonly isTwice: boolean;
}

/** The part of the input that the target's words describe. */
export type TargetInput = Pick<CliInput, "target" | "parameters"> & Partial<Pick<CliInput, "isTwice">>;
