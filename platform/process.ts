// Starts one pack process behind all its layers, talks to it, and stops it at its limits. Invariants: the child gets no
// environment, no credential and no object of this process; it is killed, not asked, when a limit is reached.
import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PackDefinition } from "../protocol/definition.ts";
import type {
  BlobRequest,
  FetchFailure,
  FetchRequest,
  FetchResponse,
  FromPackProcess,
  SelfTestReport,
  ThrownError,
  ToPackProcess,
} from "../protocol/pack-process.ts";
import type { ConsoleEntry, ParameterValue, RunContext, RunTarget } from "../protocol/run.ts";
import { PackAuthError } from "./errors.ts";
import { residentBytes } from "./resident-memory.ts";

export interface ProcessLimits {
  /** Milliseconds until the process must have loaded the pack. */
  readonly loadTime: number;
  /** Bytes of resident memory, ArrayBuffers included. */
  readonly memory: number;
  /** Bytes of one message from the process: a result, a request's body, a console line. */
  readonly message: number;
  /** Console entries of one process; further ones are dropped. */
  readonly consoleEntries: number;
}

export const DEFAULT_LIMITS: ProcessLimits = {
  loadTime: 20_000,
  memory: 768 * 1024 * 1024,
  message: 64 * 1024 * 1024,
  consoleEntries: 5_000,
};

export interface ProcessOptions {
  /** The bundled runner, dist/runner.cjs. */
  readonly runner: string;
  /** The Node that runs it. */
  readonly node: string;
  readonly limits?: Partial<ProcessLimits>;
  /** Layers that the author agreed to go without, by name. */
  readonly tolerate?: readonly string[];
  /** Flags left out; only for tests that show that a missing layer stops everything. */
  readonly withoutFlags?: readonly string[];
}

export interface ExecuteHandlers {
  fetch(request: FetchRequest, signal: AbortSignal): Promise<FetchResponse | FetchFailure>;
  storeBlob?(request: BlobRequest, signal: AbortSignal): Promise<string>;
  console(entry: ConsoleEntry): void;
}

export interface ExecuteOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds; 60,000 by default. */
  readonly timeLimit?: number;
}

/** What the process said of an execution that did not succeed: thrown by the pack, its stack still that of the bundle. */
export class PackThrew extends Error {
  readonly thrown: ThrownError;
  constructor(thrown: ThrownError) {
    super(thrown.message);
    this.thrown = thrown;
  }
}

export interface PackProcess {
  readonly selfTest: SelfTestReport;
  /** Loads the bundle. Throws {@link PackThrew} or a PackAuthError. */
  load(code: string, filename: string): Promise<PackDefinition>;
  /** Runs one target; undefined when the signal was aborted. A process whose execution was cut short is gone. */
  execute(
    target: RunTarget,
    parameters: readonly ParameterValue[],
    context: RunContext,
    handlers: ExecuteHandlers,
    options?: ExecuteOptions,
  ): Promise<{ readonly value: unknown } | undefined>;
  /** False once it crashed, was killed or disposed of. */
  readonly alive: boolean;
  dispose(): void;
}

/** Starts the process and waits for its self-test. Throws sandbox-layer-missing where a layer does not hold. */
export async function startPackProcess(options: ProcessOptions): Promise<PackProcess> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const canary = makeCanary();
  const child = spawnRunner(options, canary.file);
  const session = openSession(child, limits);
  try {
    const ready = await session.until((message) => (message.type === "ready" ? message : undefined), limits.loadTime, "start");
    const missing = ready.selfTest.layers.filter((layer) => !layer.holds);
    if (missing.length > 0) {
      throw new PackAuthError(
        "sandbox-layer-missing",
        `The pack was not run: ${missing.map((layer) => `${layer.name} (${layer.detail ?? "not in force"})`).join("; ")}.`,
        {
          hint: `This Node (${ready.selfTest.node}, ${options.node}) cannot keep pack code apart. Install Node 22 or 24, or name one in the setting packAuth.nodePath.`,
        },
      );
    }
    return session.asProcess(ready.selfTest);
  } catch (error) {
    session.kill();
    throw error;
  } finally {
    canary.remove();
  }
}

function makeCanary(): { file: string; remove(): void } {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "pack-auth-"));
  const file = join(folder, "canary");
  writeFileSync(file, "");
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const permissionFlags = new Map<string, string | undefined>();

/** The name of the permission flag of a Node: `--permission` from 22.13, `--experimental-permission` before. */
function permissionFlag(node: string): string | undefined {
  if (!permissionFlags.has(node)) {
    const { stdout } = spawnSync(
      node,
      ["-p", "['--permission','--experimental-permission'].find((flag)=>process.allowedNodeEnvironmentFlags.has(flag))??''"],
      {
        encoding: "utf8",
        env: nodeEnvironment(),
        timeout: 10_000,
      },
    );
    permissionFlags.set(node, stdout?.trim() || undefined);
  }
  return permissionFlags.get(node);
}

/** Nothing of the host's environment, but what makes Electron a Node. */
function nodeEnvironment(): NodeJS.ProcessEnv {
  return process.versions.electron !== undefined || process.env.ELECTRON_RUN_AS_NODE !== undefined ? { ELECTRON_RUN_AS_NODE: "1" } : {};
}

function spawnRunner(options: ProcessOptions, canary: string): ChildProcess {
  const permission = permissionFlag(options.node);
  const runner = realpathSync(options.runner);
  const flags = [
    ...(permission === undefined ? [] : [permission, `--allow-fs-read=${runner}`]),
    "--disallow-code-generation-from-strings",
    "--frozen-intrinsics",
    "--experimental-vm-modules",
    "--no-warnings",
    "--max-old-space-size=512",
  ].filter((flag) => !options.withoutFlags?.some((without) => flag === without || flag.startsWith(`${without}=`)));
  return fork(runner, [canary, (options.tolerate ?? []).join(",")], {
    execPath: options.node,
    execArgv: flags,
    env: nodeEnvironment(),
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    serialization: "json",
  });
}

type Listener = (message: FromPackProcess) => void;

function openSession(child: ChildProcess, limits: ProcessLimits) {
  const listeners = new Set<Listener>();
  let ended: PackAuthError | undefined;
  let disposed = false;
  let stderr = "";
  let consoleEntries = 0;
  const onEnd = new Set<(error: PackAuthError) => void>();

  const kill = (): void => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  };
  const end = (error: PackAuthError): void => {
    ended ??= error;
    clearInterval(watch);
    kill();
    for (const listener of onEnd) listener(ended);
    onEnd.clear();
  };
  child.stdout?.on("data", () => {});
  child.stderr?.on("data", (data: Buffer) => {
    if (stderr.length < 4_000) stderr += data.toString();
  });
  child.on("error", (cause) => end(new PackAuthError("process-crashed", `The pack process did not start: ${cause.message}`, { cause })));
  child.on("exit", (code, signal) => {
    const heap = /heap out of memory|Allocation failed/.test(stderr);
    end(
      heap
        ? new PackAuthError("memory-limit", "The pack used more memory than it may (512 MB of objects).", {
            hint: "Work in smaller pieces.",
          })
        : new PackAuthError(
            "process-crashed",
            disposed ? "The pack process was closed." : `The pack process ended by itself (${signal ?? `code ${code}`}).`,
            {
              hint: stderr.trim().split("\n").slice(0, 3).join(" ") || "Run it again.",
            },
          ),
    );
  });
  child.on("message", (text) => {
    if (typeof text !== "string" || ended) return;
    if (text.length > limits.message) {
      end(
        new PackAuthError("output-limit", `The pack gave more than ${Math.round(limits.message / 1_048_576)} MB at once.`, {
          hint: "Return less, or page through it in a sync table.",
        }),
      );
      return;
    }
    const message = parseMessage(text);
    if (!message) return;
    if (message.type === "console" && ++consoleEntries > limits.consoleEntries) return;
    for (const listener of listeners) listener(message);
  });
  const watch = setInterval(() => {
    if (child.pid === undefined) return;
    residentBytes(child.pid).then(
      (bytes) => {
        if (bytes !== undefined && bytes > limits.memory && !ended) {
          end(
            new PackAuthError(
              "memory-limit",
              `The pack used more than ${Math.round(limits.memory / 1_048_576)} MB of memory and was stopped.`,
              { hint: "Work in smaller pieces." },
            ),
          );
        }
      },
      () => {},
    );
  }, 100);
  watch.unref();

  const post = (message: ToPackProcess): void => {
    if (!ended && child.connected) child.send(JSON.stringify(message), () => {});
  };

  /** The first message that `select` takes; rejects when the process ends or the time is up. */
  const until = <T>(select: (message: FromPackProcess) => T | undefined, time: number, doing: string): Promise<T> =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        listeners.delete(listener);
        onEnd.delete(fail);
      };
      const fail = (error: PackAuthError): void => {
        settle();
        reject(error);
      };
      const listener: Listener = (message) => {
        const selected = select(message);
        if (selected === undefined) return;
        settle();
        resolve(selected);
      };
      const timer = setTimeout(() => {
        end(
          new PackAuthError("time-limit", `The pack did not ${doing} within ${time / 1000} s and was stopped.`, {
            hint: "Look for an endless loop.",
          }),
        );
      }, time);
      if (ended) return fail(ended);
      listeners.add(listener);
      onEnd.add(fail);
    });

  async function load(code: string, filename: string): Promise<PackDefinition> {
    const loaded = until(
      (message) => (message.type === "loaded" || message.type === "loadFailed" ? message : undefined),
      limits.loadTime,
      "finish loading",
    );
    post({ type: "load", code, filename });
    const message = await loaded;
    if (message.type === "loadFailed") throw new PackThrew(message.error);
    return message.definition;
  }

  let nextId = 1;
  async function execute(
    target: RunTarget,
    parameters: readonly ParameterValue[],
    context: RunContext,
    handlers: ExecuteHandlers,
    options: ExecuteOptions = {},
  ): Promise<{ readonly value: unknown } | undefined> {
    const id = nextId++;
    const stop = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
    const answer = (fetchId: number, work: Promise<FetchResponse | FetchFailure>): void => {
      work.then(
        (result) =>
          post("message" in result ? { type: "fetchFailed", fetchId, error: result } : { type: "fetched", fetchId, response: result }),
        (error: unknown) =>
          post({ type: "fetchFailed", fetchId, error: { name: "Error", message: error instanceof Error ? error.message : String(error) } }),
      );
    };
    const side: Listener = (message) => {
      if (message.type === "console" && (message.executionId === id || message.executionId === undefined)) handlers.console(message.entry);
      if (message.type === "fetch" && message.executionId === id) answer(message.fetchId, handlers.fetch(message.request, signal));
      if (message.type === "storeBlob" && message.executionId === id) answer(message.fetchId, storeBlob(handlers, message.request, signal));
    };
    listeners.add(side);
    const abort = (): void => end(new PackAuthError("process-crashed", "The run was stopped."));
    try {
      if (options.signal?.aborted) return undefined;
      const time = options.timeLimit ?? 60_000;
      const settled = until(
        (message) => ((message.type === "succeeded" || message.type === "failed") && message.id === id ? message : undefined),
        time,
        "finish",
      );
      options.signal?.addEventListener("abort", abort, { once: true });
      post({ type: "execute", id, target, parameters, context });
      const message = await settled;
      if (message.type === "failed") throw new PackThrew(message.error);
      return { value: message.value };
    } catch (error) {
      if (options.signal?.aborted) return undefined;
      throw error;
    } finally {
      stop.abort();
      listeners.delete(side);
      options.signal?.removeEventListener("abort", abort);
    }
  }

  return {
    until,
    kill: () => end(new PackAuthError("process-crashed", "The pack process was closed.")),
    asProcess: (selfTest: SelfTestReport): PackProcess => ({
      selfTest,
      load,
      execute,
      get alive() {
        return ended === undefined;
      },
      dispose() {
        disposed = true;
        end(new PackAuthError("process-crashed", "The pack process was closed."));
      },
    }),
  };
}

async function storeBlob(handlers: ExecuteHandlers, request: BlobRequest, signal: AbortSignal): Promise<FetchResponse | FetchFailure> {
  if (!handlers.storeBlob) return { name: "Error", message: "Temporary blob storage is not available here." };
  return { status: 200, headers: {}, body: { text: await handlers.storeBlob(request, signal) } };
}

function parseMessage(text: string): FromPackProcess | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return message !== null && typeof message === "object" && "type" in message ? (message as FromPackProcess) : undefined;
  } catch {
    return undefined;
  }
}
