// The pack process's end of the pipe: frames come in on standard input and go out on standard output. Writing blocks while the host
// does not read, so that a flood waits here and not in the host's memory.
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { createFrameReader, FRAME_HEADER } from "../../protocol/frames.ts";

const IN = 0;
const OUT = 1;
const CHUNK = 64 * 1024;

/** The host is trusted: what it sends has no limits here but those of a frame. */
const NO_LIMITS = { json: 2 ** 32 - 1, attachment: 2 ** 32 - 1, structure: Number.POSITIVE_INFINITY };

/** Hands each message of the host on; the process ends with the pipe. */
export function listen(receive: (json: string, attachment: string | undefined) => void): void {
  const read = createFrameReader(NO_LIMITS);
  const take = (count: number, chunk: Uint8Array): boolean => {
    for (const { json, attachment } of read(chunk.subarray(0, count)))
      receive(text(json), attachment === undefined ? undefined : text(attachment));
    return true;
  };
  // One buffer for all that comes: a stream would make one of 64 KB for each message.
  const options = { fd: IN, readable: true, writable: false, onread: { buffer: Buffer.alloc(CHUNK), callback: take } };
  const pipe = new Socket(options);
  pipe.on("end", () => process.exit(0));
  pipe.on("error", () => process.exit(0));
}

export function send(json: string, attachment = ""): void {
  const length = Buffer.byteLength(json);
  const beside = Buffer.byteLength(attachment);
  const bytes = Buffer.allocUnsafe(FRAME_HEADER + length + beside);
  bytes.writeUInt32BE(length, 0);
  bytes.writeUInt32BE(beside, 4);
  bytes.write(json, FRAME_HEADER);
  bytes.write(attachment, FRAME_HEADER + length);
  write(bytes);
}

function write(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(OUT, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE" || code === "EOF") process.exit(0);
      if (code !== "EAGAIN") throw error;
    }
  }
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
