// The pipe to one pack process: its messages to whoever listens, the watch over its memory, and its end. Invariant: no more than a slice of
// its messages is read at a time, and while much of it is under way the process is left waiting at its end of the pipe.
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
  /** Where its debugger listens; undefined where it has not said so when the milliseconds are up. */
  inspector(time: number): Promise<string | undefined>;
  post(message: ToPackProcess): void;
  /** Hears every message until the function that it gives is called. */
  listen(listener: Listener): () => void;
  /** The first message that `select` takes; rejects when the process ends, and ends it when the milliseconds are up. */
  until<T>(select: (message: FromPackProcess) => T | undefined, time: number, task: Task): Promise<T>;
  /** Sends what comes of a request back to it. */
  respond(to: Asking, work: Promise<FetchResponse | FetchFailure>): void;
  /** Kills the process. */
  close(): void;
  /** Ends the process once its debugger has heard of it, or kills it after a moment. */
  leave(): void;
}

/** Milliseconds that a debugger has to hear that the process ends. */
const FAREWELL = 1_000;

/** With `patient` (a debugger is attached) nothing is given up for the time that it takes. */
export function openChannel(child: RunnerProcess, limits: ProcessLimits, patient: boolean): Channel {
  const listeners = new Set<Listener>();
  const onEnd = new Set<(error: PackAuthError) => void>();
  let endReason: PackAuthError | undefined;
  let isLeaving = false;
  let stderr = "";
  let inspectorUrl: string | undefined;
  let consoleEntries = 0;
  /** What came so far of the result that is on its way. */
  const result = { json: 0, structure: 0 };

  const end = (error: PackAuthError): void => {
    if (endReason !== undefined) return;
    endReason = error;
    memory.stop();
    // See spawn-runner.ts.
    if (child.pid !== undefined) child.kill("SIGKILL");
    incoming.stop();
    for (const fail of [...onEnd]) fail(error);
    onEnd.clear();
  };

  // ---- what comes in
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
      // The realm stops by itself; one that goes on is after the host.
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

  // ---- its end
  child.stderr.on("data", (data: Buffer) => {
    if (stderr.length < 4_000) stderr += data.toString();
    inspectorUrl ??= /Debugger listening on (ws:\/\/\S+)/.exec(stderr)?.[1];
  });
  child.stdin.on("error", () => {});
  child.on("error", (cause) => end(new PackAuthError("process-crashed", `The pack process did not start: ${cause.message}`, { cause })));
  child.on("exit", (code, signal) => {
    // What it sent before it ended is still on its way, and what it printed.
    const over = (): void => end(endedByItself(code, signal, stderr));
    child.once("close", over);
    incoming.finish();
    setTimeout(over, 1_000).unref();
  });
  const memory = watchMemory(child, (bytes) => {
    if (bytes > limits.memory) end(tooMuchMemory(`${Math.round(limits.memory / 1_048_576)} MB`));
  });

  const close = (): void => end(new PackAuthError("process-crashed", "The pack process was closed."));

  // ---- what goes out
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
      // A thread of its own says so, and the process may be ready before.
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
      // It exits with its input, and Node then waits until the debugger lets go.
      child.stdin.end();
      setTimeout(close, FAREWELL).unref();
    },
  };
}
