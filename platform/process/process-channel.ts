// The pipe to one pack process: passes its messages to listeners, watches its memory and ends it. Invariant: messages are read one slice at
// a time, and the process waits at its end of the pipe while many requests are pending.
import { setTimeout as delay } from "node:timers/promises";
import { errorMessage } from "../../base/error-message.ts";
import { type Frame, structureOf } from "../../protocol/frames.ts";
import type { FetchFailure, FetchResponse, FromPackProcess, ToPackProcess } from "../../protocol/pack-process.ts";
import { processorTime } from "../child-process/processor-time.ts";
import { watchMemory } from "../child-process/resident-memory.ts";
import { PackAuthError } from "../errors.ts";
import { IncomingMessages } from "./incoming-messages.ts";
import { encodeBody, writeMessage } from "./outgoing-message.ts";
import {
  endedByItself,
  MOST_BYTES_UNDER_WAY,
  MOST_FETCHES,
  notInTime,
  type ProcessLimits,
  type Task,
  tampered,
  tooMuchConsole,
  tooMuchMemory,
  tooMuchOutput,
} from "./process-limits.ts";
import type { RunnerProcess } from "./spawn-runner.ts";

type Listener = (message: FromPackProcess) => void;
type Asking = Extract<FromPackProcess, { readonly type: "fetch" | "storeBlob" }>;

/** Milliseconds that a debugger has to be notified of the end of the process. */
const FAREWELL = 1_000;

export class Channel {
  readonly #child: RunnerProcess;
  readonly #limits: ProcessLimits;
  readonly #patient: boolean;
  readonly #incoming: IncomingMessages;
  readonly #memory: ReturnType<typeof watchMemory>;
  readonly #listeners = new Set<Listener>();
  readonly #onEnd = new Set<(error: PackAuthError) => void>();
  #endReason: PackAuthError | undefined;
  #isLeaving = false;
  #stderr = "";
  #inspectorUrl: string | undefined;
  #consoleEntries = 0;
  /** The size of the parts of the current result. */
  readonly #result = { json: 0, structure: 0 };
  #fetches = 0;
  #bytesUnderWay = 0;

  /** With `patient`, for an attached debugger, there is no time limit. */
  constructor(child: RunnerProcess, limits: ProcessLimits, patient: boolean) {
    this.#child = child;
    this.#limits = limits;
    this.#patient = patient;
    this.#incoming = new IncomingMessages(child.stdout, {
      limits: limits.message,
      fetches: () => this.#fetches,
      isCrowded: () => this.#fetches >= MOST_FETCHES || this.#bytesUnderWay + child.stdin.writableLength > MOST_BYTES_UNDER_WAY,
      accept: (message, frame) => this.#accept(message, frame),
      tooLarge: () => this.#end(tooMuchOutput(limits)),
    });
    child.stderr.on("data", (data: Buffer) => {
      if (this.#stderr.length < 4_000) this.#stderr += data.toString();
      this.#inspectorUrl ??= /Debugger listening on (ws:\/\/\S+)/.exec(this.#stderr)?.[1];
    });
    child.stdin.on("error", () => {});
    child.on("error", (cause) =>
      this.#end(new PackAuthError("process-crashed", `The pack process did not start: ${cause.message}`, { cause })),
    );
    child.on("exit", (code, signal) => {
      // Messages and error output that were sent before the exit may still arrive.
      const over = (): void => this.#end(endedByItself(code, signal, this.#stderr));
      child.once("close", over);
      this.#incoming.finish();
      setTimeout(over, 1_000).unref();
    });
    this.#memory = watchMemory(child, (bytes) => {
      if (bytes > limits.memory) this.#end(tooMuchMemory(`${Math.round(limits.memory / 1_048_576)} MB`));
    });
  }

  get alive(): boolean {
    return this.#endReason === undefined && !this.#isLeaving;
  }

  /** Resolves to the address of the debugger, or to undefined if the process has not reported it within `time` milliseconds. */
  async inspector(time: number): Promise<string | undefined> {
    const end = Date.now() + time;
    // Another thread of the process prints the address, so the process may be ready before it.
    while (this.#inspectorUrl === undefined && this.#endReason === undefined && Date.now() < end) await delay(10);
    return this.#inspectorUrl;
  }

  post(message: ToPackProcess, pieces?: readonly Buffer[]): void {
    if (this.alive) writeMessage(this.#child.stdin, message, pieces);
  }

  /** Calls the listener for every message until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Resolves to the first result of `select` that is not undefined. Rejects when the process ends. Ends the process after `time`
   * milliseconds.
   */
  until<T>(select: (message: FromPackProcess) => T | undefined, time: number, task: Task): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#memory.rest();
        unheard();
        this.#onEnd.delete(fail);
      };
      const fail = (error: PackAuthError): void => {
        settle();
        reject(error);
      };
      const before = processorTime(this.#child.pid);
      const isOver = (): void => {
        const now = processorTime(this.#child.pid);
        this.#end(notInTime(task, time, now === undefined || before === undefined ? undefined : now - before));
      };
      const timer = this.#patient ? undefined : setTimeout(isOver, time);
      this.#memory.wake();
      const unheard = this.listen((message) => {
        const selected = select(message);
        if (selected === undefined) return;
        settle();
        resolve(selected);
      });
      if (this.#endReason === undefined) this.#onEnd.add(fail);
      else fail(this.#endReason);
    });
  }

  /** Sends the response or failure of a request to the process. */
  respond(to: Asking, work: Promise<FetchResponse | FetchFailure>): void {
    const body = to.type === "fetch" ? to.request.body : to.request;
    const bytes = body === undefined ? 0 : "text" in body ? body.text.length : "base64" in body ? body.base64.length : 0;
    this.#fetches++;
    this.#bytesUnderWay += bytes;
    const { fetchId } = to;
    work
      .then(
        async (result) => {
          const response = "message" in result ? result.response : result;
          const pieces = await encodeBody(response);
          const message: ToPackProcess =
            "message" in result ? { type: "fetchFailed", fetchId, error: result } : { type: "fetched", fetchId, response: result };
          this.post(message, pieces);
        },
        (error: unknown) => this.post({ type: "fetchFailed", fetchId, error: { name: "Error", message: errorMessage(error) } }),
      )
      .finally(() => {
        this.#fetches--;
        this.#bytesUnderWay -= bytes;
        this.#incoming.goOn();
      });
  }

  /** Kills the process. */
  close(): void {
    this.#end(new PackAuthError("process-crashed", "The pack process was closed."));
  }

  /** Ends the process once its debugger was notified, or kills it after a second. */
  leave(): void {
    if (!this.alive) return;
    this.#isLeaving = true;
    this.#memory.wake();
    // The process exits when its input ends. Node then waits until the debugger detaches.
    this.#child.stdin.end();
    setTimeout(() => this.close(), FAREWELL).unref();
  }

  #accept(message: FromPackProcess | undefined, { bytes, start, jsonEnd }: Frame<Buffer>): void {
    const limits = this.#limits;
    if (message === undefined) {
      this.#end(tampered());
      return;
    }
    if (message.type === "console" && ++this.#consoleEntries > limits.consoleEntries) {
      // The realm stops logging by itself. A process that continues is attacking the host.
      if (this.#consoleEntries > limits.consoleEntries * 2) this.#end(tooMuchConsole());
      return;
    }
    const result = this.#result;
    if (message.type === "part") {
      result.json += jsonEnd - start;
      result.structure += structureOf(bytes, start, jsonEnd);
    } else if (message.type === "succeeded" || message.type === "failed") {
      result.json = 0;
      result.structure = 0;
    }
    if (result.json > limits.result.json || result.structure > limits.result.structure) {
      this.#end(tooMuchOutput(limits));
      return;
    }
    for (const listener of [...this.#listeners]) listener(message);
  }

  #end(error: PackAuthError): void {
    if (this.#endReason !== undefined) return;
    this.#endReason = error;
    this.#memory.stop();
    // A process that did not start has no pid; see spawn-runner.ts.
    if (this.#child.pid !== undefined) this.#child.kill("SIGKILL");
    this.#incoming.stop();
    for (const fail of [...this.#onEnd]) fail(error);
    this.#onEnd.clear();
  }
}
