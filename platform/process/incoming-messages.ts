// Reads the messages of a pack process in slices. The host's event loop runs between the slices. While many requests are pending, the
// stream is paused, so that the process waits at its end of the pipe.
import type { Readable } from "node:stream";
import { createFrameReader, type Frame, type FrameLimits, FrameTooLarge } from "../../protocol/frames.ts";
import type { FromPackProcess } from "../../protocol/pack-process.ts";
import { readMessage, readParsed } from "./boundary.ts";
import { parseLong } from "./parse-long.ts";

/** Duration of one slice of reading in milliseconds. */
const SLICE = 6;
const FETCHES_OF_A_SLICE = 8;
/** The number of characters from which a message is parsed in slices. */
const LONG = 256 * 1024;
/** The largest number of bytes that Node's streams read into one chunk. */
const FULL_CHUNK = 64 * 1024;

interface Receiver {
  readonly limits: FrameLimits;
  /** Returns the number of the process's requests that are pending. */
  fetches(): number;
  /** Whether no more messages can be accepted before a request is answered. */
  isCrowded(): boolean;
  /** Handles a message. It is undefined if the frame contains no well-formed message. */
  accept(message: FromPackProcess | undefined, frame: Frame<Buffer>): void;
  /** Reports that a frame exceeds the limits. */
  tooLarge(): void;
}

interface Incoming {
  /** Continues with the waiting messages after a request was answered. */
  goOn(): void;
  /** Lets the stream end if no message waits. */
  finish(): void;
  /** Stops reading and drops the waiting messages. */
  stop(): void;
}

export function receiveMessages(stream: Readable, receiver: Receiver): Incoming {
  const read = createFrameReader<Buffer>(receiver.limits, Buffer.alloc);
  const backlog: Frame<Buffer>[] = [];
  let isStopped = false;
  let scheduled = false;
  /** Whether a long message is being parsed in slices. Later messages wait for it. */
  let isParsing = false;

  const schedule = (): void => {
    if (scheduled || isStopped) return;
    scheduled = true;
    setImmediate(drain);
  };
  /**
   * Returns true if all messages were handled. Otherwise the remaining messages wait for the next turn of the event loop, or for answers.
   */
  const readSlice = (): boolean => {
    const sliceEnd = performance.now() + SLICE;
    let frameCount = 0;
    const fetchesBefore = receiver.fetches();
    // The work that a request starts runs after this slice, so the number of requests is limited too.
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
    // After a full chunk the event loop reads the next chunk first. Slices that are read here would add up, so the slice is scheduled
    // instead.
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
