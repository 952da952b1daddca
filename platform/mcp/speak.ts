// Starts the thread that speaks MCP with one server, and sends its requests. Ends the thread at the time limit, when the run is stopped, or
// if it works too long on the server's data.

import { setMaxListeners } from "node:events";
import { Worker } from "node:worker_threads";
import { PackAuthError } from "../errors.ts";
import { TimeLimit } from "../network/time-limit.ts";
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
export const speak = (task: McpTask, options: SpeakOptions): Promise<McpOutcome | undefined> =>
  new Promise((settle) => new McpThread(task, options, settle).start());

/** Returns the outcome that is reported once the session ends: the thread's result, or why there is none. */
type ReadOutcome = () => Promise<McpOutcome | undefined>;

const noOutcome: ReadOutcome = async () => undefined;
const failWith =
  (error: unknown): ReadOutcome =>
  async () => {
    throw error;
  };

class McpThread {
  readonly #options: SpeakOptions;
  readonly #settle: (outcome: Promise<McpOutcome | undefined>) => void;
  readonly #worker: Worker;
  readonly #timeLimit: TimeLimit;
  readonly #longestWork: number;
  readonly #controller = new AbortController();
  readonly #stop = (): void => this.#end(noOutcome);
  #outcome: ReadOutcome | undefined;
  /** Runs while the session ends. */
  #ending: NodeJS.Timeout | undefined;
  /** Runs while the thread waits for nothing from the host. */
  #work: NodeJS.Timeout | undefined;
  #pending = 0;
  #requestCount = 0;

  constructor(task: McpTask, options: SpeakOptions, settle: (outcome: Promise<McpOutcome | undefined>) => void) {
    const { timeLimit } = options;
    this.#options = options;
    this.#settle = settle;
    this.#worker = new Worker(BUNDLE, {
      workerData: task,
      // The environment may contain credentials for a run.
      env: {},
      // The thread does not need modules that the host's flags load.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: LARGEST_HEAP },
      stdout: true,
      stderr: true,
    });
    this.#timeLimit = new TimeLimit(timeLimit, () => this.#fail(timeIsOver(timeLimit)));
    this.#longestWork = Math.max(timeLimit * PART_FOR_WORK, LEAST_FOR_WORK);
    // Each pending request listens to the signal.
    setMaxListeners(MOST_REQUESTS, this.#controller.signal);
  }

  start(): void {
    const { signal } = this.#options;
    const fail = (error: unknown): void => this.#fail(error);
    this.#worker.on("message", (message: FromThread) => void this.#receive(message).catch(fail));
    this.#worker.on("error", (error: NodeJS.ErrnoException) => fail(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? outOfMemory() : error));
    this.#worker.on("exit", () => fail(new Error("The MCP thread ended unexpectedly.")));
    signal?.addEventListener("abort", this.#stop, { once: true });
    if (signal?.aborted) this.#stop();
    else this.#watchWork();
  }

  #end(outcome: ReadOutcome): void {
    if (this.#controller.signal.aborted) return;
    this.#controller.abort(new DOMException("stopped", "AbortError"));
    this.#timeLimit.clear();
    clearTimeout(this.#ending);
    clearTimeout(this.#work);
    this.#options.signal?.removeEventListener("abort", this.#stop);
    void this.#worker.terminate();
    this.#settle(outcome());
  }

  #fail(error: unknown): void {
    this.#end(this.#outcome ?? failWith(error));
  }

  /** Keeps the outcome, so that it is not lost if the server does not end its session. */
  #endSoon(outcome: ReadOutcome): void {
    this.#outcome = outcome;
    this.#timeLimit.clear();
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => this.#end(outcome), LONGEST_END);
  }

  #watchWork(): void {
    clearTimeout(this.#work);
    const before = this.#worker.performance.eventLoopUtilization();
    this.#work = setTimeout(() => {
      const { utilization } = this.#worker.performance.eventLoopUtilization(before);
      this.#fail(utilization < AT_WORK ? unanswered() : tooLong(this.#longestWork));
    }, this.#longestWork);
  }

  #post(message: ToThread): void {
    if (this.#controller.signal.aborted) return;
    this.#worker.postMessage(message);
    if (this.#pending === 0) this.#watchWork();
  }

  async #receive(message: FromThread): Promise<void> {
    if (this.#controller.signal.aborted) return;
    clearTimeout(this.#work);
    switch (message.type) {
      case "request":
        return this.#send(message);
      case "found": {
        const isAllowed = await this.#timeLimit.suspendedFor(this.#options.mayCall(message)).catch((error: unknown) => {
          this.#endSoon(failWith(error));
          return undefined;
        });
        if (isAllowed === false) this.#endSoon(noOutcome);
        return this.#post({ type: "call", isAllowed: isAllowed === true });
      }
      case "closed":
        return this.#end(this.#outcome ?? noOutcome);
      default:
        return this.#endSoon(async () => message);
    }
  }

  async #send(message: McpRequest): Promise<void> {
    if (++this.#requestCount > MOST_REQUESTS) throw tooMany();
    this.#pending++;
    const { id } = message;
    const respond = (request: ServerRequest): void => this.#refuse(request, message.headers);
    const response = await this.#options.send(message, this.#controller.signal, respond).finally(() => this.#pending--);
    this.#post({ type: "answered", id, ...response });
  }

  /**
   * Answers a request of the server while its stream is open. The response is sent at once, because the thread reads the stream only after
   * its end. The server may wait for the response before it ends the stream.
   */
  #refuse({ id, method }: ServerRequest, headers: McpRequest["headers"]): void {
    if (++this.#requestCount > MOST_REQUESTS) {
      this.#fail(tooMany());
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
    this.#options.send(request, this.#controller.signal, () => {}).catch(() => {});
  }
}

const timeIsOver = (limit: number): PackAuthError =>
  new PackAuthError("time-limit", `The MCP server took longer than ${limit / 1000} s.`, { nextStep: { do: "raiseTimeLimit" } });

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
