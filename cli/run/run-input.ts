// Describes what a call of `pack-auth run` runs.
import type { McpTarget } from "../../protocol/mcp.ts";
import type { ParameterValue, RunTarget } from "../../protocol/run.ts";

export interface RunInput {
  readonly target: RunTarget | McpTarget;
  readonly parameters: readonly ParameterValue[];
  /** The table is read twice: the second run reads only what is new since the first. */
  readonly twice?: boolean;
}
