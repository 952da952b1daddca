// What a pack process sends, read in slices: the host's loop turns between them, and while much is under way the process is left waiting at
// its end of the pipe.
import type { Readable } from "node:stream";
import { createFrameReader, type Frame, type FrameLimits, FrameTooLarge } from "../../protocol/frames.ts";
import type { FromPackProcess } from "../../protocol/pack-process.ts";
import { readMessage, readParsed } from "./boundary.ts";
import { parseLong } from "./parse-long.ts";

/** Milliseconds of one slice of reading. */
const SLICE = 6;
const FETCHES_OF_A_SLICE = 8;
/** Characters of a message that is parsed in slices. */
const LONG = 256 * 1024;
/** Bytes of a chunk that Node's streams read at most. */
const FULL_CHUNK = 64 * 1024;

interface Receiver {
  readonly limits: FrameLimits;
  /** Requests of the process that are under way. */
  fetches(): number;
  /** Whether no more can be taken before something is answered. */
  isCrowded(): boolean;
  /** Undefined: the frame holds no message. */
  accept(message: FromPackProcess | undefined, frame: Frame<Buffer>): void;
  /** A frame is beyond the limits. */
  tooLarge(): void;
}

interface Incoming {
  /** Goes on with what waits: something was answered. */
  goOn(): void;
  /** Lets the stream end, once nothing of it waits. */
  finish(): void;
  /** Nothing more is taken. */
  stop(): void;
}

export function receiveMessages(stream: Readable, receiver: Receiver): Incoming {
  const read = createFrameReader<Buffer>(receiver.limits, Buffer.alloc);
  const backlog: Frame<Buffer>[] = [];
  let isStopped = false;
  let scheduled = false;
  /** A long message is parsed in slices; what comes behind it waits. */
  let isParsing = false;

  const schedule = (): void => {
    if (scheduled || isStopped) return;
    scheduled = true;
    setImmediate(drain);
  };
  /** True where all that came is taken; else what is left waits for the next turn of the loop, or for answers. */
  const readSlice = (): boolean => {
    const sliceEnd = performance.now() + SLICE;
    let frameCount = 0;
    const fetchesBefore = receiver.fetches();
    // What a request sets in motion runs after this slice, and counts too.
    const isEnough = (): boolean =>
      isParsing || receiver.isCrowded() || receiver.fetches() - fetchesBefore >= FETCHES_OF_A_SLICE || performance.now() > sliceEnd;
    while (frameCount < backlog.length && !isStopped && !isEnough()) receive(backlog[frameCount++] as Frame<Buffer>);
    backlog.splice(0, frameCount);
    if (isParsing) return false;
    if (!isStopped && backlog.length === 0) return true;
    if (!receiver.isCrowded()) schedule();
    return false;
  };
  const drain = (): void => {
    scheduled = false;
    if (!isStopped && readSlice()) stream.resume();
  };
  stream.on("data", (chunk: Buffer) => {
    if (isStopped) return;
    try {
      for (const frame of read(chunk)) backlog.push(frame);
    } catch (error) {
      if (!(error instanceof FrameTooLarge)) throw error;
      receiver.tooLarge();
      return;
    }
    if (backlog.length === 0) return;
    // After a full chunk the loop reads on before it does anything else: its slices must not add up.
    if (chunk.length < FULL_CHUNK && readSlice()) return;
    stream.pause();
    if (chunk.length >= FULL_CHUNK) schedule();
  });

  function receive(frame: Frame<Buffer>): void {
    const { bytes, start, jsonEnd, end } = frame;
    const attachment = end > jsonEnd ? bytes.toString("utf8", jsonEnd, end) : undefined;
    const json = bytes.toString("utf8", start, jsonEnd);
    if (json.length <= LONG) {
      receiver.accept(readMessage(json, attachment), frame);
      return;
    }
    isParsing = true;
    const parsed = parseLong(json).then(
      (value) => readParsed(value, attachment),
      () => undefined,
    );
    void parsed.then((message) => {
      isParsing = false;
      if (isStopped) return;
      receiver.accept(message, frame);
      schedule();
    });
  }

  return {
    goOn() {
      if (backlog.length > 0) schedule();
    },
    finish() {
      if (backlog.length === 0 && !isParsing) stream.resume();
    },
    stop() {
      isStopped = true;
      stream.destroy();
      backlog.length = 0;
    },
  };
}
