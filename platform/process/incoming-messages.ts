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

export class IncomingMessages {
  readonly #stream: Readable;
  readonly #receiver: Receiver;
  readonly #read: (chunk: Buffer) => Iterable<Frame<Buffer>>;
  readonly #backlog: Frame<Buffer>[] = [];
  #isStopped = false;
  #isScheduled = false;
  /** Whether a long message is being parsed in slices. Later messages wait for it. */
  #isParsing = false;

  constructor(stream: Readable, receiver: Receiver) {
    this.#stream = stream;
    this.#receiver = receiver;
    this.#read = createFrameReader<Buffer>(receiver.limits, Buffer.alloc);
    stream.on("data", (chunk: Buffer) => {
      if (!this.#isStopped) this.#take(chunk);
    });
  }

  /** Continues with the waiting messages after a request was answered. */
  goOn(): void {
    if (this.#backlog.length > 0) this.#schedule();
  }

  /** Lets the stream end if no message waits. */
  finish(): void {
    if (this.#backlog.length === 0 && !this.#isParsing) this.#stream.resume();
  }

  /** Stops reading and drops the waiting messages. */
  stop(): void {
    this.#isStopped = true;
    this.#stream.destroy();
    this.#backlog.length = 0;
  }

  #take(chunk: Buffer): void {
    try {
      for (const frame of this.#read(chunk)) this.#backlog.push(frame);
    } catch (error) {
      if (!(error instanceof FrameTooLarge)) throw error;
      this.#receiver.tooLarge();
      return;
    }
    if (this.#backlog.length === 0) return;
    // After a full chunk the event loop reads the next chunk first. Slices that are read here would add up, so the slice is scheduled
    // instead.
    if (chunk.length < FULL_CHUNK && this.#readSlice()) return;
    this.#stream.pause();
    if (chunk.length >= FULL_CHUNK) this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isStopped) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (!this.#isStopped && this.#readSlice()) this.#stream.resume();
    });
  }

  /**
   * Returns true if all messages were handled. Otherwise the remaining messages wait for the next turn of the event loop, or for answers.
   */
  #readSlice(): boolean {
    const receiver = this.#receiver;
    const backlog = this.#backlog;
    const sliceEnd = performance.now() + SLICE;
    let frameCount = 0;
    const fetchesBefore = receiver.fetches();
    // The work that a request starts runs after this slice, so the number of requests is limited too.
    const isEnough = (): boolean =>
      this.#isParsing || receiver.isCrowded() || receiver.fetches() - fetchesBefore >= FETCHES_OF_A_SLICE || performance.now() > sliceEnd;
    while (frameCount < backlog.length && !this.#isStopped && !isEnough()) this.#receive(backlog[frameCount++] as Frame<Buffer>);
    backlog.splice(0, frameCount);
    if (this.#isParsing) return false;
    if (!this.#isStopped && backlog.length === 0) return true;
    if (!receiver.isCrowded()) this.#schedule();
    return false;
  }

  #receive(frame: Frame<Buffer>): void {
    const { bytes, start, jsonEnd, end } = frame;
    const attachment = end > jsonEnd ? bytes.toString("utf8", jsonEnd, end) : undefined;
    const json = bytes.toString("utf8", start, jsonEnd);
    if (json.length <= LONG) {
      this.#receiver.accept(readMessage(json, attachment), frame);
      return;
    }
    this.#isParsing = true;
    const parsed = parseLong(json).then(
      (value) => readParsed(value, attachment),
      () => undefined,
    );
    void parsed.then((message) => {
      this.#isParsing = false;
      if (this.#isStopped) return;
      this.#receiver.accept(message, frame);
      this.#schedule();
    });
  }
}
