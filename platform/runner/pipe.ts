// The pack process's end of the pipe: reads frames from standard input and writes frames to standard output. Writing blocks while the host
// does not read, so that a flood of messages waits here and not in the host's memory.
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { createFrameReader, FRAME_HEADER } from "../../protocol/frames.ts";

const IN = 0;
const OUT = 1;
const CHUNK = 64 * 1024;

/** The host is trusted. Its messages have no limits but those of a frame. */
const NO_LIMITS = { json: 2 ** 32 - 1, attachment: 2 ** 32 - 1, structure: Number.POSITIVE_INFINITY };

/** Passes each message of the host to `receive`. The process ends with the pipe. */
export function listen(receive: (json: string, attachment: string | undefined) => void): void {
  const read = createFrameReader<Buffer>(NO_LIMITS, Buffer.allocUnsafeSlow);
  const receiveChunk = (count: number, chunk: Uint8Array): boolean => {
    for (const { bytes, start, jsonEnd, end } of read(chunk as Buffer, count))
      receive(bytes.toString("utf8", start, jsonEnd), end > jsonEnd ? bytes.toString("utf8", jsonEnd, end) : undefined);
    return true;
  };
  // One buffer is used for all input: a stream would allocate 64 KB for each message.
  const options = { fd: IN, readable: true, writable: false, onread: { buffer: Buffer.alloc(CHUNK), callback: receiveChunk } };
  const pipe = new Socket(options);
  pipe.on("end", () => process.exit(0));
  pipe.on("error", () => process.exit(0));
}

/** The buffer into which most messages are written. */
const small = Buffer.alloc(CHUNK);
/** The largest number of bytes of a UTF-16 code unit in UTF-8. */
const WIDEST = 3;

export function send(json: string, attachment = ""): void {
  const most = FRAME_HEADER + (json.length + attachment.length) * WIDEST;
  const bytes = most <= CHUNK ? small : Buffer.allocUnsafeSlow(FRAME_HEADER + Buffer.byteLength(json) + Buffer.byteLength(attachment));
  const length = bytes.write(json, FRAME_HEADER);
  const beside = attachment === "" ? 0 : bytes.write(attachment, FRAME_HEADER + length);
  bytes.writeUInt32BE(length, 0);
  bytes.writeUInt32BE(beside, 4);
  write(bytes, FRAME_HEADER + length + beside);
}

function write(bytes: Buffer, size: number): void {
  for (let at = 0; at < size; ) {
    try {
      at += writeSync(OUT, bytes, at, size - at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE" || code === "EOF") process.exit(0);
      if (code !== "EAGAIN") throw error;
    }
  }
}
