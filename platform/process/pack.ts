// A running pack: its bundle, its processes and its definition. Every connection and every run goes through here.
import { getOrInsert } from "../../base/get-or-insert.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { ParameterValue, RunContext, RunTarget, SourceLocation } from "../../protocol/run.ts";
import type { UploadValidation } from "../../protocol/validation.ts";
import { withCredentialDomains } from "../accounts/credential-domains.ts";
import type { BundleOptions, PackBundle } from "../bundle/bundle.ts";
import { debuggable, mapFrames, mapStack } from "../bundle/source-map.ts";
import { canInspect } from "./node-flags.ts";
import { loadError, noDebugger, thrownError } from "./pack-errors.ts";
import { type Executed, type ExecuteHandlers, type ExecuteOptions, type PackProcess, PackThrew, type ProcessOptions } from "./process.ts";
import { validateLoaded } from "./validate.ts";
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
  /**
   * Asks the installed Packs SDK whether the upload would accept the pack, in a process that no run uses. Throws time-limit, memory-limit or
   * process-crashed, or the signal's reason.
   */
  validate(signal?: AbortSignal): Promise<UploadValidation>;
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

async function makePack(workshop: Workshop, options: PackOptions): Promise<Pack> {
  const bundle = await workshop.build();
  const first = await load(workshop, bundle);
  const processes = new PackProcesses(workshop, bundle, first.process);
  const calls = createLocator(bundle);
  return {
    entry: bundle.entry,
    definition: withCredentialDomains(first.definition),
    bundle,
    async execute(target, parameters, context, handlers, { run, debug, ...executeOptions } = {}) {
      if (debug !== undefined && !(await canInspect(debug.node))) throw noDebugger(debug.node);
      const process = await processes.acquire(run, debug);
      try {
        const mapped: ExecuteHandlers = {
          ...handlers,
          console: (entry) => handlers.console({ ...entry, message: mapFrames(entry.message, bundle) }),
        };
        return await process.execute(target, parameters, context, mapped, executeOptions);
      } catch (error) {
        throw error instanceof PackThrew ? thrownError(error, bundle) : error;
      } finally {
        if (run === undefined) processes.end(process);
      }
    },
    async validate(signal) {
      const process = await processes.acquire(undefined, undefined);
      try {
        return await validateLoaded(workshop, process, signal);
      } finally {
        processes.end(process);
      }
    },
    finish: (run) => processes.finish(run),
    locate: (stack) => calls(stack)[0],
    calls,
    async renew() {
      if (!workshop.isCurrent()) return openPack(bundle.entry, options);
      workshop.keep();
      return packOf(workshop, options);
    },
    dispose: () => processes.dispose(),
  };
}

const load = (workshop: Workshop, bundle: PackBundle, more?: Partial<ProcessOptions>): Promise<Loaded> =>
  workshop.load(more?.inspect === true ? debuggable(bundle) : bundle, more).catch((error: unknown) => {
    throw loadError(error, bundle);
  });

/** The processes of one version of a pack. */
class PackProcesses {
  readonly #workshop: Workshop;
  readonly #bundle: PackBundle;
  /** The process that read the definition, until its first execution. */
  #unused: PackProcess | undefined;
  readonly #running = new Set<PackProcess>();
  readonly #byRun = new Map<object, PackProcess>();
  #isDisposed = false;

  constructor(workshop: Workshop, bundle: PackBundle, unused: PackProcess) {
    this.#workshop = workshop;
    this.#bundle = bundle;
    this.#unused = unused;
    // Code that keeps running after loading would otherwise run until the first execution.
    void unused.isResponsive().then((isResponsive) => {
      // A process that was claimed in the meantime has the limits of its run.
      if (!isResponsive && this.#unused === unused) unused.dispose();
    });
  }

  /** Returns the process of the run, or one that no other run has used. */
  async acquire(run: object | undefined, debug: DebugOptions | undefined): Promise<PackProcess> {
    const own = run === undefined ? undefined : this.#byRun.get(run);
    if (own?.alive) return own;
    const process = await (debug === undefined ? this.#claimUnused() : this.#startDebugged(debug));
    this.#running.add(process);
    if (run !== undefined) this.#byRun.set(run, process);
    return process;
  }

  end(process: PackProcess): void {
    if (process.inspectorUrl === undefined) process.dispose();
    else process.leave();
    this.#running.delete(process);
    if (!this.#isDisposed) this.#workshop.warm(this.#bundle);
  }

  finish(run: object): void {
    const process = this.#byRun.get(run);
    this.#byRun.delete(run);
    if (process !== undefined) this.end(process);
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#unused?.dispose();
    for (const process of this.#running) process.dispose();
    this.#byRun.clear();
    this.#workshop.release();
  }

  async #claimUnused(): Promise<PackProcess> {
    const waiting = this.#unused;
    this.#unused = undefined;
    return waiting?.alive ? waiting : (await load(this.#workshop, this.#bundle)).process;
  }

  async #startDebugged({ node, onListening }: DebugOptions): Promise<PackProcess> {
    const { process } = await load(this.#workshop, this.#bundle, { node, inspect: true });
    if (process.inspectorUrl === undefined) {
      process.dispose();
      throw noDebugger(node);
    }
    onListening(process.inspectorUrl);
    return process;
  }
}

/** The number of stacks whose locations are cached. */
const MOST_STACKS = 100;

/** Returns {@link Pack.calls}. A loop sends its requests from the same stack each time, so the locations are cached. */
function createLocator(bundle: PackBundle): Pack["calls"] {
  const located = new Map<string, readonly SourceLocation[]>();
  return (stack) => {
    if (!located.has(stack) && located.size >= MOST_STACKS) located.clear();
    return getOrInsert(located, stack, () =>
      mapStack(stack, bundle).flatMap(({ location }) =>
        location === undefined || location.path.includes("node_modules") ? [] : [location],
      ),
    );
  };
}
