// Runs, executes and records a target with all options in one object.
import { defined } from "../../base/defined.ts";
import type { Fetch } from "../../platform/host.ts";
import type { Pack } from "../../platform/process/pack.ts";
import type { Executed } from "../../platform/process/process.ts";
import { type RunRecord, recordRun as recordInput } from "../../platform/recordings/record-run.ts";
import { executeAlone } from "../../platform/runs/execute.ts";
import { run as runInput } from "../../platform/runs/run.ts";
import { type CallOptions, inputOf, type RunInput } from "../../platform/runs/run-input.ts";
import { observe, type RunObserver } from "../../platform/runs/run-observer.ts";
import { type RunWorld, type WorldOptions, worldOf } from "../../platform/runs/run-world.ts";
import type { McpTarget } from "../../protocol/mcp.ts";
import type { ParameterValue, RunReport, RunTarget } from "../../protocol/run.ts";

export type RunOptions = WorldOptions & CallOptions & Partial<RunObserver> & { readonly fetch: Fetch };

type Parts<Target> = [RunInput<Target>, RunWorld, RunObserver];

function partsOf<Target>(pack: Pack, target: Target, parameters: readonly ParameterValue[], options: RunOptions): Parts<Target> {
  const { timezone, source, rowLimit } = options;
  const call = defined({ timezone, source, rowLimit });
  return [inputOf(target, parameters, call), worldOf(pack, options.fetch, options), observe(options)];
}

export const run = (
  pack: Pack,
  target: RunTarget | McpTarget,
  parameters: readonly ParameterValue[],
  options: RunOptions,
): Promise<RunReport> => runInput(...partsOf(pack, target, parameters, options));

export const execute = (
  pack: Pack,
  target: RunTarget,
  parameters: readonly ParameterValue[],
  options: RunOptions,
): Promise<Executed | undefined> => executeAlone(...partsOf(pack, target, parameters, options));

export const recordRun = <Target extends RunTarget | McpTarget>(
  pack: Pack,
  target: Target,
  parameters: readonly ParameterValue[],
  options: RunOptions,
): Promise<RunRecord<Target>> => recordInput(...partsOf(pack, target, parameters, options));
