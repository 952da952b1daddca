// The pipe to one pack process: frames in and out, the watch over its memory, and its end. Invariant: no more than a slice of its
// messages is read at a time, and while much of it is under way the process is left waiting at its end of the pipe.
import { createFrameReader, FRAME_HEADER, type Frame, FrameTooLarge, structureOf } from "../protocol/frames.ts";
import type { FetchFailure, FetchResponse, FromPackProcess, ToPackProcess } from "../protocol/pack-process.ts";
import { readMessage, readParsed } from "./boundary.ts";
import { PackAuthError } from "./errors.ts";
import { encodeLong } from "./long-text.ts";
import { parseLong } from "./parse-long.ts";
import {
  MOST_BYTES_UNDER_WAY,
  MOST_FETCHES,
  type ProcessLimits,
  tampered,
  tooMuchConsole,
  tooMuchMemory,
  tooMuchOutput,
} from "./process-limits.ts";
import { watchMemory } from "./resident-memory.ts";
import type { RunnerProcess } from "./spawn-runner.ts";

type Listener = (message: FromPackProcess) => void;
type Asking = Extract<FromPackProcess, { readonly type: "fetch" | "storeBlob" }>;

export interface Channel {
  readonly alive: boolean;
  readonly inspectorUrl: string | undefined;
  post(message: ToPackProcess): void;
  /** Hears every message until the function that it gives is called. */
  listen(listener: Listener): () => void;
  /** The first message that `select` takes; rejects when the process ends, and ends it when the milliseconds are up. */
  until<T>(select: (message: FromPackProcess) => T | undefined, time: number, doing: string): Promise<T>;
  /** Sends what comes of a request back to it. */
  answer(to: Asking, work: Promise<FetchResponse | FetchFailure>): void;
  /** Kills the process. */
  close(): void;
  /** Ends the process once its debugger has heard of it, or kills it after a moment. */
  leave(): void;
}

/** Bytes of an attachment that are put beside the rest, which is quicker than a second write. */
const COPIED = 256 * 1024;
/** Milliseconds of one slice of reading. */
const SLICE = 6;
const FETCHES_OF_A_SLICE = 8;
/** Characters of a message that is parsed in slices. */
const LONG = 256 * 1024;
/** Bytes of a chunk that Node's streams read at most. */
const FULL_CHUNK = 64 * 1024;
/** Milliseconds that a debugger has to hear that the process ends. */
const FAREWELL = 1_000;

/** With `patient` (a debugger is attached) nothing is given up for the time that it takes. */
export function openChannel(child: RunnerProcess, limits: ProcessLimits, patient: boolean): Channel {
  const listeners = new Set<Listener>();
  const onEnd = new Set<(error: PackAuthError) => void>();
  let ended: PackAuthError | undefined;
  let isLeaving = false;
  let stderr = "";
  let inspectorUrl: string | undefined;
  let consoleEntries = 0;
  /** What came so far of the result that is on its way. */
  const result = { json: 0, structure: 0 };

  const end = (error: PackAuthError): void => {
    if (ended !== undefined) return;
    ended = error;
    memory.stop();
    child.kill("SIGKILL");
    child.stdout.destroy();
    backlog.length = 0;
    for (const fail of [...onEnd]) fail(error);
    onEnd.clear();
  };

  // ---- what comes in
  const read = createFrameReader<Buffer>(limits.message, Buffer.alloc);
  const backlog: Frame<Buffer>[] = [];
  let scheduled = false;
  let fetches = 0;
  let bytesUnderWay = 0;
  /** A long message is parsed in slices; what comes behind it waits. */
  let isParsing = false;
  const isCrowded = (): boolean => fetches >= MOST_FETCHES || bytesUnderWay + child.stdin.writableLength > MOST_BYTES_UNDER_WAY;
  const schedule = (): void => {
    if (scheduled || ended !== undefined) return;
    scheduled = true;
    setImmediate(drain);
  };
  /** True where all that came is taken; else what is left waits for the next turn of the loop, or for answers. */
  const takeSlice = (): boolean => {
    const sliceEnd = performance.now() + SLICE;
    let taken = 0;
    const fetchesBefore = fetches;
    // What a request sets in motion runs after this slice, and counts too.
    const isEnough = (): boolean =>
      isParsing || isCrowded() || fetches - fetchesBefore >= FETCHES_OF_A_SLICE || performance.now() > sliceEnd;
    while (taken < backlog.length && ended === undefined && !isEnough()) receive(backlog[taken++] as Frame<Buffer>);
    backlog.splice(0, taken);
    if (isParsing) return false;
    if (ended === undefined && backlog.length === 0) return true;
    if (!isCrowded()) schedule();
    return false;
  };
  const drain = (): void => {
    scheduled = false;
    if (ended === undefined && takeSlice()) child.stdout.resume();
  };
  child.stdout.on("data", (chunk: Buffer) => {
    if (ended !== undefined) return;
    try {
      for (const frame of read(chunk)) backlog.push(frame);
    } catch (error) {
      if (!(error instanceof FrameTooLarge)) throw error;
      end(tooMuchOutput(limits));
      return;
    }
    if (backlog.length === 0) return;
    // After a full chunk the loop reads on before it does anything else: its slices must not add up.
    if (chunk.length < FULL_CHUNK && takeSlice()) return;
    child.stdout.pause();
    if (chunk.length >= FULL_CHUNK) schedule();
  });

  function receive(frame: Frame<Buffer>): void {
    const { bytes, start, jsonEnd, end: frameEnd } = frame;
    const attachment = frameEnd > jsonEnd ? bytes.toString("utf8", jsonEnd, frameEnd) : undefined;
    const json = bytes.toString("utf8", start, jsonEnd);
    if (json.length <= LONG) {
      take(readMessage(json, attachment), frame);
      return;
    }
    isParsing = true;
    const parsed = parseLong(json).then(
      (value) => readParsed(value, attachment),
      () => undefined,
    );
    void parsed.then((message) => {
      isParsing = false;
      if (ended !== undefined) return;
      take(message, frame);
      schedule();
    });
  }

  function take(message: FromPackProcess | undefined, { bytes, start, jsonEnd }: Frame<Buffer>): void {
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
    const heap = /heap out of memory|Allocation failed/.test(stderr);
    // What it sent before it ended is still on its way.
    child.once("close", () => end(heap ? tooMuchMemory("512 MB of objects") : crashed(code, signal, stderr)));
    if (backlog.length === 0 && !isParsing) child.stdout.resume();
    setTimeout(() => end(heap ? tooMuchMemory("512 MB of objects") : crashed(code, signal, stderr)), 1_000).unref();
  });
  const memory = watchMemory(child, (bytes) => {
    if (bytes > limits.memory) end(tooMuchMemory(`${Math.round(limits.memory / 1_048_576)} MB`));
  });

  const close = (): void => end(new PackAuthError("process-crashed", "The pack process was closed."));

  // ---- what goes out
  /** `pieces`: the attachment, encoded already. */
  const post = (message: ToPackProcess, pieces?: readonly Buffer[]): void => {
    if (ended !== undefined || isLeaving) return;
    const { json, attachment = "" } = encode(message);
    const length = Buffer.byteLength(json);
    const beside = pieces === undefined ? Buffer.byteLength(attachment) : pieces.reduce((sum, piece) => sum + piece.length, 0);
    const isCopied = beside <= COPIED;
    const bytes = Buffer.allocUnsafe(FRAME_HEADER + length + (isCopied ? beside : 0));
    bytes.writeUInt32BE(length, 0);
    bytes.writeUInt32BE(beside, 4);
    bytes.write(json, FRAME_HEADER);
    if (isCopied) bytes.write(attachment, FRAME_HEADER + length);
    child.stdin.write(bytes);
    if (!isCopied) for (const piece of pieces ?? [Buffer.from(attachment)]) child.stdin.write(piece);
  };

  const until: Channel["until"] = (select, time, doing) =>
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
      const outOfTime = (): void =>
        end(
          new PackAuthError("time-limit", `The pack did not ${doing} within ${time / 1000} s and was stopped.`, {
            hint: "Look for an endless loop, or for a promise that never settles.",
          }),
        );
      const timer = patient ? undefined : setTimeout(outOfTime, time);
      memory.wake();
      if (ended !== undefined) {
        fail(ended);
        return;
      }
      listeners.add(listener);
      onEnd.add(fail);
    });

  return {
    get alive() {
      return ended === undefined && !isLeaving;
    },
    get inspectorUrl() {
      return inspectorUrl;
    },
    post,
    until,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    answer(to, work) {
      const body = to.type === "fetch" ? to.request.body : to.request;
      const bytes = body === undefined ? 0 : "text" in body ? body.text.length : "base64" in body ? body.base64.length : 0;
      fetches++;
      bytesUnderWay += bytes;
      const { fetchId } = to;
      work
        .then(
          async (result) => {
            const response = "message" in result ? result.response : result;
            const content = response === undefined ? "" : (attached(response.body)?.content ?? "");
            const pieces = content.length > COPIED ? await encodeLong(content) : undefined;
            const message: ToPackProcess =
              "message" in result ? { type: "fetchFailed", fetchId, error: result } : { type: "fetched", fetchId, response: result };
            post(message, pieces);
          },
          (error: unknown) =>
            post({
              type: "fetchFailed",
              fetchId,
              error: { name: "Error", message: error instanceof Error ? error.message : String(error) },
            }),
        )
        .finally(() => {
          fetches--;
          bytesUnderWay -= bytes;
          if (backlog.length > 0) schedule();
        });
    },
    close,
    leave() {
      if (isLeaving || ended !== undefined) return;
      isLeaving = true;
      memory.wake();
      // It exits with its input, and Node then waits until the debugger lets go.
      child.stdin.end();
      setTimeout(close, FAREWELL).unref();
    },
  };
}

/** Bodies that are text or bytes travel beside the JSON. */
function encode(message: ToPackProcess): { json: string; attachment?: string } {
  const code = message.type === "prepare" || message.type === "load" ? message.code : undefined;
  if (code !== undefined) return { json: JSON.stringify({ ...message, code: "" }), attachment: code };
  const response = message.type === "fetched" ? message.response : message.type === "fetchFailed" ? message.error.response : undefined;
  const body = response === undefined ? undefined : attached(response.body);
  if (response === undefined || body === undefined) return { json: JSON.stringify(message) };
  const without = { ...response, body: { attached: body.kind } };
  return {
    json: JSON.stringify(
      message.type === "fetchFailed" ? { ...message, error: { ...message.error, response: without } } : { ...message, response: without },
    ),
    attachment: body.content,
  };
}

function attached(body: FetchResponse["body"]): { readonly kind: "json" | "text" | "base64"; readonly content: string } | undefined {
  if ("unparsed" in body) return { kind: "json", content: body.unparsed };
  if ("text" in body) return { kind: "text", content: body.text };
  return "base64" in body ? { kind: "base64", content: body.base64 } : undefined;
}

function crashed(code: number | null, signal: string | null, stderr: string): PackAuthError {
  return new PackAuthError("process-crashed", `The pack process ended by itself (${signal ?? `code ${code}`}).`, {
    hint: stderr.trim().split("\n").slice(0, 3).join(" ") || "Run it again.",
  });
}
