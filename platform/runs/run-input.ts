// What a run executes: the target with its parameters, and what its caller says about the call.
import { DEFAULT_ROWS } from "../../protocol/row-limits.ts";
import type { InvocationSource, ParameterValue, RunTarget } from "../../protocol/run.ts";
import { ownTimezone } from "./read-date.ts";

export interface RunInput<Target = RunTarget> {
  readonly target: Target;
  readonly parameters: readonly ParameterValue[];
  /** IANA name. */
  readonly timezone: string;
  /** The caller of the pack. */
  readonly source: InvocationSource;
  /** Rows of a sync table; 10,000 at most. */
  readonly rowLimit: number;
}

/** What a call may say, or leave to its defaults. */
export type CallOptions = Partial<Omit<RunInput, "target" | "parameters">>;

export const CALL_DEFAULTS = { timezone: ownTimezone, source: "Doc", rowLimit: DEFAULT_ROWS } as const satisfies CallOptions;

export const inputOf = <Target>(target: Target, parameters: readonly ParameterValue[], call: CallOptions = {}): RunInput<Target> => ({
  ...CALL_DEFAULTS,
  ...call,
  target,
  parameters,
});
