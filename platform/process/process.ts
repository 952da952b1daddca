// Starts one pack process, communicates with it, and stops it at its limits. Invariants: the child gets no environment, no credential and
// no object of this process. It is killed, not asked, when a limit is reached. Whatever it sends, the host's event loop stays free.

import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { defined } from "../../base/defined.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type {
  BlobRequest,
  FetchFailure,
  FetchRequest,
  FetchResponse,
  FromPackProcess,
  PlatformDifferenceAccess,
  SelfTestReport,
  ThrownError,
  ToPackProcess,
} from "../../protocol/pack-process.ts";
import type { ConsoleEntry, ParameterValue, RunContext, RunTarget } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import { nodeFlags } from "./node-flags.ts";
import { Channel } from "./process-channel.ts";
import { DEFAULT_LIMITS, type ProcessLimits, type Task, TIME_LIMIT, timeLimitOf } from "./process-limits.ts";
import { makeCanary, type RunnerOptions, spawnRunner } from "./spawn-runner.ts";

export interface ProcessOptions extends RunnerOptions {
  readonly limits?: Partial<ProcessLimits>;
}

/** Created once, because creating an error with its stack for each page of a table is slow. */
const EXECUTION_ENDED = new DOMException("The execution ended.", "AbortError");

/** Milliseconds in which an idle process answers. */
const RESPONSE_TIME = 2_000;

export interface ExecuteHandlers {
  fetch(request: FetchRequest, signal: AbortSignal, stack?: string): Promise<FetchResponse | FetchFailure>;
  storeBlob?(request: BlobRequest, signal: AbortSignal): Promise<string | FetchFailure>;
  console(entry: ConsoleEntry): void;
  noticed?(platformDifference: PlatformDifferenceAccess): void;
  echoRead?(request: number, field: string): void;
}

export interface ExecuteOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds; 60,000 by default. */
  readonly timeLimit?: number;
}

export interface Executed {
  readonly value: unknown;
  /** Stacks of the fetches that were not answered when the formula returned. */
  readonly unawaited?: readonly string[];
  /**
   * Places of Date objects in the value, under the pack's own keys. `promises` and `collections` (Map, Set) are alike. Each list may be
   * incomplete.
   */
  readonly dates?: readonly string[];
  readonly promises?: readonly string[];
  readonly collections?: readonly string[];
}

export type Validated = Pick<Extract<FromPackProcess, { type: "validated" }>, "isUsable" | "metadata" | "errors" | "warnings">;

/** An error that pack code threw. Its stack refers to the bundle. */
export class PackThrew extends Error {
  readonly thrown: ThrownError;
  constructor(thrown: ThrownError) {
    super(thrown.message);
    this.thrown = thrown;
  }
}

/** Milliseconds in which the debugger's address must appear once the process is ready. */
const INSPECTOR_TIME = 10_000;

/** Starts the process and waits for its self-test. Throws sandbox-layer-missing if a layer is not enforced. */
export async function startPackProcess(options: ProcessOptions): Promise<PackProcess> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const flags = await nodeFlags(options.node);
  const canary = makeCanary();
  let channel: Channel | undefined;
  try {
    channel = new Channel(spawnRunner(options, flags, canary.file), limits, options.inspect === true);
    const { selfTest } = await channel.until((message) => (message.type === "ready" ? message : undefined), limits.loadTime, "start");
    const missing = selfTest.layers.filter((layer) => !layer.isEnforced);
    if (missing.length > 0) {
      throw new PackAuthError(
        "sandbox-layer-missing",
        `The pack was not run: ${missing.map((layer) => `${layer.name} (${layer.detail ?? "not in force"})`).join("; ")}.`,
        {
          hint: `This Node (${selfTest.node}, ${options.node}) cannot isolate pack code.`,
          nextStep: { do: "chooseNode", versions: "22 or 24" },
        },
      );
    }
    const isInspected = options.inspect === true && flags.inspector !== undefined;
    return new PackProcess(channel, selfTest, limits, isInspected ? await channel.inspector(INSPECTOR_TIME) : undefined);
  } catch (error) {
    channel?.close();
    throw error;
  } finally {
    canary.remove();
  }
}

export class PackProcess {
  readonly selfTest: SelfTestReport;
  /**
   * The debugger's address, with {@link RunnerOptions.inspect}. The first execution waits until a debugger is attached and has set its
   * breakpoints.
   */
  readonly inspectorUrl: string | undefined;
  readonly #channel: Channel;
  readonly #loadTime: number;
  // Only the first execution waits: a debugger resumes a process that starts, but not a process that waits again.
  #isAwaitingDebugger: boolean;
  #nextId = 1;
  #nextPing = 1;

  constructor(channel: Channel, selfTest: SelfTestReport, { loadTime }: ProcessLimits, inspectorUrl: string | undefined) {
    this.selfTest = selfTest;
    this.inspectorUrl = inspectorUrl;
    this.#channel = channel;
    this.#loadTime = loadTime;
    this.#isAwaitingDebugger = inspectorUrl !== undefined;
  }

  /** False after the process crashed, was killed or was disposed of. */
  get alive(): boolean {
    return this.#channel.alive;
  }

  /** Runs the code that all packs with the same SDK share, before a pack is loaded. */
  async prepare(code: string, filename: string): Promise<void> {
    const message = await this.#ask(
      { type: "prepare", code, filename },
      (answer) => (answer.type === "prepared" || answer.type === "loadFailed" ? answer : undefined),
      this.#loadTime,
      "prepare",
    );
    if (message.type === "loadFailed") throw new PackThrew(message.error);
  }

  /** Loads the bundle. Throws {@link PackThrew} or a PackAuthError. */
  async load(code: string, filename: string): Promise<PackDefinition> {
    const message = await this.#ask(
      { type: "load", code, filename },
      (answer) => (answer.type === "loaded" || answer.type === "loadFailed" ? answer : undefined),
      this.#loadTime,
      "load",
    );
    if (message.type === "loadFailed") throw new PackThrew(message.error);
    return message.definition;
  }

  /** Runs one target. Resolves to undefined if the signal was aborted. An interrupted execution ends the process. */
  async execute(
    target: RunTarget,
    parameters: readonly ParameterValue[],
    context: RunContext,
    handlers: ExecuteHandlers,
    { signal, timeLimit = TIME_LIMIT }: ExecuteOptions = {},
  ): Promise<Executed | undefined> {
    if (signal?.aborted) return undefined;
    const id = this.#nextId++;
    const stop = new AbortController();
    // Every request of the execution listens to this signal, so the limit on listeners is removed.
    setMaxListeners(0, stop.signal);
    const abort = (): void => this.dispose();
    signal?.addEventListener("abort", abort, { once: true });
    const parts: unknown[] = [];
    const unheard = this.#channel.listen((message) => {
      if (message.type === "part" && message.id === id) for (const item of message.items) parts.push(item);
      else if (message.type === "console") handlers.console(message.entry);
      else if (message.type === "noticed" && message.executionId === id) handlers.noticed?.(message.platformDifference);
      else if (message.type === "echoRead" && message.executionId === id) handlers.echoRead?.(message.request, message.field);
      else if (message.type === "fetch" && message.executionId === id)
        this.#channel.respond(message, handlers.fetch(message.request, stop.signal, message.stack));
      else if (message.type === "storeBlob" && message.executionId === id)
        this.#channel.respond(message, storeBlob(handlers, message.request, stop.signal));
    });
    const waiting = this.#isAwaitingDebugger ? { waitForDebugger: true } : {};
    this.#isAwaitingDebugger = false;
    try {
      const message = await this.#ask(
        { type: "execute", id, target, parameters, context, ...waiting },
        (answer) => ((answer.type === "succeeded" || answer.type === "failed") && answer.id === id ? answer : undefined),
        timeLimit,
        "execute",
      );
      if (message.type === "failed") throw new PackThrew(message.error);
      const { unawaited, dates, promises, collections } = message;
      return { value: joined(message, parts), ...defined({ unawaited, dates, promises, collections }) };
    } catch (error) {
      if (signal?.aborted) return undefined;
      throw error;
    } finally {
      stop.abort(EXECUTION_ENDED);
      unheard();
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Validates the loaded pack with a script of the SDK. Rejects with the signal's reason if it was aborted, which ends the process. */
  async validate(code: string, filename: string, toolkitVersion: string, signal?: AbortSignal): Promise<Validated> {
    signal?.throwIfAborted();
    const id = this.#nextId++;
    const abort = (): void => this.dispose();
    signal?.addEventListener("abort", abort, { once: true });
    try {
      return await this.#ask(
        { type: "validate", id, code, filename, toolkitVersion },
        (answer) => (answer.type === "validated" && answer.id === id ? answer : undefined),
        this.#loadTime,
        "validate",
      );
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /**
   * Whether the process answers soon, that is, whether pack code is not blocking it. False too if the process has ended. It is not ended for
   * a late answer: a run may have claimed it in the meantime.
   */
  isResponsive(): Promise<boolean> {
    const id = this.#nextPing++;
    const isPong = (answer: FromPackProcess): true | undefined => (answer.type === "pong" && answer.id === id ? true : undefined);
    const answer = this.#ask({ type: "ping", id }, isPong, timeLimitOf(Number.POSITIVE_INFINITY), "answer").catch(() => false);
    return Promise.race([answer, delay(RESPONSE_TIME, false, { ref: false })]);
  }

  /** Ends a process after its work, once its debugger was notified. */
  leave(): void {
    this.#channel.leave();
  }

  dispose(): void {
    this.#channel.close();
  }

  #ask<T>(message: ToPackProcess, select: (answer: FromPackProcess) => T | undefined, time: number, task: Task): Promise<T> {
    const answer = this.#channel.until(select, time, task);
    this.#channel.post(message);
    return answer;
  }
}

/** Returns the value with the items that were sent before it in parts. */
function joined({ value, parts }: Extract<FromPackProcess, { type: "succeeded" }>, items: readonly unknown[]): unknown {
  if (parts === undefined) return value;
  return parts === "value" ? items : { ...(value as object), result: items };
}

async function storeBlob(handlers: ExecuteHandlers, request: BlobRequest, signal: AbortSignal): Promise<FetchResponse | FetchFailure> {
  if (!handlers.storeBlob) return { name: "Error", message: "Temporary blob storage is not available here." };
  const stored = await handlers.storeBlob(request, signal);
  return typeof stored === "string" ? { status: 200, headers: {}, body: { text: stored } } : stored;
}
