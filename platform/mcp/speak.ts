// Starts the thread that speaks MCP with one server, and sends its requests. Ends the thread at the time limit, when the run is stopped, or
// if it works too long on the server's data.

import { setMaxListeners } from "node:events";
import { Worker } from "node:worker_threads";
import { PackAuthError } from "../errors.ts";
import type { FromThread, McpTask, ServerRequest, ToThread } from "./messages.ts";

/** The thread's own bundle, which is in the same folder as the bundle of this module. */
const BUNDLE = new URL(import.meta.url.endsWith(".ts") ? "../../dist/mcp-thread.cjs" : "./mcp-thread.cjs", import.meta.url);
/** Heap limit in megabytes. The largest response needs less. */
const LARGEST_HEAP = 512;
/** The part of the time limit that the thread may work without a message. A schema's pattern may be made to take forever. */
const PART_FOR_WORK = 1 / 3;
/** The shortest such time in milliseconds, because the thread starts slowly on a busy machine. */
const LEAST_FOR_WORK = 2_000;
/** The number of requests of one run. It is limited because each request of the server is answered with another one. */
const MOST_REQUESTS = 200;
/** Headers of every request in a session. */
const OF_SESSION: ReadonlySet<string> = new Set(["mcp-session-id", "mcp-protocol-version"]);
/** The event loop utilization from which the thread is considered working instead of waiting. */
const AT_WORK = 0.5;
/** Milliseconds for ending the session. */
const LONGEST_END = 2_000;

export type McpRequest = FromThread & { type: "request" };
export type McpResponse = Omit<ToThread & { type: "answered" }, "type" | "id">;

/** The result of the thread. */
export type McpOutcome = Exclude<FromThread, { type: "request" | "found" | "closed" }>;
export type ToolMatch = FromThread & { type: "found" };

interface SpeakOptions {
  /**
   * Sends a request. A rejection ends the connection with that error. `respond` is called with each request of the server while the
   * response is read.
   */
  send(request: Omit<McpRequest, "type" | "id">, signal: AbortSignal, respond: (request: ServerRequest) => void): Promise<McpResponse>;
  /** Whether the tool may be called. The time limit is suspended until the promise resolves. */
  mayCall(match: ToolMatch): Promise<boolean>;
  /** Milliseconds. */
  readonly timeLimit: number;
  readonly signal?: AbortSignal;
}

/**
 * Resolves to undefined if the run was stopped or the tool may not be called. Throws PackAuthError: time-limit, memory-limit, mcp-failed
 * and the errors of `send`.
 */
export function speak(task: McpTask, { send, mayCall, timeLimit, signal }: SpeakOptions): Promise<McpOutcome | undefined> {
  const worker = new Worker(BUNDLE, {
    workerData: task,
    // The environment may contain credentials for a run.
    env: {},
    // The thread does not need modules that the host's flags load.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: LARGEST_HEAP },
    stdout: true,
    stderr: true,
  });
  const longestWork = Math.max(timeLimit * PART_FOR_WORK, LEAST_FOR_WORK);
  const controller = new AbortController();
  // Each pending request listens to the signal.
  setMaxListeners(MOST_REQUESTS, controller.signal);
  /** The outcome that is reported once the session ends: the thread's result, or why the tool is not called. */
  let outcome: (() => McpOutcome | undefined) | undefined;
  let left = timeLimit;
  let clock = startClock();
  /** Runs while the thread waits for nothing from the host. */
  let work: NodeJS.Timeout | undefined;
  let pending = 0;
  let requestCount = 0;

  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      if (controller.signal.aborted) return;
      controller.abort(new DOMException("stopped", "AbortError"));
      clock.stop();
      clearTimeout(work);
      signal?.removeEventListener("abort", stop);
      void worker.terminate();
      settle();
    };
    const fail = (error: unknown): void => end(() => (outcome === undefined ? reject(error) : finish()));
    const finish = (): void => {
      try {
        resolve(outcome?.());
      } catch (error) {
        reject(error);
      }
    };
    /** Keeps the outcome, so that it is not lost if the server does not end its session. */
    const finishSoon = (readOutcome: () => McpOutcome | undefined): void => {
      outcome = readOutcome;
      clock.stop();
      clock.timer = setTimeout(() => end(finish), LONGEST_END);
    };
    const stop = (): void => end(() => resolve(undefined));
    const atWork = (): void => {
      clearTimeout(work);
      const before = worker.performance.eventLoopUtilization();
      work = setTimeout(() => {
        const { utilization } = worker.performance.eventLoopUtilization(before);
        fail(utilization < AT_WORK ? unanswered() : tooLong(longestWork));
      }, longestWork);
    };
    const post = (message: ToThread): void => {
      worker.postMessage(message);
      if (pending === 0) atWork();
    };

    function startTimeLimit(): void {
      clock = startClock();
      clock.timer = setTimeout(() => fail(timeIsOver(timeLimit)), left);
    }

    /**
     * Answers a request of the server while its stream is open. The response is sent at once, because the thread reads the stream only
     * after its end. The server may wait for the response before it ends the stream.
     */
    function refuse({ id, method }: ServerRequest, headers: McpRequest["headers"]): void {
      if (++requestCount > MOST_REQUESTS) {
        fail(tooMany());
        return;
      }
      const response = method === "ping" ? { result: {} } : { error: { code: -32601, message: "Method not found" } };
      const request = {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...Object.fromEntries(Object.entries(headers).filter(([name]) => OF_SESSION.has(name))),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id, ...response }),
      };
      // If the server does not accept the response, it waits until the time limit.
      send(request, controller.signal, () => {}).catch(() => {});
    }

    async function receive(message: FromThread): Promise<void> {
      if (controller.signal.aborted) return;
      clearTimeout(work);
      switch (message.type) {
        case "request": {
          if (++requestCount > MOST_REQUESTS) throw tooMany();
          pending++;
          const { id } = message;
          const respond = (request: ServerRequest): void => refuse(request, message.headers);
          const response = await send(message, controller.signal, respond).finally(() => pending--);
          if (!controller.signal.aborted) post({ type: "answered", id, ...response });
          return;
        }
        case "found": {
          left -= clock.stop();
          const isAllowed = await mayCall(message).catch((error: unknown) => {
            finishSoon(() => {
              throw error;
            });
            return undefined;
          });
          if (isAllowed === true) startTimeLimit();
          else if (isAllowed === false) finishSoon(() => undefined);
          if (!controller.signal.aborted) post({ type: "call", isAllowed: isAllowed === true });
          return;
        }
        case "closed":
          return end(finish);
        default:
          finishSoon(() => message);
      }
    }

    worker.on("message", (message: FromThread) => void receive(message).catch(fail));
    worker.on("error", (error: NodeJS.ErrnoException) => fail(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? outOfMemory() : error));
    worker.on("exit", () => fail(new Error("The MCP thread ended unexpectedly.")));
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    else {
      startTimeLimit();
      atWork();
    }
  });
}

interface Clock {
  timer?: NodeJS.Timeout;
  /** Stops the clock and returns the milliseconds since its start. */
  stop(): number;
}

function startClock(): Clock {
  const since = performance.now();
  const clock: Clock = {
    stop() {
      clearTimeout(clock.timer);
      return performance.now() - since;
    },
  };
  return clock;
}

const timeIsOver = (limit: number): PackAuthError =>
  new PackAuthError("time-limit", `The MCP server took longer than ${limit / 1000} s.`, {
    hint: "Ask for less, or raise the time limit: packAuth.timeLimit in the editor, --time-limit on the command line.",
  });

const tooLong = (limit: number): PackAuthError =>
  new PackAuthError("time-limit", `Checking the MCP server's answer took longer than ${Math.round(limit / 1000)} s, so it was stopped.`, {
    hint: "Look in the tool's schemas for a regular expression that is slow on some strings, such as (a+)+$.",
  });

const tooMany = (): PackAuthError =>
  new PackAuthError("mcp-failed", `The MCP server caused more than ${MOST_REQUESTS} requests, so it was stopped.`, {
    hint: "Look at the requests: the server asks for something again and again, or ends its streams before it has answered.",
  });

const unanswered = (): PackAuthError =>
  new PackAuthError("mcp-failed", "The MCP server answered something else than it was asked.", {
    hint: "Look at its last answer among the requests. It needs the id of the request that it answers.",
  });

const outOfMemory = (): PackAuthError =>
  new PackAuthError("memory-limit", `The MCP server's answer needs more than ${LARGEST_HEAP} MB of memory.`, {
    hint: "Ask the tool for less.",
  });
