// A running pack: its bundle, its processes and its definition. Every connection and every run goes through here.
import type { PackDefinition } from "../../protocol/definition.ts";
import type { ParameterValue, RunContext, RunTarget, SourceLocation } from "../../protocol/run.ts";
import { withCredentialDomains } from "../accounts/credential-domains.ts";
import type { BundleOptions, PackBundle } from "../bundle/bundle.ts";
import { debuggable, mapFrames, mapStack } from "../bundle/source-map.ts";
import { canInspect } from "./node-flags.ts";
import { loadError, noDebugger, thrownError } from "./pack-errors.ts";
import { type Executed, type ExecuteHandlers, type ExecuteOptions, type PackProcess, PackThrew, type ProcessOptions } from "./process.ts";
import { type Loaded, openWorkshop, type Workshop } from "./workshop.ts";

export interface PackOptions extends BundleOptions {
  readonly process: ProcessOptions;
}

interface PackExecuteOptions extends ExecuteOptions {
  /**
   * Executions with the same object share a process, such as the pages of a table. The caller ends the process with {@link Pack.finish}.
   * Without it each execution has its own process.
   */
  readonly run?: object;
  readonly debug?: DebugOptions;
}

/** Options for a run that waits for a debugger. Its time limits are suspended. */
export interface DebugOptions {
  /** A Node that can open its inspector under the permission model; see canInspect. */
  readonly node: string;
  /** Reports the address for the debugger, once per process. */
  onListening(websocketAddress: string): void;
}

export interface Pack {
  /** Absolute path of the file that builds the pack. */
  readonly entry: string;
  readonly definition: PackDefinition;
  readonly bundle: PackBundle;
  /**
   * Runs a target in a process that no other run has used. Returns undefined if the signal was aborted. Throws PackAuthError; `pack-threw`
   * has the stack in the pack's sources.
   */
  execute(
    target: RunTarget,
    parameters: readonly ParameterValue[],
    context: RunContext,
    handlers: ExecuteHandlers,
    options?: PackExecuteOptions,
  ): Promise<Executed | undefined>;
  /** Ends the process of a run, even if pack code is still running in it. */
  finish(run: object): void;
  /** Returns the innermost location of a stack in the pack's sources. */
  locate(stack: string): SourceLocation | undefined;
  /** Returns every location of a stack in the pack's sources, from the innermost call outwards. */
  calls(stack: string): readonly SourceLocation[];
  /** Opens the pack again with its current files, faster than {@link openPack}. This pack is unchanged. Throws the errors of openPack. */
  renew(): Promise<Pack>;
  dispose(): void;
}

/** Bundles and loads a pack. Throws PackAuthError with the location or stack in the sources. */
export async function openPack(entry: string, options: PackOptions): Promise<Pack> {
  return packOf(await openWorkshop(entry, options, options.process), options);
}

/** Makes a pack, and releases the workshop if that fails. */
const packOf = (workshop: Workshop, options: PackOptions): Promise<Pack> =>
  makePack(workshop, options).catch((error: unknown) => {
    workshop.release();
    throw error;
  });

/** The number of stacks whose locations are cached. */
const MOST_STACKS = 100;

async function makePack(workshop: Workshop, options: PackOptions): Promise<Pack> {
  const bundle = await workshop.build();
  const load = (more?: Partial<ProcessOptions>): Promise<Loaded> =>
    workshop.load(more?.inspect === true ? debuggable(bundle) : bundle, more).catch((error: unknown) => {
      throw loadError(error, bundle);
    });
  const first = await load();
  let unused: PackProcess | undefined = first.process;
  // Code that keeps running after loading would otherwise run until the first execution.
  void first.process.isResponsive().then((isResponsive) => {
    if (!isResponsive) first.process.dispose();
  });
  const claimUnused = async (): Promise<PackProcess> => {
    const waiting = unused;
    unused = undefined;
    return waiting?.alive ? waiting : (await load()).process;
  };
  const startDebugged = async ({ node, onListening }: DebugOptions): Promise<PackProcess> => {
    const { process } = await load({ node, inspect: true });
    if (process.inspectorUrl === undefined) {
      process.dispose();
      throw noDebugger(node);
    }
    onListening(process.inspectorUrl);
    return process;
  };
  const running = new Set<PackProcess>();
  const processByRun = new Map<object, PackProcess>();
  const located = new Map<string, readonly SourceLocation[]>();
  let disposed = false;

  const callsOf = (stack: string): readonly SourceLocation[] => {
    // A loop sends its requests from the same stack each time.
    const cachedCalls = located.get(stack);
    if (cachedCalls !== undefined) return cachedCalls;
    if (located.size >= MOST_STACKS) located.clear();
    const calls = mapStack(stack, bundle).flatMap(({ location }) =>
      location === undefined || location.path.includes("node_modules") ? [] : [location],
    );
    located.set(stack, calls);
    return calls;
  };
  const acquire = async (run: object | undefined, debug: DebugOptions | undefined): Promise<PackProcess> => {
    const own = run === undefined ? undefined : processByRun.get(run);
    if (own?.alive) return own;
    const process = await (debug === undefined ? claimUnused() : startDebugged(debug));
    running.add(process);
    if (run !== undefined) processByRun.set(run, process);
    return process;
  };
  const end = (process: PackProcess): void => {
    if (process.inspectorUrl === undefined) process.dispose();
    else process.leave();
    running.delete(process);
    if (!disposed) workshop.warm(bundle);
  };
  return {
    entry: bundle.entry,
    definition: withCredentialDomains(first.definition),
    bundle,
    async execute(target, parameters, context, handlers, executeOptions) {
      if (executeOptions?.debug !== undefined && !(await canInspect(executeOptions.debug.node)))
        throw noDebugger(executeOptions.debug.node);
      const process = await acquire(executeOptions?.run, executeOptions?.debug);
      try {
        const mapped: ExecuteHandlers = {
          ...handlers,
          console: (entry) => handlers.console({ ...entry, message: mapFrames(entry.message, bundle) }),
        };
        return await process.execute(target, parameters, context, mapped, executeOptions);
      } catch (error) {
        throw error instanceof PackThrew ? thrownError(error, bundle) : error;
      } finally {
        if (executeOptions?.run === undefined) end(process);
      }
    },
    finish(run) {
      const process = processByRun.get(run);
      processByRun.delete(run);
      if (process !== undefined) end(process);
    },
    locate: (stack) => callsOf(stack)[0],
    calls: callsOf,
    async renew() {
      if (!workshop.isCurrent()) return openPack(bundle.entry, options);
      workshop.keep();
      return packOf(workshop, options);
    },
    dispose() {
      if (disposed) return;
      disposed = true;
      unused?.dispose();
      for (const process of running) process.dispose();
      processByRun.clear();
      workshop.release();
    },
  };
}
