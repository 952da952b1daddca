// A pack that runs: its bundle, its processes, its definition. Everything that connects or runs goes through here.
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
   * Executions of one run, such as the pages of a table, share a process; whoever gives one calls {@link Pack.finish} with it. Without it
   * each execution has a process of its own.
   */
  readonly run?: object;
  readonly debug?: DebugOptions;
}

/** The run waits for a debugger, and its time limits rest. */
export interface DebugOptions {
  /** A Node that opens its inspector behind the walls; see canInspect. */
  readonly node: string;
  /** Told once per process: where the debugger attaches. */
  onListening(websocketAddress: string): void;
}

export interface Pack {
  /** Absolute path of the file that builds the pack. */
  readonly entry: string;
  readonly definition: PackDefinition;
  readonly bundle: PackBundle;
  /**
   * Runs a target in a process that no other run has used. Undefined when the signal was aborted. Throws PackAuthError; `pack-threw`
   * carries the mapped stack.
   */
  execute(
    target: RunTarget,
    parameters: readonly ParameterValue[],
    context: RunContext,
    handlers: ExecuteHandlers,
    options?: PackExecuteOptions,
  ): Promise<Executed | undefined>;
  /** Ends the process of a run, whatever pack code still does in it. */
  finish(run: object): void;
  /** Where in the pack's sources a stack of its process begins. */
  locate(stack: string): SourceLocation | undefined;
  /** Every place of a stack in the pack's sources: the call itself, then who called that. */
  calls(stack: string): readonly SourceLocation[];
  /** The same pack as its files are now, quicker than opening it anew; this one stays as it is. Throws what opening throws. */
  renew(): Promise<Pack>;
  dispose(): void;
}

/** Bundles and loads a pack. Throws PackAuthError whose location or stack names the source line. */
export async function openPack(entry: string, options: PackOptions): Promise<Pack> {
  return packOf(await openWorkshop(entry, options, options.process), options);
}

/** A pack that cannot be made is no user of the workshop any more. */
const packOf = (workshop: Workshop, options: PackOptions): Promise<Pack> =>
  makePack(workshop, options).catch((error: unknown) => {
    workshop.release();
    throw error;
  });

/** Stacks whose places are remembered. */
const MOST_STACKS = 100;

async function makePack(workshop: Workshop, options: PackOptions): Promise<Pack> {
  const bundle = await workshop.build();
  const load = (more?: Partial<ProcessOptions>): Promise<Loaded> =>
    workshop.load(more?.inspect === true ? debuggable(bundle) : bundle, more).catch((error: unknown) => {
      throw loadError(error, bundle);
    });
  const first = await load();
  let unused: PackProcess | undefined = first.process;
  // Code that spins after loading would do so until the first run.
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
    // A loop asks from the same place each time.
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
