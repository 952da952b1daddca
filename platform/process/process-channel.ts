// The pipe to one pack process: passes its messages to listeners, watches its memory and ends it. Invariant: messages are read one slice at
// a time, and the process waits at its end of the pipe while many requests are pending.
import { setTimeout as delay } from "node:timers/promises";
import { errorMessage } from "../../base/error-message.ts";
import { type Frame, structureOf } from "../../protocol/frames.ts";
import type { FetchFailure, FetchResponse, FromPackProcess, ToPackProcess } from "../../protocol/pack-process.ts";
import { watchMemory } from "../child-process/resident-memory.ts";
import { PackAuthError } from "../errors.ts";
import { receiveMessages } from "./incoming-messages.ts";
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

export interface Channel {
  readonly alive: boolean;
  /** Resolves to the address of the debugger, or to undefined if the process has not reported it within `time` milliseconds. */
  inspector(time: number): Promise<string | undefined>;
  post(message: ToPackProcess): void;
  /** Calls the listener for every message until the returned function is called. */
  listen(listener: Listener): () => void;
  /**
   * Resolves to the first result of `select` that is not undefined. Rejects when the process ends. Ends the process after `time`
   * milliseconds.
   */
  until<T>(select: (message: FromPackProcess) => T | undefined, time: number, task: Task): Promise<T>;
  /** Sends the response or failure of a request to the process. */
  respond(to: Asking, work: Promise<FetchResponse | FetchFailure>): void;
  /** Kills the process. */
  close(): void;
  /** Ends the process once its debugger was notified, or kills it after a second. */
  leave(): void;
}

/** Milliseconds that a debugger has to be notified of the end of the process. */
const FAREWELL = 1_000;

/** Opens the channel. With `patient`, for an attached debugger, there is no time limit. */
export function openChannel(child: RunnerProcess, limits: ProcessLimits, patient: boolean): Channel {
  const listeners = new Set<Listener>();
  const onEnd = new Set<(error: PackAuthError) => void>();
  let endReason: PackAuthError | undefined;
  let isLeaving = false;
  let stderr = "";
  let inspectorUrl: string | undefined;
  let consoleEntries = 0;
  /** The size of the parts of the current result. */
  const result = { json: 0, structure: 0 };

  const end = (error: PackAuthError): void => {
    if (endReason !== undefined) return;
    endReason = error;
    memory.stop();
    // A process that did not start has no pid; see spawn-runner.ts.
    if (child.pid !== undefined) child.kill("SIGKILL");
    incoming.stop();
    for (const fail of [...onEnd]) fail(error);
    onEnd.clear();
  };

  // ---- incoming messages
  let fetches = 0;
  let bytesUnderWay = 0;
  const incoming = receiveMessages(child.stdout, {
    limits: limits.message,
    fetches: () => fetches,
    isCrowded: () => fetches >= MOST_FETCHES || bytesUnderWay + child.stdin.writableLength > MOST_BYTES_UNDER_WAY,
    accept,
    tooLarge: () => end(tooMuchOutput(limits)),
  });

  function accept(message: FromPackProcess | undefined, { bytes, start, jsonEnd }: Frame<Buffer>): void {
    if (message === undefined) {
      end(tampered());
      return;
    }
    if (message.type === "console" && ++consoleEntries > limits.consoleEntries) {
      // The realm stops logging by itself. A process that continues is attacking the host.
      if (consoleEntries > limits.consoleEntries * 2) end(tooMuchConsole());
      return;
    }
    if (message.type === "part") {
      result.json += jsonEnd - start;
      result.structure += structureOf(bytes, start, jsonEnd);
    } else if (message.type === "succeeded" || message.type === "failed") {
      result.json = 0;
      result.structure = 0;
    }
    if (result.json > limits.result.json || result.structure > limits.result.structure) {
      end(tooMuchOutput(limits));
      return;
    }
    for (const listener of [...listeners]) listener(message);
  }

  // ---- end of the process
  child.stderr.on("data", (data: Buffer) => {
    if (stderr.length < 4_000) stderr += data.toString();
    inspectorUrl ??= /Debugger listening on (ws:\/\/\S+)/.exec(stderr)?.[1];
  });
  child.stdin.on("error", () => {});
  child.on("error", (cause) => end(new PackAuthError("process-crashed", `The pack process did not start: ${cause.message}`, { cause })));
  child.on("exit", (code, signal) => {
    // Messages and error output that were sent before the exit may still arrive.
    const over = (): void => end(endedByItself(code, signal, stderr));
    child.once("close", over);
    incoming.finish();
    setTimeout(over, 1_000).unref();
  });
  const memory = watchMemory(child, (bytes) => {
    if (bytes > limits.memory) end(tooMuchMemory(`${Math.round(limits.memory / 1_048_576)} MB`));
  });

  const close = (): void => end(new PackAuthError("process-crashed", "The pack process was closed."));

  // ---- outgoing messages
  const post = (message: ToPackProcess, pieces?: readonly Buffer[]): void => {
    if (endReason === undefined && !isLeaving) writeMessage(child.stdin, message, pieces);
  };

  const until: Channel["until"] = (select, time, task) =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        memory.rest();
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
      const timer = patient ? undefined : setTimeout(() => end(notInTime(task, time)), time);
      memory.wake();
      if (endReason !== undefined) {
        fail(endReason);
        return;
      }
      listeners.add(listener);
      onEnd.add(fail);
    });

  return {
    get alive() {
      return endReason === undefined && !isLeaving;
    },
    async inspector(time) {
      // Another thread of the process prints the address, so the process may be ready before it.
      for (const end = Date.now() + time; inspectorUrl === undefined && endReason === undefined && Date.now() < end; ) await delay(10);
      return inspectorUrl;
    },
    post,
    until,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    respond(to, work) {
      const body = to.type === "fetch" ? to.request.body : to.request;
      const bytes = body === undefined ? 0 : "text" in body ? body.text.length : "base64" in body ? body.base64.length : 0;
      fetches++;
      bytesUnderWay += bytes;
      const { fetchId } = to;
      work
        .then(
          async (result) => {
            const response = "message" in result ? result.response : result;
            const pieces = await encodeBody(response);
            const message: ToPackProcess =
              "message" in result ? { type: "fetchFailed", fetchId, error: result } : { type: "fetched", fetchId, response: result };
            post(message, pieces);
          },
          (error: unknown) =>
            post({
              type: "fetchFailed",
              fetchId,
              error: { name: "Error", message: errorMessage(error) },
            }),
        )
        .finally(() => {
          fetches--;
          bytesUnderWay -= bytes;
          incoming.goOn();
        });
    },
    close,
    leave() {
      if (isLeaving || endReason !== undefined) return;
      isLeaving = true;
      memory.wake();
      // The process exits when its input ends. Node then waits until the debugger detaches.
      child.stdin.end();
      setTimeout(close, FAREWELL).unref();
    },
  };
}
