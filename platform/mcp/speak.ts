// Starts the thread that speaks MCP with one server, sends what it asks for, and ends it: at the time limit, where it is stopped, or where it
// works too long on what the server sent.

import { setMaxListeners } from "node:events";
import { Worker } from "node:worker_threads";
import { PackAuthError } from "../errors.ts";
import type { FromThread, McpTask, ServerRequest, ToThread } from "./messages.ts";

/** The thread's own bundle, beside whichever bundle this one is in. */
const BUNDLE = new URL(import.meta.url.endsWith(".ts") ? "../../dist/mcp-thread.cjs" : "./mcp-thread.cjs", import.meta.url);
/** Megabytes: the largest answer takes less. */
const LARGEST_HEAP = 512;
/** Of the time limit, what the thread may work without a word: a schema's pattern may be made to take for ever. */
const PART_FOR_WORK = 1 / 3;
/** Milliseconds that it may in any case: on a busy machine it starts slowly. */
const LEAST_FOR_WORK = 2_000;
/** Requests of one run: a server may ask its client for something as often as it likes, and each time it is answered. */
const MOST_REQUESTS = 200;
/** Headers that each request of a session has. */
const OF_SESSION: ReadonlySet<string> = new Set(["mcp-session-id", "mcp-protocol-version"]);
/** Part of its time that a thread is at work in, and does not wait. */
const AT_WORK = 0.5;
/** Milliseconds for the end of the session, which nobody waits for. */
const LONGEST_END = 2_000;

export type McpRequest = FromThread & { type: "request" };
export type McpResponse = Omit<ToThread & { type: "answered" }, "type" | "id">;

/** What the thread found out. */
export type McpOutcome = Exclude<FromThread, { type: "request" | "found" | "closed" }>;
export type ToolMatch = FromThread & { type: "found" };

interface SpeakOptions {
  /** Rejected, it ends the connection with that error. `respond` is called while the response is read in which the server asks. */
  send(request: Omit<McpRequest, "type" | "id">, signal: AbortSignal, respond: (request: ServerRequest) => void): Promise<McpResponse>;
  /** Whether the tool may be called; the clock of the time limit stands still meanwhile. */
  mayCall(match: ToolMatch): Promise<boolean>;
  /** Milliseconds. */
  readonly timeLimit: number;
  readonly signal?: AbortSignal;
}

/** Undefined when stopped, or where the tool may not be called. Throws PackAuthError: time-limit, memory-limit, and what `send` throws. */
export function speak(task: McpTask, { send, mayCall, timeLimit, signal }: SpeakOptions): Promise<McpOutcome | undefined> {
  const worker = new Worker(BUNDLE, {
    workerData: task,
    // Credentials for a run may be in the environment.
    env: {},
    // What the host's flags load is nothing that the thread needs.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: LARGEST_HEAP },
    stdout: true,
    stderr: true,
  });
  const longestWork = Math.max(timeLimit * PART_FOR_WORK, LEAST_FOR_WORK);
  const controller = new AbortController();
  // Each request under way listens.
  setMaxListeners(MOST_REQUESTS, controller.signal);
  /** What the end of the session is waited for with: an answer, or why the tool is not called. */
  let outcome: (() => McpOutcome | undefined) | undefined;
  let left = timeLimit;
  let clock = startClock();
  /** Runs while the thread has everything that it asked for. */
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
    /** What is known by now is not lost to a server that does not end its session. */
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
     * What a server asks of its client while its stream is open. It goes out at once: the thread reads the stream only when it has ended,
     * and the server may not end it before.
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
      // A server that does not take it goes on waiting, until the time limit.
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
  /** Gives the milliseconds since it was started. */
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
